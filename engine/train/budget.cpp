// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/budget.h"

#include <algorithm>
#include <cmath>

namespace disco {

std::int64_t steps_of_budget(const BudgetSettings& budget, int batch, std::optional<double> epoch_steps) {
  if (budget.steps > 0) return budget.steps;
  if (budget.samples > 0) return (budget.samples + batch - 1) / batch;
  if (budget.epochs > 0 && epoch_steps)
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(budget.epochs * *epoch_steps - 1e-9)));
  return 0;
}

std::int64_t steps_that_fit(double seconds_left, const MeasuredCosts& costs, const RunConfig& config) {
  const auto each = [](double seconds, std::int64_t every) { return seconds / static_cast<double>(every); };
  const double per_step = costs.step + each(costs.evaluation, config.evaluate.every_steps) +
                          each(costs.sample, config.sample.every_steps) +
                          each(costs.checkpoint, config.checkpoint.every_steps);
  const double left = seconds_left - costs.evaluation - costs.sample - costs.checkpoint;
  if (left <= 0 || per_step <= 0) return 0;
  return static_cast<std::int64_t>(left / per_step);
}

double usual_seconds(std::vector<double> seconds) {
  if (seconds.empty()) return 0;
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

}  // namespace disco
