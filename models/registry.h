// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "engine/base/error.h"
#include "models/checkpoint/key_report.h"
#include "models/clip/clip_config.h"
#include "models/model.h"

namespace disco::models {

/// A model with random weights that depend only on the arguments.
[[nodiscard]] Result<std::shared_ptr<Model>> create_model(const ClipConfig& config,
                                                          std::shared_ptr<const Tokenizer> tokenizer,
                                                          std::uint64_t seed,
                                                          PositionStart positions = PositionStart::normal);

/// A model and how the file's tensors found their places.
struct LoadedModel {
  std::shared_ptr<Model> model;
  KeyReport report;
};

/// Opens a folder as Model::save or transformers' save_pretrained writes it; the family is told by config.json. Where
/// the folder has no tokenizer of its own, CLIP's from the resources is used.
[[nodiscard]] Result<LoadedModel> load_model_with_report(const std::filesystem::path& folder);
[[nodiscard]] Result<std::shared_ptr<Model>> load_model(const std::filesystem::path& folder);

}  // namespace disco::models
