// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "ui/live/reduce.h"

namespace disco::ui {

/// How the values of a chart are said and in which unit its axis counts.
enum class ValueFormat : std::uint8_t { number, percent, exponent, memory, seconds };

/// One curve of a chart as people see it.
struct CurveSpec {
  CurveSource source;
  QString label;
  int colour = 0;  ///< curve colour
};

/// One chart of the Live page.
struct ChartSpec {
  QString id;  ///< in view state and exports
  QString title;
  QString unit;  ///< said behind the title; empty = none
  ValueFormat format = ValueFormat::number;
  bool stacked = false;
  std::vector<CurveSpec> curves;
  QString empty_text;
};

/// The charts of a run: those whose metrics it reports (no device memory without a device), in the order of the page.
/// `first_evaluation` is the step of the first evaluation; 0 = not known.
[[nodiscard]] std::vector<ChartSpec> live_charts(const Columns* steps, const Columns* evaluations,
                                                 std::int64_t first_evaluation);

/// A value as the legend and the tiles say it; "–" for absent().
[[nodiscard]] QString value_words(ValueFormat format, double value);
/// What one unit of the axis is worth: 0.01 for percent, 2^30 for memory, a thousandth for short steps.
[[nodiscard]] double axis_unit(ValueFormat format, double largest);
/// The unit's name behind the title ("%", "GiB", "ms", "s").
[[nodiscard]] QString axis_unit_words(ValueFormat format, double largest);

}  // namespace disco::ui
