// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/decode/exif.h"

#include <algorithm>
#include <cstring>

#include "engine/data/decode/types.h"

namespace disco::data {
namespace {

constexpr std::size_t kEntryBytes = 12;
constexpr std::uint16_t kOrientationTag = 0x0112;
constexpr std::uint16_t kShort = 3;

bool starts_with(std::span<const std::byte> bytes, const char* text, std::size_t length) {
  return bytes.size() >= length && std::memcmp(bytes.data(), text, length) == 0;
}

}  // namespace

Orientation read_orientation(std::span<const std::byte> exif) {
  while (starts_with(exif, "Exif\0\0", 6)) exif = exif.subspan(6);
  if (exif.empty()) return {};
  const bool little = starts_with(exif, "II*\0", 4), big = starts_with(exif, "MM\0*", 4);
  if ((!little && !big) || exif.size() < 8) return {1, true};
  const auto read16 = [&](std::size_t at) { return little ? little16(exif, at) : big16(exif, at); };
  const auto read32 = [&](std::size_t at) { return little ? little32(exif, at) : big32(exif, at); };
  const std::size_t directory = read32(4);
  if (directory > exif.size() - 2) return {1, true};
  const std::size_t entries = read16(directory);
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t at = directory + 2 + i * kEntryBytes;
    if (at + kEntryBytes > exif.size()) return {1, true};
    if (read16(at) != kOrientationTag) continue;
    if (read16(at + 2) != kShort || read32(at + 4) < 1) return {1, true};
    const int value = read16(at + 8);
    // 0 and values above 8 are common in the wild and mean nothing.
    return value >= 1 && value <= 8 ? Orientation{value, false} : Orientation{};
  }
  return {};
}

models::Image turn_upright(models::Image image, int orientation) {
  if (orientation <= 1 || orientation > 8) return image;
  const bool sideways = orientation >= 5;
  if (image.rgb.empty()) {
    if (sideways) std::swap(image.width, image.height);
    return image;
  }
  // In terms of the stored picture's axes, before rows and columns are exchanged.
  const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool from_bottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  models::Image turned{.width = sideways ? image.height : image.width,
                       .height = sideways ? image.width : image.height,
                       .rgb = std::vector<std::uint8_t>(image.rgb.size())};
  std::uint8_t* out = turned.rgb.data();
  for (int y = 0; y < turned.height; ++y) {
    for (int x = 0; x < turned.width; ++x, out += 3) {
      const int across = sideways ? y : x, down = sideways ? x : y;
      const int stored_x = from_right ? image.width - 1 - across : across;
      const int stored_y = from_bottom ? image.height - 1 - down : down;
      std::copy_n(image.row(stored_y) + 3 * stored_x, 3, out);
    }
  }
  return turned;
}

}  // namespace disco::data
