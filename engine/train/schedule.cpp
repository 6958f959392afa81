// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace disco {

double learning_rate_share(const ScheduleSettings& schedule, std::int64_t step, std::int64_t total) {
  const std::int64_t warmup = total > 0 ? std::min(schedule.warmup_steps, total) : schedule.warmup_steps;
  if (step < warmup) return static_cast<double>(step + 1) / static_cast<double>(warmup);
  if (total <= 0 || schedule.decay == Decay::constant) return 1;
  const double length = static_cast<double>(std::max<std::int64_t>(1, total - warmup));
  const double u = std::min(1.0, static_cast<double>(step - warmup) / length);
  const double left = schedule.decay == Decay::linear ? 1 - u : (1 + std::cos(std::numbers::pi * u)) / 2;
  return schedule.final_share + (1 - schedule.final_share) * left;
}

}  // namespace disco
