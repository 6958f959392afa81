// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QCache>
#include <QFile>
#include <QTimer>
#include <QWidget>

#include "ui/live/log_reader.h"
#include "ui/shell/page.h"
#include "ui/shell/run_watch.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QListView;
class QPushButton;
class QStackedLayout;

namespace disco::ui {

class EmptyState;

/// Lines of a log by their places in the file; text is read when it is shown.
class LogModel : public QAbstractListModel {
  Q_OBJECT

 public:
  using QAbstractListModel::QAbstractListModel;
  void open(const QString& file);
  void add(const std::vector<LogLine>& lines, bool restarted);
  [[nodiscard]] QString text(int row) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

 private:
  mutable QFile file_;
  mutable QCache<int, QString> texts_{2000};
  std::vector<LogLine> lines_;
};

/// The log tab of Live: engine.log and the warnings of the run, counted.
class LogTab : public QWidget {
  Q_OBJECT

 public:
  explicit LogTab(PageContext& context, QWidget* parent = nullptr);
  void set_snapshot(std::shared_ptr<const RunSnapshot> snapshot);
  void set_active(bool active);
  void focus_filter();
  [[nodiscard]] bool settled() const { return settled_; }

 private:
  void read_again();
  void take(int reading, const std::vector<LogLine>& lines, bool restarted, bool caught_up);
  void set_following(bool following);
  void refresh_warnings();
  void refresh_empty();
  void copy_lines();

  PageContext& context_;
  std::shared_ptr<const RunSnapshot> snapshot_;
  std::shared_ptr<const std::vector<WarningEvent>> shown_warnings_;
  LogReader reader_;
  LogModel* model_;
  QListView* view_;
  QLineEdit* filter_;
  QComboBox* level_;
  QPushButton* follow_;
  QLabel* warnings_;
  QStackedLayout* stack_;
  EmptyState* empty_;
  QTimer typing_;
  int reading_ = 0;
  bool following_ = true;
  bool settled_ = true;
};

}  // namespace disco::ui
