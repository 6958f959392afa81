// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/described.h"
#include "models/clip/clip_config.h"

namespace disco::models {

constexpr auto describe(std::type_identity<ClipVisionConfig>) {
  using C = ClipVisionConfig;
  constexpr auto advanced = Level::advanced;
  return std::tuple{
      field("image_size", &C::image_size,
            {.label = "Picture size",
             .help = "Side of the square picture the model sees",
             .unit = "pixels",
             .min = 8,
             .max = 2048,
             .level = advanced}),
      field("patch_size", &C::patch_size,
            {.label = "Patch size",
             .help = "Side of the squares a picture is cut into; must divide the picture size",
             .unit = "pixels",
             .min = 1,
             .max = 256,
             .level = advanced}),
      field("width", &C::width,
            {.label = "Image width",
             .help = "Length of the vectors inside the image tower",
             .min = 8,
             .max = 8192,
             .level = advanced}),
      field("layers", &C::layers,
            {.label = "Image layers", .help = "Blocks of the image tower", .min = 1, .max = 128, .level = advanced}),
      field("heads", &C::heads,
            {.label = "Image heads",
             .help = "Attention heads; must divide the width",
             .min = 1,
             .max = 128,
             .level = advanced}),
      field("mlp_width", &C::mlp_width,
            {.label = "Image MLP width",
             .help = "Inner width of each block; four times the width is usual",
             .min = 8,
             .max = 65536,
             .level = advanced})};
}

constexpr auto describe(std::type_identity<ClipTextConfig>) {
  using C = ClipTextConfig;
  constexpr auto advanced = Level::advanced;
  return std::tuple{
      field("context_length", &C::context_length,
            {.label = "Longest caption",
             .help = "Captions are cut after this many tokens, start and end included",
             .unit = "tokens",
             .min = 3,
             .max = 4096,
             .level = advanced}),
      field("vocabulary_size", &C::vocabulary_size,
            {.label = "Vocabulary",
             .help = "Rows of the token table; CLIP's vocabulary has 49,408",
             .unit = "tokens",
             .min = 2,
             .max = 1000000,
             .level = advanced}),
      field("width", &C::width,
            {.label = "Text width",
             .help = "Length of the vectors inside the text tower",
             .min = 8,
             .max = 8192,
             .level = advanced}),
      field("layers", &C::layers,
            {.label = "Text layers", .help = "Blocks of the text tower", .min = 1, .max = 128, .level = advanced}),
      field("heads", &C::heads,
            {.label = "Text heads",
             .help = "Attention heads; must divide the width",
             .min = 1,
             .max = 128,
             .level = advanced}),
      field("mlp_width", &C::mlp_width,
            {.label = "Text MLP width",
             .help = "Inner width of each block; four times the width is usual",
             .min = 8,
             .max = 65536,
             .level = advanced}),
      field("end_id", &C::end_id,
            {.label = "End token",
             .help = "The text is read off at the first place that holds this id",
             .min = 0,
             .max = 1000000,
             .level = advanced})};
}

constexpr auto describe(std::type_identity<ClipConfig>) {
  using C = ClipConfig;
  return std::tuple{field("embed_dim", &C::embed_dim,
                          {.label = "Feature size",
                           .help = "Length of the vectors in which pictures and captions are compared",
                           .min = 8,
                           .max = 8192,
                           .level = Level::advanced}),
                    field("quick_gelu", &C::quick_gelu,
                          {.label = "Quick GELU",
                           .help = "The activation OpenAI's weights were trained with",
                           .level = Level::advanced}),
                    field("vision", &C::vision, {.label = "Image tower"}),
                    field("text", &C::text, {.label = "Text tower"})};
}

DISCO_DESCRIBED(ClipVisionConfig);
DISCO_DESCRIBED(ClipTextConfig);
DISCO_DESCRIBED(ClipConfig);

}  // namespace disco::models
