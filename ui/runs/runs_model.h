// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QCollator>
#include <QDateTime>
#include <QSet>
#include <QSortFilterProxyModel>
#include <functional>
#include <vector>

#include "engine/run/run_status.h"
#include "ui/runs/run_filter.h"

namespace disco::ui {

/// All runs of the workspace. Takes whole lists as they are read and changes only what differs, so that nothing moves
/// and the selection stays.
class RunsModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column {
    state_column,
    name_column,
    model_column,
    data_column,
    progress_column,
    best_column,
    activity_column,
    column_count
  };
  enum Role { sort_role = Qt::UserRole, path_role };

  explicit RunsModel(QObject* parent = nullptr);

  /// `confirmed` is false for rows remembered from the last session: shown grey until read.
  void set_runs(const std::vector<RunStatus>& runs, bool confirmed);
  [[nodiscard]] const std::vector<RunStatus>& runs() const { return runs_; }
  [[nodiscard]] const RunStatus& run(int row) const { return runs_[static_cast<std::size_t>(row)]; }
  [[nodiscard]] int row_of_path(const QString& path) const;
  [[nodiscard]] bool confirmed() const { return confirmed_; }

  void set_pinned(const QSet<QString>& ids);
  [[nodiscard]] const QSet<QString>& pinned() const { return pinned_; }
  [[nodiscard]] bool is_pinned(int row) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  /// A new name typed into the table: says rename_wanted(), the next look at the disk shows it.
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  /// The words of "last activity" age: asks the view to paint them again.
  void refresh_times();

 Q_SIGNALS:
  /// A run appeared that was not in the list before: the order is made anew.
  void run_appeared();
  void rename_wanted(const QString& path, const QString& name);

 private:
  [[nodiscard]] QString text(const RunStatus& run, int column) const;
  [[nodiscard]] QVariant sort_key(const RunStatus& run, int column) const;

  std::vector<RunStatus> runs_;
  QSet<QString> pinned_;
  bool confirmed_ = false;
};

/// The order and choice of rows: pinned first, then by the chosen column; sorts only when asked to.
class RunsOrder : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit RunsOrder(RunsModel& runs, QObject* parent = nullptr);
  void set_filter(const RunFilter& filter);
  [[nodiscard]] const RunFilter& filter() const { return filter_; }
  /// Puts the rows into order again by the present column.
  void order_again();

 protected:
  [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

 private:
  RunsModel& runs_;
  RunFilter filter_;
  QCollator collator_;  ///< cartoons-2 before cartoons-10
};

}  // namespace disco::ui
