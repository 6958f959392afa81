// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/image/resample.h"

#include <algorithm>
#include <cmath>

namespace disco::models {
namespace {

double triangle(double x) {
  x = std::abs(x);
  return x < 1.0 ? 1.0 - x : 0.0;
}

/// Keys' cubic convolution with a = -0.5.
double cubic(double x) {
  constexpr double a = -0.5;
  x = std::abs(x);
  if (x < 1.0) return ((a + 2.0) * x - (a + 3.0)) * x * x + 1;
  if (x < 2.0) return (((x - 5) * x + 8) * x - 4) * a;
  return 0.0;
}

}  // namespace

ResampleWeights resample_weights(int input, int output, OutputRange range, Interpolation interpolation) {
  const bool is_cubic = interpolation == Interpolation::bicubic;
  const double scale = static_cast<double>(input) / output;
  const double stretch = std::max(scale, 1.0);
  const double support = (is_cubic ? 2.0 : 1.0) * stretch;
  ResampleWeights result;
  result.taps = static_cast<int>(std::ceil(support)) * 2 + 1;
  result.taps = std::min(result.taps, input);
  const auto outputs = static_cast<std::size_t>(range.count);
  result.first.resize(outputs);
  result.count.resize(outputs);
  result.weight.resize(outputs * static_cast<std::size_t>(result.taps));
  std::vector<double> row(static_cast<std::size_t>(result.taps));
  for (int i = 0; i < range.count; ++i) {
    const double center = (range.from + i + 0.5) * scale;
    // Truncation after adding a half, not std::round: Pillow's choice at exact halves decides which pixels take part.
    const int first = std::max(static_cast<int>(center - support + 0.5), 0);
    const int last = std::min(static_cast<int>(center + support + 0.5), input);
    double sum = 0;
    for (int x = first; x < last; ++x) {
      const double position = (x - center + 0.5) * (1.0 / stretch);
      const double w = is_cubic ? cubic(position) : triangle(position);
      row[static_cast<std::size_t>(x - first)] = w;
      sum += w;
    }
    const std::size_t base = static_cast<std::size_t>(i) * static_cast<std::size_t>(result.taps);
    for (int t = 0; t < last - first; ++t) {
      const double w = sum != 0.0 ? row[static_cast<std::size_t>(t)] / sum : row[static_cast<std::size_t>(t)];
      const double fixed = w * (1 << kWeightBits);
      result.weight[base + static_cast<std::size_t>(t)] =
          static_cast<std::int32_t>(fixed < 0 ? fixed - 0.5 : fixed + 0.5);
    }
    result.first[static_cast<std::size_t>(i)] = first;
    result.count[static_cast<std::size_t>(i)] = last - first;
  }
  return result;
}

}  // namespace disco::models
