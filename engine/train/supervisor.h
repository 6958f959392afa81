// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/run/events.h"
#include "engine/run/run_config.h"
#include "engine/run/run_folder.h"

namespace disco {

struct SupervisorOptions {
  std::string program;                 ///< path of this binary, started again for each rank
  std::vector<std::string> overrides;  ///< path=value of a resume
  bool resume = false;
  bool quiet = false;  ///< no lines on stdout
};

/// Runs the ranks of a run whose lock the caller holds for as long as this takes: starts them, prints what they report,
/// waits out pauses (the ranks are gone then, their memory is free), and writes down how a rank died. Returns the state
/// in which the run ended; an Error says why it failed. Call it from the main thread.
[[nodiscard]] Result<RunState> supervise(const RunFolder& run, const RunConfig& config,
                                         const SupervisorOptions& options);

}  // namespace disco
