// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/described.h"

namespace disco {

/// Content of a checkpoint's trainer.json: with weights and moments all that a run needs to go on exactly. Data order,
/// augmentation and every other random number are drawn by (seed, step or sample, purpose), so a position is enough.
struct TrainerState {
  int schema_version = 1;
  std::int64_t step = 0;           ///< steps taken, skipped ones included: the position in the data
  std::int64_t applied_steps = 0;  ///< steps that changed the weights: the position in the schedule
  std::int64_t samples = 0;
  std::int64_t total_steps = 0;    ///< of the budget; 0 = a budget in minutes that is not measured yet
  std::int64_t skipped_steps = 0;  ///< gradients that were not finite
  std::int64_t skipped_in_a_row = 0;
  double trained_seconds = 0;  ///< spent in this run so far, pauses left out
  std::uint64_t seed = 0;
  std::string data_fingerprint;
  std::string best_metric;
  std::optional<double> best_value;
  std::int64_t best_step = 0;
};
constexpr auto describe(std::type_identity<TrainerState>) {
  using C = TrainerState;
  return std::tuple{field("schema_version", &C::schema_version),
                    field("step", &C::step),
                    field("applied_steps", &C::applied_steps),
                    field("samples", &C::samples),
                    field("total_steps", &C::total_steps),
                    field("skipped_steps", &C::skipped_steps),
                    field("skipped_in_a_row", &C::skipped_in_a_row),
                    field("trained_seconds", &C::trained_seconds),
                    field("seed", &C::seed),
                    field("data_fingerprint", &C::data_fingerprint),
                    field("best_metric", &C::best_metric),
                    field("best_value", &C::best_value),
                    field("best_step", &C::best_step)};
}
DISCO_DESCRIBED(TrainerState);

}  // namespace disco
