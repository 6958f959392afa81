// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/described.h"
#include "engine/run/run_config.h"

namespace disco {

/// What a run will need, by part, in bytes; before a dry run has measured it.
struct Forecast {
  std::int64_t weights = 0;
  std::int64_t gradients = 0;
  std::int64_t optimizer = 0;
  std::int64_t activations = 0;
  std::int64_t loss = 0;
  std::int64_t program = 0;  ///< libraries, loader queue, vocabulary
  std::int64_t total = 0;
  std::int64_t available = 0;  ///< memory free on this computer now
  double flops_per_step = 0;   ///< forward and backward
};
constexpr auto describe(std::type_identity<Forecast>) {
  using C = Forecast;
  return std::tuple{field("weights", &C::weights),
                    field("gradients", &C::gradients),
                    field("optimizer", &C::optimizer),
                    field("activations", &C::activations),
                    field("loss", &C::loss),
                    field("program", &C::program),
                    field("total", &C::total),
                    field("available", &C::available),
                    field("flops_per_step", &C::flops_per_step)};
}
DISCO_DESCRIBED(Forecast);

/// Counts parameters in closed form and activations by layer. Exact in weights, gradients and moments; the rest is an
/// estimate (stated accuracy: see the test that compares it with measured runs).
[[nodiscard]] Forecast forecast(const RunConfig& config);

/// The largest power of two not above the present batch whose forecast fits into `bytes`, if any.
[[nodiscard]] std::optional<int> largest_batch_that_fits(RunConfig config, std::int64_t bytes);

}  // namespace disco
