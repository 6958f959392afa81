// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/run/run_config.h"
#include "engine/run/run_folder.h"

namespace disco {

struct RankOptions {
  bool resume = false;
  std::vector<std::string> overrides;  ///< path=value of a resume
};

/// One rank of a run, from reading its configuration to its end; its place in the world comes from the environment.
/// Returns the exit code of the process: 0 when the run ended as it should, 1 when it failed (rank 0 has told it in an
/// event), 4 when another rank was lost (its supervisor knows more). What went wrong is on stderr.
[[nodiscard]] int run_rank(const RunFolder& run, const RankOptions& options);

/// The configuration of a run with the overrides of a resume on top. Settings that would make it another model or other
/// data are refused.
[[nodiscard]] Result<LoadedConfig> config_with_overrides(const RunFolder& run,
                                                         const std::vector<std::string>& overrides);

/// Fills in what "0 chooses" means on this computer (compute threads, loader threads), so that config.json says it.
void resolve_threads(RunConfig& config);

}  // namespace disco
