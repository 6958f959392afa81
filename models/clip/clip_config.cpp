// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/clip/clip_config.h"

#include <algorithm>
#include <array>

namespace disco::models {
namespace {

constexpr ClipVisionConfig kBaseVision{
    .image_size = 224, .patch_size = 32, .width = 768, .layers = 12, .heads = 12, .mlp_width = 3072};
constexpr ClipTextConfig kBaseText{.context_length = 77,
                                   .vocabulary_size = 49408,
                                   .width = 512,
                                   .layers = 12,
                                   .heads = 8,
                                   .mlp_width = 2048,
                                   .end_id = 49407};

constexpr ClipConfig tiny() {
  ClipConfig config;
  config.embed_dim = 128;
  config.vision = {.image_size = 96, .patch_size = 16, .width = 192, .layers = 4, .heads = 3, .mlp_width = 768};
  config.text = kBaseText;
  config.text.context_length = 32;
  config.text.width = 128;
  config.text.layers = 2;
  config.text.heads = 2;
  config.text.mlp_width = 512;
  return config;
}

constexpr ClipConfig small() {
  ClipConfig config;
  config.embed_dim = 256;
  config.vision = {.image_size = 128, .patch_size = 16, .width = 384, .layers = 8, .heads = 6, .mlp_width = 1536};
  config.text = kBaseText;
  config.text.context_length = 48;
  config.text.width = 256;
  config.text.layers = 6;
  config.text.heads = 4;
  config.text.mlp_width = 1024;
  return config;
}

constexpr ClipConfig base(int patch_size) {
  ClipConfig config{.embed_dim = 512, .quick_gelu = false, .vision = kBaseVision, .text = kBaseText};
  config.vision.patch_size = patch_size;
  return config;
}

constexpr ClipConfig large() {
  ClipConfig config{.embed_dim = 768, .quick_gelu = false, .vision = kBaseVision, .text = kBaseText};
  config.vision.patch_size = 14;
  config.vision.width = 1024;
  config.vision.layers = 24;
  config.vision.heads = 16;
  config.vision.mlp_width = 4096;
  config.text.width = 768;
  config.text.heads = 12;
  config.text.mlp_width = 3072;
  return config;
}

constexpr std::array kArchitectures = {
    Architecture{"clip-tiny", "CLIP tiny", "96-pixel pictures; learns on two processor cores within minutes", tiny()},
    Architecture{"clip-small", "CLIP small", "128-pixel pictures; for a few more cores or a small GPU", small()},
    Architecture{"clip-vit-b-32", "CLIP ViT-B/32", "The size of OpenAI's smallest; 151 million parameters", base(32)},
    Architecture{"clip-vit-b-16", "CLIP ViT-B/16", "Smaller patches, three times the work of B/32", base(16)},
    Architecture{"clip-vit-l-14", "CLIP ViT-L/14", "428 million parameters; for large GPUs", large()},
};

/// Weights and biases of one transformer block.
constexpr std::int64_t block_parameters(std::int64_t width, std::int64_t mlp_width) {
  const std::int64_t norms = 4 * width;
  const std::int64_t attention = 4 * width * width + 4 * width;
  return norms + attention + 2 * width * mlp_width + mlp_width + width;
}

template <class Tower>
Result<void> validate_tower(const Tower& tower, const std::string& name, const std::string& where) {
  if (tower.width < 1 || tower.layers < 1 || tower.heads < 1 || tower.mlp_width < 1)
    return failure("The " + name + " tower needs a width, layers, heads and an MLP width of at least 1", where);
  if (tower.width % tower.heads != 0)
    return failure("The width of the " + name + " tower (" + std::to_string(tower.width) +
                       ") is no multiple of its attention heads (" + std::to_string(tower.heads) + ")",
                   where, "Choose a number of heads that divides the width");
  return {};
}

/// Members of a Hugging Face configuration, read one by one; the first that is wrong is kept.
class ConfigReader {
 public:
  ConfigReader(const Json& json, std::string where) : json_(json), where_(std::move(where)) {}

