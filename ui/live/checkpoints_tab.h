// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QWidget>
#include <memory>
#include <optional>

#include "ui/shell/page.h"
#include "ui/shell/run_watch.h"

class QPushButton;
class QStackedLayout;
class QTableView;

namespace disco::ui {

class EmptyState;

/// Checkpoints of a run, newest first.
class CheckpointModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { step_column, accuracy_column, recall_column, size_column, saved_column, note_column, column_count };

  using QAbstractTableModel::QAbstractTableModel;
  /// Rows are replaced only when they differ, so that a selection stays.
  void set_checkpoints(const std::vector<CheckpointEvent>& checkpoints);
  [[nodiscard]] const CheckpointEvent& at(int row) const { return rows_[static_cast<std::size_t>(row)]; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] QString text(int row, int column) const;
  std::vector<CheckpointEvent> rows_;
};

/// The checkpoints tab of Live: what is saved and what can be done with it.
class CheckpointsTab : public QWidget {
  Q_OBJECT

 public:
  explicit CheckpointsTab(PageContext& context, QWidget* parent = nullptr);
  void set_snapshot(std::shared_ptr<const RunSnapshot> snapshot);

 private:
  void refresh_buttons();
  void resume();
  [[nodiscard]] std::optional<CheckpointEvent> selected() const;

  PageContext& context_;
  std::shared_ptr<const RunSnapshot> snapshot_;
  CheckpointModel* model_;
  QTableView* table_;
  QStackedLayout* stack_;
  EmptyState* empty_;
  QPushButton* ask_;
  QPushButton* resume_;
  QPushButton* show_;
};

}  // namespace disco::ui
