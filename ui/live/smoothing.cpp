// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/smoothing.h"

#include <algorithm>
#include <cmath>

namespace disco::ui {
namespace {

constexpr double largest_span = 1000;
/// Below this the start no longer shows and the division is left out.
constexpr double forgotten = 1e-17;

}  // namespace

double Smoother::push(double value) {
  if (!std::isfinite(value)) return value;
  if (!started_) {
    started_ = true;
    first_ = value;
  }
  constant_ = constant_ && value == first_;
  mean_ = mean_ * weight_ + (1 - weight_) * value;
  if (remaining_ > forgotten) {
    remaining_ *= weight_;
  }
  if (constant_) return value;
  return remaining_ > forgotten ? mean_ / (1 - remaining_) : mean_;
}

void SmoothedColumn::update(const Columns& columns, std::size_t metric, double weight) {
  if (weight != weight_ || columns.generation != generation_ || values_.size() > columns.line.size()) {
    values_.clear();
    smoother_ = Smoother(weight);
    weight_ = weight;
    generation_ = columns.generation;
  }
  if (values_.capacity() < columns.line.size())
    values_.reserve(std::max<std::size_t>(columns.line.size(), values_.capacity() * 2));
  columns.line.for_each_run(axis_columns + metric, values_.size(), columns.line.size(),
                            [&](const double* values, std::size_t count, std::uint64_t) {
                              for (std::size_t i = 0; i < count; ++i)
                                values_.push_back(values ? smoother_.push(values[i]) : absent());
                            });
}

double weight_of_position(double position) { return 1 - std::pow(largest_span, -std::clamp(position, 0.0, 1.0)); }

double position_of_weight(double weight) {
  return -std::log(1 - std::clamp(weight, 0.0, 1 - 1 / largest_span)) / std::log(largest_span);
}

}  // namespace disco::ui
