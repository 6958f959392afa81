// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace disco::ui {

/// Kinds of sight that the curve colours are made for.
enum class Sight { normal, deuteranope, protanope, tritanope };

/// Linear RGB of an 0xRRGGBB colour as it is seen: Machado, Oliveira, Fernandes 2009, severity 1.
[[nodiscard]] std::array<double, 3> seen(std::uint32_t colour, Sight sight);

/// CIE L*a*b* (D65) of linear RGB.
[[nodiscard]] std::array<double, 3> lab_of(const std::array<double, 3>& linear);

/// CIEDE2000 colour difference (Sharma, Wu, Dalal 2005).
[[nodiscard]] double ciede2000(const std::array<double, 3>& a, const std::array<double, 3>& b);

}  // namespace disco::ui
