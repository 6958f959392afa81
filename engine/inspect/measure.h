// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "engine/base/error.h"
#include "engine/run/events.h"
#include "engine/run/run_config.h"
#include "engine/run/serve_protocol.h"

namespace disco {

/// What a dry run found: the answer to "measure", and where the time of a usual step went.
struct Measurement {
  MeasureAnswer answer;
  StepSeconds seconds;  ///< means over the measured steps
};

/// Takes `steps` real training steps of a configuration on this process alone, after two that warm up, and writes
/// nothing. `go_on` is asked before each step with the steps done; false ends it with an Error.
[[nodiscard]] Result<Measurement> measure(const RunConfig& config, int steps, const std::function<bool(int)>& go_on);

}  // namespace disco
