// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/base/error.h"
#include "engine/evaluate/evaluator.h"
#include "engine/run/run_config.h"

namespace disco {

/// The configuration of the run that a model folder lies in (RUN, RUN/checkpoints/step-…).
[[nodiscard]] Result<LoadedConfig> config_of_model(const std::filesystem::path& folder);

/// Judges a model or checkpoint folder by the held-out pictures of `config`. With `grey`, every picture is replaced by
/// flat grey: what is right then was guessed from the texts alone.
[[nodiscard]] Result<EvaluationResult> evaluate_model(const std::filesystem::path& folder, const RunConfig& config,
                                                      bool grey);

}  // namespace disco
