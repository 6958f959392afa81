// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <cmath>
#include <cstdint>
#include <span>

namespace disco::ui {

/// Relative luminance of a colour, 0…1 (WCAG 2.2, "relative luminance").
[[nodiscard]] inline double luminance(const QColor& colour) {
  const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

/// Contrast ratio, 1…21 (WCAG 2.2, "contrast ratio").
[[nodiscard]] inline double contrast(const QColor& a, const QColor& b) {
  const double la = luminance(a);
  const double lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

/// `share` of `over` on `under`, both opaque.
[[nodiscard]] inline QColor mixed(const QColor& under, const QColor& over, double share) {
  const auto mix = [share](int u, int o) { return static_cast<int>(std::lround(u + (o - u) * share)); };
  return QColor(mix(under.red(), over.red()), mix(under.green(), over.green()), mix(under.blue(), over.blue()));
}

/// The colour at `position` (0…1, clamped) of evenly spaced 0xRRGGBB stops.
[[nodiscard]] inline QColor ramp(std::span<const std::uint32_t> stops, double position) {
  const double place = std::clamp(position, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const auto lower = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  return mixed(QColor::fromRgb(stops[lower]), QColor::fromRgb(stops[lower + 1]), place - static_cast<double>(lower));
}

}  // namespace disco::ui
