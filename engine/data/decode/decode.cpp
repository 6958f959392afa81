// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/decode/decode.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

#include "engine/data/decode/exif.h"
#include "engine/data/decode/types.h"

namespace disco::data {
namespace {

bool has(std::span<const std::byte> bytes, std::size_t at, std::string_view text) {
  return bytes.size() >= at + text.size() && std::memcmp(bytes.data() + at, text.data(), text.size()) == 0;
}

/// The beginning of a text file in lower case, without a byte order mark and leading space.
std::string text_beginning(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes.first(std::min<std::size_t>(bytes.size(), 1024))) {
    text += static_cast<char>(std::tolower(std::to_integer<unsigned char>(byte)));
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  text.erase(0, std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

PictureType markup_type(std::span<const std::byte> bytes) {
  const std::string text = text_beginning(bytes);
  if (!text.starts_with('<')) return PictureType::kUnknown;
  if (text.find("<svg") != std::string::npos) return PictureType::kSvg;
  if (text.find("<html") != std::string::npos || text.starts_with("<!doctype html")) return PictureType::kHtml;
  return PictureType::kUnknown;
}

Result<Stored> decode_stored(std::span<const std::byte> bytes, const DecodeOptions& options) {
  constexpr const char* kSupported = "Supported are JPEG, PNG, WebP, GIF, TIFF and BMP";
  switch (picture_type(bytes)) {
    case PictureType::kJpeg:
      return decode_jpeg(bytes, options);
    case PictureType::kPng:
      return decode_png(bytes, options);
    case PictureType::kWebp:
      return decode_webp(bytes, options);
    case PictureType::kGif:
      return decode_gif(bytes, options);
    case PictureType::kTiff:
      return decode_tiff(bytes, options);
    case PictureType::kBmp:
      return decode_bmp(bytes, options);
    case PictureType::kSvg:
      return failure("SVG drawings are not supported", "", kSupported);
    case PictureType::kHtml:
      return failure("this is a web page, not a picture", "", "The download probably failed; fetch the picture again");
    case PictureType::kUnknown:
      break;
  }
  if (bytes.empty()) return failure("the file is empty", "", "Copy or download it again");
  return failure("this is not a picture of a known type", "", kSupported);
}

}  // namespace

PictureType picture_type(std::span<const std::byte> bytes) {
  if (has(bytes, 0, "\xFF\xD8\xFF")) return PictureType::kJpeg;
  if (has(bytes, 0, "\x89PNG\r\n\x1A\n")) return PictureType::kPng;
  if (has(bytes, 0, "RIFF") && has(bytes, 8, "WEBP")) return PictureType::kWebp;
  if (has(bytes, 0, "GIF87a") || has(bytes, 0, "GIF89a")) return PictureType::kGif;
  if (has(bytes, 0, {"II*\0", 4}) || has(bytes, 0, {"MM\0*", 4})) return PictureType::kTiff;
  if (has(bytes, 0, "BM") && bytes.size() >= 26) return PictureType::kBmp;
  return markup_type(bytes);
}

std::string_view picture_type_name(PictureType type) {
  constexpr std::array<std::string_view, 9> kNames = {"unknown", "JPEG", "PNG", "WebP",    "GIF",
                                                      "TIFF",    "BMP",  "SVG", "web page"};
  return kNames[static_cast<std::size_t>(type)];
}

Result<Decoded> decode(std::span<const std::byte> bytes, const DecodeOptions& options) {
  DISCO_TRY(Stored stored, decode_stored(bytes, options));
  const Orientation orientation = read_orientation(stored.exif);
  if (orientation.broken && stored.warning.empty()) stored.warning = "broken EXIF data are ignored";
  return Decoded{turn_upright(std::move(stored.image), orientation.value), std::move(stored.warning)};
}

Result<void> check_size(std::int64_t width, std::int64_t height, const DecodeOptions& options) {
  if (width <= 0 || height <= 0) return failure("the picture has no pixels");
  if (width > options.largest_pixels / height) {
    return failure("the picture claims " + std::to_string(width) + " x " + std::to_string(height) +
                       " pixels, more than is accepted",
                   "", "Make it smaller than " + std::to_string(options.largest_pixels / 1'000'000) + " megapixels");
  }
  return {};
}

models::Image image_over_white(const std::uint8_t* rgba, int width, int height, std::size_t stride) {
  models::Image image{.width = width, .height = height, .rgb = {}};
  image.rgb.resize(image.stride() * static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y) {
    const std::uint8_t* in = rgba + static_cast<std::size_t>(y) * stride;
    std::uint8_t* out = image.row(y);
    for (int x = 0; x < width; ++x, in += 4, out += 3) {
      for (int channel = 0; channel < 3; ++channel) out[channel] = over_white(in[channel], in[3]);
    }
  }
  return image;
}

std::uint16_t little16(std::span<const std::byte> bytes, std::size_t at) {
  return static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[at]) | std::to_integer<unsigned>(bytes[at + 1])
                                                                               << 8);
}

std::uint16_t big16(std::span<const std::byte> bytes, std::size_t at) {
  return static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[at]) << 8 |
                                    std::to_integer<unsigned>(bytes[at + 1]));
}

std::uint32_t little32(std::span<const std::byte> bytes, std::size_t at) {
  return little16(bytes, at) | static_cast<std::uint32_t>(little16(bytes, at + 2)) << 16;
}

std::uint32_t big32(std::span<const std::byte> bytes, std::size_t at) {
  return static_cast<std::uint32_t>(big16(bytes, at)) << 16 | big16(bytes, at + 2);
}

}  // namespace disco::data
