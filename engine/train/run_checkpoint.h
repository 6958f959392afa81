// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "engine/base/error.h"
#include "engine/run/run_folder.h"
#include "engine/train/optimizer.h"
#include "engine/train/trainer_state.h"
#include "models/model.h"

namespace disco {

/// Writes model, moments and trainer state of one step as a checkpoint and points `latest` at it. Weights that are not
/// finite are refused: they would push out a good checkpoint. Returns the bytes written.
[[nodiscard]] Result<std::int64_t> save_run_checkpoint(const RunFolder& run, models::Model& model,
                                                       const AdamW& optimizer, const TrainerState& state,
                                                       const std::map<std::string, double>& metrics);

/// A checkpoint chosen to go on from.
struct ResumePoint {
  std::filesystem::path folder;
  std::int64_t step = 0;
  std::map<std::string, double> metrics;
  std::vector<std::string> damaged;  ///< later checkpoints that were passed over, with what is wrong with them
};

/// The last checkpoint whose files match its manifest; nothing when the run has none. Damaged ones are passed over and
/// told. An Error when there are checkpoints and all are damaged.
[[nodiscard]] Result<std::optional<ResumePoint>> find_resume_point(const RunFolder& run);

/// Reads trainer.json of a checkpoint.
[[nodiscard]] Result<TrainerState> load_trainer_state(const std::filesystem::path& folder);

/// Reads the moments of a checkpoint into an optimizer of the same model.
[[nodiscard]] Result<void> load_optimizer(const std::filesystem::path& folder, AdamW& optimizer);

}  // namespace disco
