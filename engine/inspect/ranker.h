// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/run/serve_protocol.h"
#include "models/model.h"

namespace disco {

/// One model folder, held to be asked.
class Ranker {
 public:
  /// Opens a model or checkpoint folder, or a run's newest checkpoint.
  [[nodiscard]] static Result<Ranker> load(const std::filesystem::path& folder);

  [[nodiscard]] const LoadAnswer& about() const { return about_; }
  [[nodiscard]] models::Model& model() { return *model_; }
  /// How well each caption fits the picture. The view is written to `view_path`, where one is given.
  [[nodiscard]] Result<RankAnswer> rank(const std::filesystem::path& picture, const std::vector<std::string>& captions,
                                        const std::filesystem::path& view_path);

 private:
  std::shared_ptr<models::Model> model_;
  LoadAnswer about_;
};

/// The folder of the model that `folder` means: itself, or checkpoints/latest of a run.
[[nodiscard]] Result<std::filesystem::path> model_folder(const std::filesystem::path& folder);

}  // namespace disco
