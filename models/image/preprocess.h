// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <tuple>
#include <type_traits>

#include "engine/base/described.h"
#include "engine/base/error.h"
#include "engine/base/json.h"
#include "models/image/image.h"

namespace disco::models {

enum class ResizeMode {
  shortest,  ///< the shorter side becomes `resize`; the longer keeps the ratio, its fraction cut off
  longest,   ///< the longer side becomes `resize`; the rest of the square stays black
  squash,    ///< both sides become `resize`, whatever the ratio
};

enum class Interpolation { bicubic, bilinear };

/// How a picture becomes the input of a vision tower. The defaults are CLIP's.
struct ImagePreprocess {
  int size = 224;    ///< side of the square that the model sees, pixels
  int resize = 224;  ///< length that the side named by `mode` is resized to, pixels
  ResizeMode mode = ResizeMode::shortest;
  Interpolation interpolation = Interpolation::bicubic;
  bool center_crop = true;  ///< cut (or pad with black) to size x size around the middle
  std::array<float, 3> mean = {0.48145466F, 0.4578275F, 0.40821073F};
  std::array<float, 3> std = {0.26862954F, 0.26130258F, 0.27577711F};

  friend bool operator==(const ImagePreprocess&, const ImagePreprocess&) = default;
};

constexpr auto choices(std::type_identity<ResizeMode>) {
  return std::array{Choice<ResizeMode>{ResizeMode::shortest, "shortest", "Shorter side",
                                       "Scale the shorter side, then cut the middle out"},
                    Choice<ResizeMode>{ResizeMode::longest, "longest", "Longer side",
                                       "Scale the longer side, black beside the picture"},
                    Choice<ResizeMode>{ResizeMode::squash, "squash", "Squash", "Scale both sides, whatever the ratio"}};
}

constexpr auto choices(std::type_identity<Interpolation>) {
  return std::array{Choice<Interpolation>{Interpolation::bicubic, "bicubic", "Bicubic", "Sharper; what CLIP uses"},
                    Choice<Interpolation>{Interpolation::bilinear, "bilinear", "Bilinear", "Softer; what ViT uses"}};
}

constexpr auto describe(std::type_identity<ImagePreprocess>) {
  return std::tuple{
      field("size", &ImagePreprocess::size,
            {.label = "Picture size", .help = "Side of the square that the model sees", .unit = "px", .min = 1}),
      field("resize", &ImagePreprocess::resize,
            {.label = "Resize to", .help = "Length of the resized side before the crop", .unit = "px", .min = 1}),
      field("mode", &ImagePreprocess::mode, {.label = "Resized side"}),
      field("interpolation", &ImagePreprocess::interpolation, {.label = "Interpolation"}),
      field("center_crop", &ImagePreprocess::center_crop,
            {.label = "Centre crop", .help = "Cut or pad with black to the picture size around the middle"}),
      field("mean", &ImagePreprocess::mean, {.label = "Mean", .help = "Subtracted from red, green and blue"}),
      field("std", &ImagePreprocess::std,
            {.label = "Deviation", .help = "What red, green and blue are divided by", .min = 0, .above_min = true})};
}
DISCO_DESCRIBED(ImagePreprocess);

/// CLIP's preprocessing for pictures of size x size.
[[nodiscard]] ImagePreprocess clip_preprocess(int size);

/// Width and height after the resize step and before the crop, as torchvision and Pillow count: the longer side is
/// truncated, never rounded, and no side is less than one pixel.
[[nodiscard]] std::array<int, 2> resized_size(int width, int height, const ImagePreprocess& preprocess);

/// Resizes with the support of the filter scaled when shrinking (antialiasing), equal to Pillow's resize in every byte:
/// cubic with a = -0.5 or triangle, one pass for each direction (in the order of Pillow 13), each rounded to 8 bits.
/// width, height > 0.
[[nodiscard]] Image resize(const Image& image, int width, int height, Interpolation interpolation);

/// The size x size picture that the model sees. The offset of the crop is rounded half to even, as torchvision does.
[[nodiscard]] Image resize_and_crop(const Image& image, const ImagePreprocess& preprocess);

/// (v / 255 - mean) / std into out, which holds 3 * height * width values in the order [3, H, W].
void normalize_chw(const Image& image, const ImagePreprocess& preprocess, float* out);

/// Reads what Hugging Face's preprocessor_config.json says; keys that change nothing here are ignored.
[[nodiscard]] Result<ImagePreprocess> preprocess_from_huggingface(const Json& config, const std::string& where);
[[nodiscard]] Result<ImagePreprocess> load_preprocess(const std::filesystem::path& file);

/// The preprocessor_config.json that makes transformers' CLIPImageProcessor do the same.
[[nodiscard]] Json preprocess_to_huggingface(const ImagePreprocess& preprocess);

}  // namespace disco::models