  int whole(const char* key, int fallback, int largest) {
    const auto found = json_.find(key);
    if (found == json_.end() || found->is_null()) return fallback;
    if (found->is_number_integer()) {
      const auto value = found->get<std::int64_t>();
      if (value >= 0 && value <= largest) return static_cast<int>(value);
    }
    refuse(std::string(key) + " must be a whole number from 0 to " + std::to_string(largest) + ", is " + found->dump());
    return fallback;
  }

  /// True for quick_gelu, false for the exact gelu.
  bool quick_gelu() {
    const std::string name = json_.contains("hidden_act") && json_["hidden_act"].is_string()
                                 ? json_["hidden_act"].get<std::string>()
                                 : "quick_gelu";
    if (name != "gelu" && name != "quick_gelu") refuse("hidden_act must be gelu or quick_gelu, is " + name);
    return name == "quick_gelu";
  }

  void check_epsilon() {
    const auto found = json_.find("layer_norm_eps");
    if (found != json_.end() && found->is_number() && found->get<double>() != 1e-5)
      refuse("layer_norm_eps must be 1e-5, is " + found->dump());
  }

  [[nodiscard]] Result<void> result() const {
    if (problem_.empty()) return {};
    return failure(problem_, where_);
  }

 private:
  void refuse(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }
  const Json& json_;
  std::string where_;
  std::string problem_;
};

constexpr int kLargestWidth = 1 << 16;
constexpr int kLargestSide = 4096;
constexpr int kMostLayers = 256;
constexpr int kMostTokens = 4'000'000;

/// One half of the configuration; files of 2021 repeat it under the name with _dict, which then counts.
Json sub_config(const Json& json, const std::string& name) {
  Json config = Json::object();
  for (const std::string& key : {name, name + "_dict"})
    if (const auto found = json.find(key); found != json.end() && found->is_object()) config.update(*found);
  return config;
}

Result<ClipVisionConfig> read_vision(const Json& json, const std::string& where, bool& quick_gelu) {
  ConfigReader reader(json, where);
  ClipVisionConfig vision;
  vision.image_size = reader.whole("image_size", 224, kLargestSide);
  vision.patch_size = reader.whole("patch_size", 32, kLargestSide);
  vision.width = reader.whole("hidden_size", 768, kLargestWidth);
  vision.layers = reader.whole("num_hidden_layers", 12, kMostLayers);
  vision.heads = reader.whole("num_attention_heads", 12, kLargestWidth);
  vision.mlp_width = reader.whole("intermediate_size", 3072, kLargestWidth);
  if (reader.whole("num_channels", 3, kLargestWidth) != 3) return failure("num_channels must be 3", where);
  quick_gelu = reader.quick_gelu();
  reader.check_epsilon();
  DISCO_CHECK(reader.result());
  return vision;
}

Result<ClipTextConfig> read_text(const Json& json, const std::string& where, bool& quick_gelu) {
  ConfigReader reader(json, where);
  ClipTextConfig text;
  text.context_length = reader.whole("max_position_embeddings", 77, kLargestWidth);
  text.vocabulary_size = reader.whole("vocab_size", 49408, kMostTokens);
  text.width = reader.whole("hidden_size", 512, kLargestWidth);
  text.layers = reader.whole("num_hidden_layers", 12, kMostLayers);
  text.heads = reader.whole("num_attention_heads", 8, kLargestWidth);
  text.mlp_width = reader.whole("intermediate_size", 2048, kLargestWidth);
  text.end_id = reader.whole("eos_token_id", 49407, kMostTokens);
  // Old files say 2 and mean the largest id, which is the end token of CLIP's vocabulary.
  constexpr int kOldEnd = 2;
  if (text.end_id == kOldEnd) text.end_id = std::min(49407, text.vocabulary_size - 1);
  quick_gelu = reader.quick_gelu();
  reader.check_epsilon();
  DISCO_CHECK(reader.result());
  return text;
}

}  // namespace

std::span<const Architecture> architectures() { return kArchitectures; }

const Architecture* find_architecture(std::string_view id) {
  const auto found =
      std::find_if(kArchitectures.begin(), kArchitectures.end(), [&](const Architecture& a) { return a.id == id; });
  return found == kArchitectures.end() ? nullptr : &*found;
}

ParameterCounts count_parameters(const ClipConfig& config) {
  const auto& vision = config.vision;
  const auto& text = config.text;
  const std::int64_t embed = config.embed_dim;
  const std::int64_t image_width = vision.width;
  const std::int64_t text_width = text.width;
  ParameterCounts counts;
  counts.image = 3LL * vision.patch_size * vision.patch_size * image_width + image_width +
                 vision.positions() * image_width + 4 * image_width +
                 vision.layers * block_parameters(image_width, vision.mlp_width) + image_width * embed;
  counts.text = text.context_length * text_width + text.layers * block_parameters(text_width, text.mlp_width) +
                2 * text_width + text_width * embed;
  counts.token_table = static_cast<std::int64_t>(text.vocabulary_size) * text_width;
  counts.shared = 1;
  return counts;
}

Result<void> validate(const ClipConfig& config, const std::string& where) {
  DISCO_CHECK(validate_tower(config.vision, "vision", where));
  DISCO_CHECK(validate_tower(config.text, "text", where));
  if (config.embed_dim < 1) return failure("The feature length must be at least 1", where);
  const ClipVisionConfig& vision = config.vision;
  if (vision.patch_size < 1 || vision.image_size < vision.patch_size)
    return failure("The patch size (" + std::to_string(vision.patch_size) + ") must be from 1 to the picture size (" +
                       std::to_string(vision.image_size) + ")",
                   where);
  const ClipTextConfig& text = config.text;
  if (text.context_length < 2) return failure("The longest text must have at least 2 tokens", where);
  if (text.end_id < 0 || text.end_id >= text.vocabulary_size)
    return failure("The end token (" + std::to_string(text.end_id) + ") is not one of the " +
                       std::to_string(text.vocabulary_size) + " tokens of the vocabulary",
                   where);
  constexpr std::int64_t kMostParameters = 100'000'000'000;
  if (count_parameters(config).total() > kMostParameters)
    return failure("The model would have more than 100 billion parameters", where);
  return {};
}

Result<ClipConfig> clip_config_from_huggingface(const Json& json, const std::string& where) {
  if (!json.is_object() || json.value("model_type", Json()) != "clip")
    return failure("model_type must be \"clip\"", where, "Choose a folder with a CLIP model");
  ClipConfig config;
  bool text_gelu = false;
  DISCO_TRY(config.vision,
            read_vision(sub_config(json, "vision_config"), where + " (vision_config)", config.quick_gelu));
  DISCO_TRY(config.text, read_text(sub_config(json, "text_config"), where + " (text_config)", text_gelu));
  if (text_gelu != config.quick_gelu)
    return failure("hidden_act differs between text_config and vision_config, which is not supported", where);
  ConfigReader reader(json, where);
  config.embed_dim = reader.whole("projection_dim", 512, kLargestWidth);
  DISCO_CHECK(reader.result());
  DISCO_CHECK(validate(config, where));
  return config;
}

Json clip_config_to_huggingface(const ClipConfig& config) {
  const char* activation = config.quick_gelu ? "quick_gelu" : "gelu";
  const auto tower = [&](const char* type, const auto& shape) {
    return Json{{"model_type", type},
                {"hidden_size", shape.width},
                {"intermediate_size", shape.mlp_width},
                {"num_hidden_layers", shape.layers},
                {"num_attention_heads", shape.heads},
                {"projection_dim", config.embed_dim},
                {"hidden_act", activation},
                {"layer_norm_eps", 1e-5},
                {"attention_dropout", 0.0}};
  };
  Json vision = tower("clip_vision_model", config.vision);
  vision["num_channels"] = 3;
  vision["image_size"] = config.vision.image_size;
  vision["patch_size"] = config.vision.patch_size;
  Json text = tower("clip_text_model", config.text);
  text["vocab_size"] = config.text.vocabulary_size;
  text["max_position_embeddings"] = config.text.context_length;
  text["bos_token_id"] = config.text.end_id - 1;
  text["eos_token_id"] = config.text.end_id;
  text["pad_token_id"] = config.text.end_id;
  return {{"architectures", {"CLIPModel"}},   {"model_type", "clip"}, {"projection_dim", config.embed_dim},
          {"logit_scale_init_value", 2.6592}, {"dtype", "float32"},   {"text_config", text},
          {"vision_config", vision}};
}

}  // namespace disco::models
