// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/base/error.h"
#include "engine/run/run_config.h"
#include "models/model.h"

namespace disco {

/// The model that a run begins with: `model.checkpoint` where it is set, else random weights from the seed, for CLIP's
/// own tokenizer from the resources.
[[nodiscard]] Result<std::shared_ptr<models::Model>> starting_model(const RunConfig& config);

}  // namespace disco
