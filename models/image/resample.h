// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "models/image/preprocess.h"

namespace disco::models {

/// Bits behind the point of a filter weight: 8-bit values times weights, with the overshoot of the cubic, fit 32 bits.
inline constexpr int kWeightBits = 22;

/// The weights that one axis is resampled with: output i is the sum over t < taps of
/// weight[i * taps + t] * input[first[i] + t], in units of 2^-kWeightBits. Weights behind an output's own support are
/// 0.
struct ResampleWeights {
  int taps = 0;
  std::vector<int> first;
  std::vector<int> count;  ///< taps that output i really has; first + count <= length of the input
  std::vector<std::int32_t> weight;
};

/// The outputs of one axis that are wanted: from, from + 1, … from + count - 1.
struct OutputRange {
  int from = 0;
  int count = 0;
};

/// Weights for the wanted outputs of resampling input -> output pixels (both > 0): the filter is stretched by
/// input / output when shrinking, sampled at pixel centres, cut at the edges, normalised and rounded as Pillow does.
[[nodiscard]] ResampleWeights resample_weights(int input, int output, OutputRange range, Interpolation interpolation);

}  // namespace disco::models
