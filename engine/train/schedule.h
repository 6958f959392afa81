// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/run/run_config.h"

namespace disco {

/// The share of the highest learning rate for one step, in [0, 1].
///
/// `step` counts applied steps from 0. Warm-up rises evenly and reaches 1 with its last step; it is never longer than
/// the run. Behind it, with u = (step - warmup) / (total - warmup): cosine (1 + cos(pi u)) / 2, linear 1 - u,
/// constant 1, each scaled so that u = 1 leaves `final_share`. A `total` of 0 is not known yet (a budget in minutes
/// that is still being measured): nothing decays. When a resume changes the total, the curve is that of the new total.
[[nodiscard]] double learning_rate_share(const ScheduleSettings& schedule, std::int64_t step, std::int64_t total);

}  // namespace disco
