// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/run/run_config.h"

namespace disco {

/// How many steps a budget in minutes is measured over before it becomes a number of steps.
inline constexpr int measured_steps = 20;

/// What things took so far, in seconds; 0 where nothing is known yet.
struct MeasuredCosts {
  double step = 0;
  double evaluation = 0;
  double sample = 0;
  double checkpoint = 0;
};

/// Steps that a budget in steps, samples or epochs comes to, the last one begun counted in; 0 for a budget in minutes.
/// `epoch_steps` is the (fractional) number of steps of one epoch, nothing for an endless source.
[[nodiscard]] std::int64_t steps_of_budget(const BudgetSettings& budget, int batch, std::optional<double> epoch_steps);

/// Further steps that fit into `seconds_left`, with evaluations, looks at the watched pictures and checkpoints as often
/// as the settings say, and one evaluation and checkpoint at the end. Never negative.
[[nodiscard]] std::int64_t steps_that_fit(double seconds_left, const MeasuredCosts& costs, const RunConfig& config);

/// The usual length of a step: the median, which a hiccup does not move.
[[nodiscard]] double usual_seconds(std::vector<double> seconds);

}  // namespace disco
