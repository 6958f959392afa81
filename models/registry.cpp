// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/registry.h"

#include <array>

#include "engine/base/files.h"
#include "engine/base/resources.h"
#include "models/clip/clip_model.h"

namespace disco::models {
namespace {

/// A family of models: its model_type in config.json and how a folder of it is opened.
struct Family {
  std::string_view model_type;
  Result<LoadedModel> (*load)(const std::filesystem::path& folder, const Json& config);
};

Result<std::shared_ptr<const Tokenizer>> find_clip_tokenizer(const std::filesystem::path& folder) {
  const bool own = std::filesystem::exists(folder / "vocab.json") && std::filesystem::exists(folder / "merges.txt");
  return load_clip_tokenizer(own ? folder : resource_path("vocabularies/clip"));
}

Result<LoadedModel> load_clip(const std::filesystem::path& folder, const Json& json) {
  DISCO_TRY(const ClipConfig config, clip_config_from_huggingface(json, (folder / "config.json").string()));
  InputContract input{.image = clip_preprocess(config.vision.image_size),
                      .context_length = config.text.context_length,
                      .tokenizer = nullptr};
  const std::filesystem::path preprocess = folder / "preprocessor_config.json";
  if (std::filesystem::exists(preprocess)) {
    DISCO_TRY(input.image, load_preprocess(preprocess));
  }
  if (input.image.size != config.vision.image_size)
    return failure("Pictures would be " + std::to_string(input.image.size) + " pixels wide, the model takes " +
                       std::to_string(config.vision.image_size),
                   preprocess.string(), "Make crop_size and image_size in config.json the same");
  DISCO_TRY(input.tokenizer, find_clip_tokenizer(folder));
  const std::filesystem::path weights = folder / "model.safetensors";
  DISCO_TRY(auto tensors, load_tensors(weights));
  auto model = std::make_shared<ClipModel>(config, std::move(input));
  DISCO_TRY(KeyReport report, model->load_huggingface(std::move(tensors), weights.string()));
  return LoadedModel{.model = std::move(model), .report = std::move(report)};
}

// Every family that can be opened. A new one is added here.
constexpr std::array kFamilies = {Family{"clip", load_clip}};

}  // namespace

Result<std::shared_ptr<Model>> create_model(const ClipConfig& config, std::shared_ptr<const Tokenizer> tokenizer,
                                            std::uint64_t seed, PositionStart positions) {
  DISCO_CHECK(validate(config, "model"));
  if (tokenizer != nullptr &&
      (tokenizer->vocabulary_size() > config.text.vocabulary_size || tokenizer->end_id() != config.text.end_id))
    return failure("The tokenizer has " + std::to_string(tokenizer->vocabulary_size()) + " tokens and ends with " +
                       std::to_string(tokenizer->end_id()) + ", the model has " +
                       std::to_string(config.text.vocabulary_size) + " and ends with " +
                       std::to_string(config.text.end_id),
                   "model", "Use the vocabulary that the model was made for");
  auto model = std::make_shared<ClipModel>(config, InputContract{.image = clip_preprocess(config.vision.image_size),
                                                                 .context_length = config.text.context_length,
                                                                 .tokenizer = std::move(tokenizer)});
  model->initialize(seed, positions);
  return model;
}

Result<LoadedModel> load_model_with_report(const std::filesystem::path& folder) {
  constexpr std::uint64_t kLargestConfig = 1 << 20;
  const std::filesystem::path path = folder / "config.json";
  DISCO_TRY(const std::string text, read_file(path, kLargestConfig));
  DISCO_TRY(const Json config, parse_json(text, path.string()));
  const std::string type = config.is_object() && config.contains("model_type") && config["model_type"].is_string()
                               ? config["model_type"].get<std::string>()
                               : "";
  std::string known;
  for (const Family& family : kFamilies) {
    if (family.model_type == type) return family.load(folder, config);
    known += (known.empty() ? "" : ", ") + std::string(family.model_type);
  }
  return failure("model_type is \"" + type + "\", which is no family that can be opened", path.string(),
                 "Known families: " + known);
}

Result<std::shared_ptr<Model>> load_model(const std::filesystem::path& folder) {
  DISCO_TRY(LoadedModel loaded, load_model_with_report(folder));
  return std::move(loaded.model);
}

}  // namespace disco::models
