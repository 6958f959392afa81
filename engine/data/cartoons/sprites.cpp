// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/cartoons/sprites.h"

#include <ft2build.h>
#include FT_FREETYPE_H

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "engine/data/cartoons/vocabulary.h"

namespace disco::data::cartoons {
namespace {

// Sprites up to this size are kept once scaled: some hundred looks of each, a few dozen megabytes in all.
constexpr int kLargestCached = 64;

struct FreeType {
  FT_Library library = nullptr;
  FT_Face face = nullptr;

  FreeType() = default;
  FreeType(const FreeType&) = delete;
  FreeType& operator=(const FreeType&) = delete;
  ~FreeType() {
    if (face != nullptr) FT_Done_Face(face);
    if (library != nullptr) FT_Done_FreeType(library);
  }
};

cv::Mat cut_to_outline(const cv::Mat& rgba) {
  cv::Mat alpha;
  cv::extractChannel(rgba, alpha, 3);
  const cv::Rect outline = cv::boundingRect(alpha > 24);
  return outline.empty() ? rgba : rgba(outline).clone();
}

Result<cv::Mat> load_glyph(FT_Face face, char32_t emoji, const std::string& font) {
  constexpr const char* kHint = "Install the Debian package fonts-noto-color-emoji";
  if (FT_Get_Char_Index(face, emoji) == 0 || FT_Load_Char(face, emoji, FT_LOAD_COLOR) != 0) {
    return failure("the font has no picture of an emoji that the cartoons need", font, kHint);
  }
  const FT_Bitmap& bitmap = face->glyph->bitmap;
  if (bitmap.pixel_mode != FT_PIXEL_MODE_BGRA || bitmap.width == 0 || bitmap.rows == 0) {
    return failure("the font has no coloured bitmaps", font, kHint);
  }
  const cv::Mat bgra(static_cast<int>(bitmap.rows), static_cast<int>(bitmap.width), CV_8UC4, bitmap.buffer,
                     static_cast<std::size_t>(bitmap.pitch));
  cv::Mat rgba;
  cv::cvtColor(bgra, rgba, cv::COLOR_BGRA2RGBA);
  return cut_to_outline(rgba);
}

std::vector<char32_t> needed_emoji() {
  std::vector<char32_t> all = {kTopHatEmoji, kCrownEmoji, kBalloonEmoji, kSkateboardEmoji};
  for (const Noun& noun : subjects()) all.push_back(noun.emoji);
  for (const Noun& noun : objects()) all.push_back(noun.emoji);
  return all;
}

cv::Mat render(const cv::Mat& original, const SpriteLook& look) {
  const double scale = static_cast<double>(look.size) / std::max(original.cols, original.rows);
  const cv::Size size(std::max(1, static_cast<int>(std::lround(original.cols * scale))),
                      std::max(1, static_cast<int>(std::lround(original.rows * scale))));
  cv::Mat scaled;
  cv::resize(original, scaled, size, 0, 0, scale < 1 ? cv::INTER_AREA : cv::INTER_LINEAR);
  if (look.mirrored && look.upside_down) {
    cv::flip(scaled, scaled, -1);
  } else if (look.mirrored) {
    cv::flip(scaled, scaled, 1);
  } else if (look.upside_down) {
    cv::flip(scaled, scaled, 0);
  }
  return scaled;
}

}  // namespace

Result<std::filesystem::path> find_emoji_font() {
  std::error_code error;
  if (const char* named = std::getenv("DISCO_EMOJI_FONT"); named != nullptr && *named != '\0') {
    if (std::filesystem::exists(named, error)) return std::filesystem::path(named);
    return failure("no such font", named, "DISCO_EMOJI_FONT must name the file NotoColorEmoji.ttf");
  }
  std::vector<std::filesystem::path> folders = {
      "/usr/share/fonts/truetype/noto", "/usr/share/fonts/noto", "/usr/share/fonts/google-noto-emoji",
      "/usr/share/fonts/google-noto-color-emoji-fonts", "/usr/local/share/fonts"};
  if (const char* home = std::getenv("HOME"); home != nullptr) {
    folders.push_back(std::filesystem::path(home) / ".local/share/fonts");
    folders.push_back(std::filesystem::path(home) / ".fonts");
  }
  for (const auto& folder : folders) {
    if (std::filesystem::path font = folder / "NotoColorEmoji.ttf"; std::filesystem::exists(font, error)) return font;
  }
  return failure("the font Noto Color Emoji, whose pictures make up the cartoons, is not installed", "",
                 "Install the Debian package fonts-noto-color-emoji, or name the font file in DISCO_EMOJI_FONT");
}

Result<std::shared_ptr<const SpriteSheet>> SpriteSheet::open() {
  DISCO_TRY(const std::filesystem::path font, find_emoji_font());
  FreeType freetype;
  if (FT_Init_FreeType(&freetype.library) != 0) return failure("FreeType does not start");
  if (FT_New_Face(freetype.library, font.c_str(), 0, &freetype.face) != 0) {
    return failure("this is not a font that can be read", font.string());
  }
  if (freetype.face->num_fixed_sizes < 1 || FT_Select_Size(freetype.face, 0) != 0) {
    return failure("the font has no coloured bitmaps", font.string(),
                   "It must be NotoColorEmoji.ttf with CBDT bitmaps");
  }
  std::shared_ptr<SpriteSheet> sheet(new SpriteSheet);
  for (const char32_t emoji : needed_emoji()) {
    DISCO_TRY(cv::Mat glyph, load_glyph(freetype.face, emoji, font.string()));
    sheet->originals_.emplace(emoji, std::move(glyph));
  }
  return sheet;
}

std::shared_ptr<const cv::Mat> SpriteSheet::sprite(const SpriteLook& look) const {
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = scaled_.find(look); found != scaled_.end()) return found->second;
  }
  auto made = std::make_shared<const cv::Mat>(render(originals_.at(look.emoji), look));
  if (look.size > kLargestCached) return made;
  const std::unique_lock lock(mutex_);
  return scaled_.emplace(look, std::move(made)).first->second;
}

void draw_sprite(Canvas& canvas, const cv::Mat& sprite, int left, int top) {
  const int first_x = std::max(0, -left), last_x = std::min(sprite.cols, canvas.size() - left);
  const int first_y = std::max(0, -top), last_y = std::min(sprite.rows, canvas.size() - top);
  for (int y = first_y; y < last_y; ++y) {
    const std::uint8_t* source = sprite.ptr(y) + 4 * first_x;
    std::uint8_t* target = first_x < last_x ? canvas.pixel(left + first_x, top + y) : nullptr;
    for (int x = first_x; x < last_x; ++x, source += 4, target += 3) {
      const int rest = 255 - source[3];
      for (int channel = 0; channel < 3; ++channel) {
        const int under = (target[channel] * rest + 127) / 255;
        target[channel] = static_cast<std::uint8_t>(std::min(255, source[channel] + under));
      }
    }
  }
}

}  // namespace disco::data::cartoons
