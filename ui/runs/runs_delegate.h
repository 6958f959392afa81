// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>
#include <functional>

#include "engine/run/run_status.h"

namespace disco::ui {

class RunsModel;

/// Paints a row of the table of runs: chip, name with its colour, progress bar, numbers in equal digit cells.
class RunsDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  /// `colour_of` gives the run's own colour.
  RunsDelegate(const RunsModel& runs, std::function<QColor(const RunStatus&)> colour_of, QObject* parent = nullptr);
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  void paint_name(QPainter& painter, const QRect& area, const RunStatus& run, bool pinned) const;
  void paint_progress(QPainter& painter, const QRect& area, const RunStatus& run, const QString& text) const;

  const RunsModel& runs_;
  std::function<QColor(const RunStatus&)> colour_of_;
};

}  // namespace disco::ui
