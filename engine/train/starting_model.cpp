// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/starting_model.h"

#include <utility>

#include "engine/base/resources.h"
#include "models/registry.h"

namespace disco {

Result<std::shared_ptr<models::Model>> starting_model(const RunConfig& config) {
  const ModelSettings& model = config.model;
  if (!model.checkpoint.empty()) return models::load_model(model.checkpoint);
  DISCO_TRY(auto tokenizer, models::load_clip_tokenizer(resource_path("vocabularies/clip")));
  return models::create_model(model.clip, std::move(tokenizer), config.seed, model.positions);
}

}  // namespace disco
