// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures from bytes that nobody has checked. The type is told by the content, sizes are checked before memory is
// asked for, and one policy holds for all types: EXIF orientation is applied, transparency lies over white, of an
// animation the first full canvas is taken, 16-bit values keep their upper byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/error.h"
#include "models/image/image.h"

namespace disco::data {

enum class PictureType { kUnknown, kJpeg, kPng, kWebp, kGif, kTiff, kBmp, kSvg, kHtml };

/// What the first bytes say; the name of a file says nothing.
[[nodiscard]] PictureType picture_type(std::span<const std::byte> bytes);
[[nodiscard]] std::string_view picture_type_name(PictureType type);

struct DecodeOptions {
  /// JPEG may be decoded at 1/2, 1/4 or 1/8 as long as neither side falls below this; 0: always in full.
  int smallest_side = 0;
  /// Larger pictures are refused before memory is asked for.
  std::int64_t largest_pixels = 100'000'000;
  /// Only width and height are wanted: the picture comes without pixels.
  bool header_only = false;
};

/// A decoded picture, and what was wrong with it although it could be used ("broken EXIF data are ignored").
struct Decoded {
  models::Image image;
  std::string warning;
};

/// Decodes a picture of any supported type. Thread-safe. Errors say what is wrong; the caller knows where.
[[nodiscard]] Result<Decoded> decode(std::span<const std::byte> bytes, const DecodeOptions& options = {});

}  // namespace disco::data
