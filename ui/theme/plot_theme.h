// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/qcustomplot.h"

namespace disco::ui::plot_theme {

/// Gives a plot the look of all plots: ground, hairline grid, base line, tick labels, no ticks, fixed left gutter.
/// Call it once after making axes and again on Theme::changed(); it does not replot.
void apply(QCustomPlot& plot);
/// The same in a given theme, for exports.
void apply(QCustomPlot& plot, bool dark);

}  // namespace disco::ui::plot_theme
