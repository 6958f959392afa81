// SPDX-License-Identifier: GPL-3.0-or-later
//
// The decoders of the single types, behind decode(). Each checks the picture's size before it asks for memory and
// gives pixels as they are stored; turning them upright is decode()'s part.
#pragma once

#include "engine/data/decode/decode.h"

namespace disco::data {

/// A picture as stored, with the EXIF block that came with it.
struct Stored {
  models::Image image;
  std::vector<std::byte> exif;  ///< empty where there is none
  std::string warning;
};

[[nodiscard]] Result<Stored> decode_jpeg(std::span<const std::byte> bytes, const DecodeOptions& options);
[[nodiscard]] Result<Stored> decode_png(std::span<const std::byte> bytes, const DecodeOptions& options);
[[nodiscard]] Result<Stored> decode_webp(std::span<const std::byte> bytes, const DecodeOptions& options);
[[nodiscard]] Result<Stored> decode_gif(std::span<const std::byte> bytes, const DecodeOptions& options);
[[nodiscard]] Result<Stored> decode_tiff(std::span<const std::byte> bytes, const DecodeOptions& options);
[[nodiscard]] Result<Stored> decode_bmp(std::span<const std::byte> bytes, const DecodeOptions& options);

/// An error when a picture of this size is refused, whether for nothing or for too much.
[[nodiscard]] Result<void> check_size(std::int64_t width, std::int64_t height, const DecodeOptions& options);

/// A colour over white: 255 where alpha is 0, rounded to nearest.
[[nodiscard]] constexpr std::uint8_t over_white(int value, int alpha) {
  return static_cast<std::uint8_t>((value * alpha + 255 * (255 - alpha) + 127) / 255);
}

/// RGBA rows laid over white.
[[nodiscard]] models::Image image_over_white(const std::uint8_t* rgba, int width, int height, std::size_t stride);

/// Little- and big-endian numbers of a picture's header; the caller has checked that they are there.
[[nodiscard]] std::uint32_t little32(std::span<const std::byte> bytes, std::size_t at);
[[nodiscard]] std::uint16_t little16(std::span<const std::byte> bytes, std::size_t at);
[[nodiscard]] std::uint32_t big32(std::span<const std::byte> bytes, std::size_t at);
[[nodiscard]] std::uint16_t big16(std::span<const std::byte> bytes, std::size_t at);

}  // namespace disco::data
