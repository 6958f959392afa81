// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "engine/base/described.h"
#include "engine/base/error.h"
#include "engine/base/json.h"

namespace disco::models {

struct ClipVisionConfig {
  int image_size = 224;  ///< side of the square picture, pixels
  int patch_size = 32;   ///< side of a patch, pixels
  int width = 768;
  int layers = 12;
  int heads = 12;
  int mlp_width = 3072;

  /// Patches and the class token.
  [[nodiscard]] int positions() const { return (image_size / patch_size) * (image_size / patch_size) + 1; }
  friend bool operator==(const ClipVisionConfig&, const ClipVisionConfig&) = default;
};

struct ClipTextConfig {
  int context_length = 77;  ///< longest text, tokens, start and end included
  int vocabulary_size = 49408;
  int width = 512;
  int layers = 12;
  int heads = 8;
  int mlp_width = 2048;
  int end_id = 49407;  ///< the first position that holds this id is where the text is read off

  friend bool operator==(const ClipTextConfig&, const ClipTextConfig&) = default;
};

/// The shape of a CLIP model. The defaults are ViT-B/32.
struct ClipConfig {
  int embed_dim = 512;      ///< length of the shared feature vectors
  bool quick_gelu = false;  ///< x * sigmoid(1.702 x), as OpenAI's weights want it, instead of the exact GELU
  ClipVisionConfig vision;
  ClipTextConfig text;

  friend bool operator==(const ClipConfig&, const ClipConfig&) = default;
};

/// How the vision tower's table of patch positions starts. Part of no checkpoint: it is trained like any weight.
enum class PositionStart { normal, sine };
constexpr auto choices(std::type_identity<PositionStart>) {
  return std::array{Choice{PositionStart::normal, "normal", "Normal", "Small random numbers, as open_clip starts"},
                    Choice{PositionStart::sine, "sine", "Sines",
                           "Waves over rows and columns: left, right and near are told apart"
                           " from the first step, which short runs need"}};
}

constexpr auto describe(std::type_identity<ClipVisionConfig>) {
  using C = ClipVisionConfig;
  return std::tuple{
      field("image_size", &C::image_size,
            {.label = "Picture size",
             .help = "Side of the square that each picture is brought to; more shows finer detail and costs its square",
             .unit = "px",
             .min = 1,
             .max = 4096}),
      field("patch_size", &C::patch_size,
            {.label = "Patch size",
             .help = "Side of the squares that a picture is cut into, one token each; half of it makes four times the "
                     "tokens",
             .unit = "px",
             .min = 1,
             .max = 4096}),
      field("width", &C::width,
            {.label = "Picture token width", .help = "Numbers in the token of a patch", .min = 1, .max = 16384}),
      field("layers", &C::layers,
            {.label = "Picture layers", .help = "Transformer blocks that a picture passes", .min = 1, .max = 256}),
      field("heads", &C::heads,
            {.label = "Picture attention heads",
             .help = "Ways in which patches look at each other; must divide the picture token width",
             .min = 1,
             .max = 256}),
      field("mlp_width", &C::mlp_width,
            {.label = "Picture MLP width",
             .help = "Numbers between the two linear layers of a block; usually 4 times the picture token width",
             .min = 1,
             .max = 65536})};
}
DISCO_DESCRIBED(ClipVisionConfig);

constexpr auto describe(std::type_identity<ClipTextConfig>) {
  using C = ClipTextConfig;
  return std::tuple{
      field("context_length", &C::context_length,
            {.label = "Longest text",
             .help = "Start and end included; what is longer is cut",
             .unit = "tokens",
             .min = 2,
             .max = 8192}),
      field("vocabulary_size", &C::vocabulary_size,
            {.label = "Vocabulary",
             .help = "Different tokens; 49408 is that of CLIP's own tokenizer",
             .unit = "tokens",
             .min = 3,
             .max = 4e6}),
      field("width", &C::width,
            {.label = "Text token width", .help = "Numbers in the token of a piece of text", .min = 1, .max = 16384}),
      field("layers", &C::layers,
            {.label = "Text layers", .help = "Transformer blocks that a text passes", .min = 1, .max = 256}),
      field("heads", &C::heads,
            {.label = "Text attention heads",
             .help = "Ways in which tokens look at those before them; must divide the text token width",
             .min = 1,
             .max = 256}),
      field("mlp_width", &C::mlp_width,
            {.label = "Text MLP width",
             .help = "Numbers between the two linear layers of a block; usually 4 times the text token width",
             .min = 1,
             .max = 65536}),
      field("end_id", &C::end_id,
            {.label = "End token",
             .help = "The feature of a text is read off at the first position with this id",
             .min = 0,
             .max = 4e6})};
}
DISCO_DESCRIBED(ClipTextConfig);

constexpr auto describe(std::type_identity<ClipConfig>) {
  return std::tuple{
      field("embed_dim", &ClipConfig::embed_dim,
            {.label = "Feature length",
             .help = "Numbers in the feature vectors by which pictures and texts are compared",
             .min = 1,
             .max = 65536}),
      field("quick_gelu", &ClipConfig::quick_gelu,
            {.label = "Quick GELU", .help = "As OpenAI's weights want it, instead of the exact GELU"}),
      field("vision", &ClipConfig::vision, {.label = "Vision tower", .help = "The network that sees pictures"}),
      field("text", &ClipConfig::text, {.label = "Text tower", .help = "The network that reads texts"})};
}
DISCO_DESCRIBED(ClipConfig);

/// A named shape that a person can choose.
struct Architecture {
  std::string_view id;     ///< stable, written into configurations
  std::string_view label;  ///< as shown
  std::string_view help;   ///< one sentence
  ClipConfig config;
};

/// All named shapes, smallest first.
[[nodiscard]] std::span<const Architecture> architectures();

/// The named shape, or null.
[[nodiscard]] const Architecture* find_architecture(std::string_view id);

/// Numbers of parameters by part, in closed form.
struct ParameterCounts {
  std::int64_t image = 0;        ///< vision tower with its projection
  std::int64_t text = 0;         ///< text tower with its projection, without the token table
  std::int64_t token_table = 0;  ///< vocabulary x width
  std::int64_t shared = 0;       ///< the logit scale
  [[nodiscard]] std::int64_t total() const { return image + text + token_table + shared; }
};
[[nodiscard]] ParameterCounts count_parameters(const ClipConfig& config);

/// Names what is impossible about a shape (heads that do not divide the width, a patch larger than the picture …).
[[nodiscard]] Result<void> validate(const ClipConfig& config, const std::string& where);

/// transformers' config.json of a CLIPModel; unknown keys are ignored, missing ones have transformers' defaults.
[[nodiscard]] Result<ClipConfig> clip_config_from_huggingface(const Json& json, const std::string& where);
[[nodiscard]] Json clip_config_to_huggingface(const ClipConfig& config);

}  // namespace disco::models
