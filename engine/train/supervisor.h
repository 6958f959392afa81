// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
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
  /// Set when another launcher (torchrun) has started one process like us for each rank: ours. Rank 0 alone writes
  /// events and prints; a pause ends the processes, because nobody would be there to start them again.
  std::optional<int> place;
};

/// Runs the ranks of a run whose lock the caller holds for as long as this takes: starts them, prints what they report,
/// waits out pauses (the ranks are gone then, their memory is free), and writes down how a rank died. Returns the state
/// in which the run ended; an Error says why it failed. Call it from the main thread.
[[nodiscard]] Result<RunState> supervise(const RunFolder& run, const RunConfig& config,
                                         const SupervisorOptions& options);

}  // namespace disco
