// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/base/files.h"
#include "models/image/preprocess.h"

namespace disco::models {
namespace {

// Pillow's numbers of the resampling filters.
constexpr int kPillowBilinear = 2;
constexpr int kPillowBicubic = 3;
constexpr int kLargestSide = 16384;

std::optional<int> whole(const Json& json) {
  if (!json.is_number_integer()) return std::nullopt;
  const auto value = json.get<std::int64_t>();
  if (value < 1 || value > kLargestSide) return std::nullopt;
  return static_cast<int>(value);
}

/// A side from "size" or "crop_size": a number, or an object with height and width, which must be equal.
std::optional<int> square_side(const Json& json) {
  if (json.is_number()) return whole(json);
  if (!json.is_object() || !json.contains("height") || json["height"] != json.value("width", Json())) return {};
  return whole(json["height"]);
}

Result<void> read_size(const Json& size, ImagePreprocess& preprocess, const std::string& where) {
  std::optional<int> side;
  if (size.is_object() && size.contains("shortest_edge")) {
    if (size.contains("longest_edge"))
      return failure("size with both shortest_edge and longest_edge is not supported", where,
                     "Use one of them, or height and width");
    side = whole(size["shortest_edge"]);
    preprocess.mode = ResizeMode::shortest;
  } else if (size.is_object() && size.contains("longest_edge")) {
    side = whole(size["longest_edge"]);
    preprocess.mode = ResizeMode::longest;
  } else {
    side = square_side(size);
    // A bare number is the old way to write the shorter side.
    preprocess.mode = size.is_number() ? ResizeMode::shortest : ResizeMode::squash;
  }
  if (!side)
    return failure("size must be one length between 1 and 16384 pixels, is " + size.dump(), where,
                   "Give shortest_edge, longest_edge, or equal height and width");
  preprocess.resize = *side;
  return {};
}

Result<void> read_colours(const Json& config, const char* key, std::array<float, 3>& to, const std::string& where) {
  const auto found = config.find(key);
  if (found == config.end() || found->is_null()) return {};
  const bool numbers = found->is_array() && found->size() == 3 &&
                       std::all_of(found->begin(), found->end(), [](const Json& v) { return v.is_number(); });
  if (!numbers) return failure(std::string(key) + " must be three numbers, is " + found->dump(), where);
  for (std::size_t c = 0; c < 3; ++c) to[c] = (*found)[c].get<float>();
  return {};
}

Result<void> read_interpolation(const Json& config, ImagePreprocess& preprocess, const std::string& where) {
  const auto found = config.find("resample");
  if (found == config.end() || found->is_null()) return {};
  if (*found == kPillowBicubic)
    preprocess.interpolation = Interpolation::bicubic;
  else if (*found == kPillowBilinear)
    preprocess.interpolation = Interpolation::bilinear;
  else
    return failure("resample must be 2 (bilinear) or 3 (bicubic), is " + found->dump(), where);
  return {};
}

/// Whether a switch is on; absent and null count as on.
bool enabled(const Json& config, const char* key) {
  const auto found = config.find(key);
  return found == config.end() || !found->is_boolean() || found->get<bool>();
}

}  // namespace

Result<ImagePreprocess> preprocess_from_huggingface(const Json& config, const std::string& where) {
  if (!config.is_object()) return failure("must be a JSON object", where);
  ImagePreprocess preprocess;
  if (const auto size = config.find("size"); size != config.end() && !size->is_null())
    DISCO_CHECK(read_size(*size, preprocess, where));
  if (!enabled(config, "do_resize"))
    return failure("do_resize is false, so that pictures would have no common size", where, "Set do_resize to true");
  preprocess.size = preprocess.resize;
  preprocess.center_crop = enabled(config, "do_center_crop") && preprocess.mode != ResizeMode::squash;
  if (const auto crop = config.find("crop_size");
      enabled(config, "do_center_crop") && crop != config.end() && !crop->is_null()) {
    const auto side = square_side(*crop);
    if (!side) return failure("crop_size must be a square, is " + crop->dump(), where);
    preprocess.size = *side;
    preprocess.center_crop = preprocess.mode != ResizeMode::squash || preprocess.size != preprocess.resize;
  }
  DISCO_CHECK(read_interpolation(config, preprocess, where));
  if (const auto factor = config.find("rescale_factor"); factor != config.end() && factor->is_number()) {
    if (std::abs(factor->get<double>() * 255 - 1) > 1e-4)
      return failure("rescale_factor other than 1/255 is not supported", where);
  }
  DISCO_CHECK(read_colours(config, "image_mean", preprocess.mean, where));
  DISCO_CHECK(read_colours(config, "image_std", preprocess.std, where));
  if (std::any_of(preprocess.std.begin(), preprocess.std.end(), [](float v) { return !(v > 0); }))
    return failure("image_std must be > 0", where);
  return preprocess;
}

Result<ImagePreprocess> load_preprocess(const std::filesystem::path& file) {
  constexpr std::uint64_t kLargestFile = 1 << 20;
  DISCO_TRY(const std::string text, read_file(file, kLargestFile));
  DISCO_TRY(const Json config, parse_json(text, file.string()));
  return preprocess_from_huggingface(config, file.string());
}

Json preprocess_to_huggingface(const ImagePreprocess& preprocess) {
  Json size = Json::object();
  if (preprocess.mode == ResizeMode::squash)
    size = {{"height", preprocess.resize}, {"width", preprocess.resize}};
  else
    size = {{preprocess.mode == ResizeMode::shortest ? "shortest_edge" : "longest_edge", preprocess.resize}};
  Json config = Json::object();
  config["image_processor_type"] = "CLIPImageProcessor";
  config["do_convert_rgb"] = true;
  config["do_resize"] = true;
  config["size"] = size;
  config["resample"] = preprocess.interpolation == Interpolation::bicubic ? kPillowBicubic : kPillowBilinear;
  config["do_center_crop"] = preprocess.center_crop;
  config["crop_size"] = {{"height", preprocess.size}, {"width", preprocess.size}};
  config["do_rescale"] = true;
  config["rescale_factor"] = 1.0 / 255.0;
  config["do_normalize"] = true;
  config["image_mean"] = write_json(preprocess.mean);
  config["image_std"] = write_json(preprocess.std);
  return config;
}

}  // namespace disco::models
