// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>
#include <QThreadPool>
#include <vector>

#include "engine/run/run_status.h"

class QLabel;
class QMenu;
class QPushButton;

namespace disco::ui {

class ElidedLabel;
class LossSketch;
class StateChip;

/// What is known of the selected run: sentence, loss, best, command, and what can be done with it.
class RunDetail : public QFrame {
  Q_OBJECT

 public:
  explicit RunDetail(QWidget* parent = nullptr);
  ~RunDetail() override;
  /// Shows one run. `menu` is what [⋯] opens.
  void show_run(const RunStatus& run, QMenu* menu);
  /// Shows that several are selected.
  void show_many(int count);
  [[nodiscard]] const QString& path() const { return path_; }

 Q_SIGNALS:
  void open_clicked();
  void log_clicked();
  void resume_clicked();
  void duplicate_clicked();
  void rename_clicked();
  void trash_clicked();

 private:
  void read_details(const RunStatus& run);

  QString path_;
  std::int64_t read_step_ = -1;
  QThreadPool reader_;
  QLabel* name_;
  StateChip* chip_;
  QLabel* sentence_;
  LossSketch* sketch_;
  QLabel* best_;
  ElidedLabel* command_;
  QPushButton* open_;
  QPushButton* log_;
  QPushButton* resume_;
  QPushButton* duplicate_;
  QPushButton* rename_;
  QPushButton* trash_;
  QPushButton* more_;
};

}  // namespace disco::ui
