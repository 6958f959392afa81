// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <bit>
#include <cstdlib>

#include "engine/data/decode/types.h"

namespace disco::data {
namespace {

constexpr std::uint32_t kCoreHeader = 12, kInfoHeader = 40;
constexpr std::size_t kFileHeader = 14;

/// What the two headers say.
struct Layout {
  std::int64_t width = 0, height = 0;
  bool top_down = false;
  int bits = 0;
  std::size_t pixels_at = 0;
  std::vector<std::array<std::uint8_t, 3>> palette;
  std::array<std::uint32_t, 4> masks{};  ///< red, green, blue, alpha of 16- and 32-bit pixels
};

tl::unexpected<Error> damaged() {
  return failure("the BMP file is damaged or cut off", "", "Copy or download it again");
}

tl::unexpected<Error> unsupported() {
  return failure("this kind of BMP file is not supported", "", "Save it again, as PNG");
}

void read_masks(std::span<const std::byte> bytes, std::uint32_t header, std::uint32_t compression, Layout& layout) {
  if (layout.bits == 16) layout.masks = {0x7C00, 0x03E0, 0x001F, 0};
  if (layout.bits == 32) layout.masks = {0xFF0000, 0xFF00, 0xFF, 0};
  if (compression != 3) return;
  const std::size_t known = header >= 56 ? 4 : 3;
  for (std::size_t i = 0; i < known && kFileHeader + kInfoHeader + 4 * i + 4 <= bytes.size(); ++i) {
    layout.masks[i] = little32(bytes, kFileHeader + kInfoHeader + 4 * i);
  }
}

Result<void> read_palette(std::span<const std::byte> bytes, std::uint32_t header, std::uint32_t colours,
                          Layout& layout) {
  if (layout.bits > 8) return {};
  const std::size_t most = std::size_t{1} << layout.bits;
  const std::size_t count = colours == 0 || colours > most ? most : colours;
  const std::size_t entry = header == kCoreHeader ? 3 : 4;
  const std::size_t at = kFileHeader + header;
  if (bytes.size() < at + count * entry) return damaged();
  for (std::size_t i = 0; i < count; ++i) {
    const auto channel = [&](std::size_t c) { return std::to_integer<std::uint8_t>(bytes[at + i * entry + c]); };
    layout.palette.push_back({channel(2), channel(1), channel(0)});
  }
  return {};
}

Result<Layout> read_layout(std::span<const std::byte> bytes) {
  Layout layout;
  const std::uint32_t header = little32(bytes, kFileHeader);
  layout.pixels_at = little32(bytes, 10);
  std::uint32_t compression = 0, colours = 0;
  if (header == kCoreHeader) {
    layout.width = little16(bytes, 18);
    layout.height = little16(bytes, 20);
    layout.bits = little16(bytes, 24);
  } else {
    if (header < kInfoHeader || bytes.size() < kFileHeader + kInfoHeader) return damaged();
    layout.width = static_cast<std::int32_t>(little32(bytes, 18));
    layout.height = static_cast<std::int32_t>(little32(bytes, 22));
    layout.top_down = layout.height < 0;
    layout.height = std::abs(layout.height);
    layout.bits = little16(bytes, 28);
    compression = little32(bytes, 30);
    colours = little32(bytes, 46);
  }
  const bool known_bits = layout.bits == 1 || layout.bits == 4 || layout.bits == 8 || layout.bits == 16 ||
                          layout.bits == 24 || layout.bits == 32;
  if (!known_bits || (compression != 0 && compression != 3)) return unsupported();
  read_masks(bytes, header, compression, layout);
  DISCO_CHECK(read_palette(bytes, header, colours, layout));
  return layout;
}

/// The bits of a mask as 0 … 255; 255 where there is no such mask and `missing` is asked for.
int masked(std::uint32_t pixel, std::uint32_t mask, int missing) {
  if (mask == 0) return missing;
  const std::uint64_t largest = mask >> std::countr_zero(mask);
  return static_cast<int>(static_cast<std::uint64_t>((pixel & mask) >> std::countr_zero(mask)) * 255 / largest);
}

void read_pixel(std::span<const std::byte> row, std::int64_t x, const Layout& layout, std::uint8_t* out) {
  const auto at = static_cast<std::size_t>(x);
  const auto bits = static_cast<std::size_t>(layout.bits);
  if (layout.bits <= 8) {
    const std::size_t bit = at * bits;
    const unsigned index = std::to_integer<unsigned>(row[bit / 8]) >> (8 - bits - bit % 8) & ((1U << layout.bits) - 1U);
    const std::array<std::uint8_t, 3> colour =
        index < layout.palette.size() ? layout.palette[index] : std::array<std::uint8_t, 3>{};
    for (std::size_t c = 0; c < 3; ++c) out[c] = colour[c];
    return;
  }
  if (layout.bits == 24) {
    for (std::size_t c = 0; c < 3; ++c) out[c] = std::to_integer<std::uint8_t>(row[3 * at + 2 - c]);
    return;
  }
  const std::uint32_t pixel = layout.bits == 16 ? little16(row, 2 * at) : little32(row, 4 * at);
  const int alpha = masked(pixel, layout.masks[3], 255);
  for (std::size_t c = 0; c < 3; ++c) out[c] = over_white(masked(pixel, layout.masks[c], 0), alpha);
}

}  // namespace

Result<Stored> decode_bmp(std::span<const std::byte> bytes, const DecodeOptions& options) {
  DISCO_TRY(const Layout layout, read_layout(bytes));
  DISCO_CHECK(check_size(layout.width, layout.height, options));
  Stored stored;
  stored.image.width = static_cast<int>(layout.width);
  stored.image.height = static_cast<int>(layout.height);
  const std::size_t stride =
      (static_cast<std::size_t>(layout.width) * static_cast<std::size_t>(layout.bits) + 31) / 32 * 4;
  if (layout.pixels_at > bytes.size() ||
      stride * static_cast<std::size_t>(layout.height) > bytes.size() - layout.pixels_at) {
    return damaged();
  }
  if (options.header_only) return stored;
  stored.image = models::filled_image(static_cast<int>(layout.width), static_cast<int>(layout.height), 0, 0, 0);
  for (int y = 0; y < stored.image.height; ++y) {
    const int stored_row = layout.top_down ? y : stored.image.height - 1 - y;
    const auto row = bytes.subspan(layout.pixels_at + static_cast<std::size_t>(stored_row) * stride, stride);
    for (int x = 0; x < stored.image.width; ++x) read_pixel(row, x, layout, stored.image.row(y) + 3 * x);
  }
  return stored;
}

}  // namespace disco::data
