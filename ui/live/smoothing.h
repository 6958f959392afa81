// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ui/live/columns.h"

namespace disco::ui {

/// Exponential moving average without the bias of its start, as TensorBoard draws it:
///   m_n = w·m_(n−1) + (1 − w)·x_n,  shown m_n / (1 − w^n).
/// Values that are not finite pass through and leave the average alone. While all values are equal they are handed on
/// as they are, so that a constant stays one to the last bit.
class Smoother {
 public:
  explicit Smoother(double weight = 0) : weight_(weight) {}
  double push(double value);

 private:
  double weight_;
  double mean_ = 0;
  double remaining_ = 1;  ///< w^n
  double first_ = 0;
  bool constant_ = true;
  bool started_ = false;
};

/// The smoothed values of one metric over the whole line of a run. Grows with the run; starts anew when rows were cut
/// or the weight is another one.
class SmoothedColumn {
 public:
  void update(const Columns& columns, std::size_t metric, double weight);
  [[nodiscard]] const std::vector<double>& values() const { return values_; }

 private:
  std::vector<double> values_;
  Smoother smoother_;
  double weight_ = -1;
  std::uint64_t generation_ = 0;
};

/// The slider's position (0 … 1) for a weight and back. Even in 1 / (1 − w), the number of steps that count, each
/// factor of ten as long as the next: 1 / (1 − w) = 1000^position, so that 0 is no smoothing and 1 is 0.999.
[[nodiscard]] double weight_of_position(double position);
[[nodiscard]] double position_of_weight(double weight);

}  // namespace disco::ui
