// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>

#include "engine/base/vector_clones.h"

namespace disco::models {

/// e^x within 2 units in the last place, for x up to 88; below -87 it is 0 or next to it; NaN stays NaN. Branch-free,
/// so that loops over it become vector code.
DISCO_INLINE float fast_exp(float x) {
  constexpr float kShift = 12582912.0F;  // 1.5 * 2^23: adding it rounds to a whole number
  const float limited = x < -87.0F ? -87.0F : x;
  const float whole = (limited * 1.44269504F + kShift) - kShift;
  const float rest = (limited - whole * 0.693359375F) - whole * -2.12194440e-4F;
  float series = 1.9875691500e-4F;
  series = series * rest + 1.3981999507e-3F;
  series = series * rest + 8.3334519073e-3F;
  series = series * rest + 4.1665795894e-2F;
  series = series * rest + 1.6666665459e-1F;
  series = series * rest + 5.0000001201e-1F;
  series = series * rest * rest + rest + 1.0F;
  // Adding to the exponent multiplies by a power of two; a NaN keeps being one, since it comes through `series`.
  const auto power = static_cast<std::int32_t>(whole != whole ? 0.0F : whole) + 127;
  return series * std::bit_cast<float>(power << 23);
}

/// The share of the normal distribution below x, and its density there, from one exponential.
struct Normal {
  float cumulative;
  float density;
};
DISCO_INLINE Normal normal_distribution(float x) {
  const float size = x < 0.0F ? -x : x;
  const float bell = fast_exp(-0.5F * x * x);
  const float t = 1.0F / (1.0F + 0.3275911F * 0.70710678F * size);
  float series = 1.061405429F;
  series = series * t - 1.453152027F;
  series = series * t + 1.421413741F;
  series = series * t - 0.284496736F;
  series = series * t + 0.254829592F;
  const float tail = 0.5F * series * t * bell;  // the share above |x|
  return {.cumulative = x < 0.0F ? tail : 1.0F - tail, .density = 0.39894228F * bell};
}

}  // namespace disco::models
