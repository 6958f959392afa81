// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/plot_group.h"

#include <algorithm>
#include <cmath>

namespace disco::ui {

void PlotGroup::set_axis(XAxis axis) {
  if (axis == axis_) return;
  axis_ = axis;
  held_ = false;  // a range in steps means nothing in seconds
  cursor_.reset();
  pinned_ = false;
  Q_EMIT axis_changed();
}

void PlotGroup::set_weight(double weight) {
  if (weight == weight_) return;
  weight_ = weight;
  Q_EMIT weight_changed();
}

void PlotGroup::set_whole(Span whole) { whole_ = whole; }

void PlotGroup::hold(double low, double high) {
  if (!std::isfinite(low) || !std::isfinite(high) || !(low < high)) return;
  // Never narrower than doubles can tell apart, never wider than three times the run.
  const double middle = (low + high) / 2;
  const double least = std::max(std::abs(middle), 1.0) * 1e-9;
  const double most = 3 * (whole_.high - whole_.low);
  const double half = std::clamp(high - low, least, std::max(least, most)) / 2;
  range_ = {middle - half, middle + half};
  held_ = true;
  Q_EMIT range_chosen();
}

void PlotGroup::follow() {
  held_ = false;
  Q_EMIT range_chosen();
}

void PlotGroup::set_cursor(std::optional<double> x, bool force) {
  if ((pinned_ && !force) || x == cursor_) return;
  cursor_ = x;
  Q_EMIT cursor_moved();
}

void PlotGroup::set_pinned(bool pinned) {
  if (pinned == pinned_) return;
  pinned_ = pinned;
  if (!pinned) cursor_.reset();
  Q_EMIT cursor_moved();
}

}  // namespace disco::ui
