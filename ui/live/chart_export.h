// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>

#include "engine/base/error.h"
#include "ui/live/chart_plot.h"

namespace disco::ui {

/// Pictures and values of a chart as it is in view.

/// A PNG at `scale` device pixels a logical one, or an SVG or PDF, by the ending of `path`.
[[nodiscard]] Result<void> export_picture(ChartPlot& plot, const QString& path, double scale, bool dark);
[[nodiscard]] QImage chart_image(ChartPlot& plot, double scale, bool dark);

/// What a table of a chart's values is made from; safe to hand to another thread.
struct ValueTable {
  std::shared_ptr<const Columns> steps;
  std::shared_ptr<const Columns> evaluations;
  std::vector<CurveSource> curves;
  Span range;
  XAxis axis = XAxis::step;
  double weight = 0;
};
/// Rows of the visible range with a head line: the axes, each metric as measured, and smoothed where it is drawn so.
/// Numbers as every program reads them, whatever the locale. Any thread.
[[nodiscard]] std::string values_text(const ValueTable& table, char separator);

}  // namespace disco::ui
