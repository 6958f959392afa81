// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <opencv2/core/mat.hpp>
#include <shared_mutex>

#include "engine/base/error.h"
#include "engine/data/cartoons/canvas.h"

namespace disco::data::cartoons {

/// How a sprite is to look on a canvas. Small integers, so that equal looks are scaled once.
struct SpriteLook {
  char32_t emoji = 0;
  int size = 0;  ///< the longer side in pixels
  bool mirrored = false;
  bool upside_down = false;

  auto operator<=>(const SpriteLook&) const = default;
};

/// The emoji that the cartoons are made of, cut to their outlines. Thread-safe.
class SpriteSheet {
 public:
  /// Loads the sprites from Noto Color Emoji, found in the usual font folders or named by $DISCO_EMOJI_FONT.
  [[nodiscard]] static Result<std::shared_ptr<const SpriteSheet>> open();

  /// The sprite in premultiplied RGBA, CV_8UC4.
  [[nodiscard]] std::shared_ptr<const cv::Mat> sprite(const SpriteLook& look) const;

 private:
  SpriteSheet() = default;

  std::map<char32_t, cv::Mat> originals_;
  mutable std::shared_mutex mutex_;
  mutable std::map<SpriteLook, std::shared_ptr<const cv::Mat>> scaled_;  ///< small ones only
};

/// Where the emoji font is, or what to do about its absence.
[[nodiscard]] Result<std::filesystem::path> find_emoji_font();

/// Draws the sprite with its left upper corner at pixel (left, top); what lies outside is cut off.
void draw_sprite(Canvas& canvas, const cv::Mat& sprite, int left, int top);

}  // namespace disco::data::cartoons
