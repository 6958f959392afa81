// SPDX-License-Identifier: GPL-3.0-or-later
#include <webp/decode.h>
#include <webp/demux.h>

#include <memory>

#include "engine/data/decode/types.h"

namespace disco::data {
namespace {

const std::uint8_t* raw(std::span<const std::byte> bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

tl::unexpected<Error> damaged() {
  return failure("the WebP file is damaged or cut off", "", "Copy or download it again");
}

Result<models::Image> decode_first_canvas(std::span<const std::byte> bytes) {
  WebPAnimDecoderOptions options;
  if (WebPAnimDecoderOptionsInit(&options) == 0) return failure("the WebP library does not fit this program");
  options.color_mode = MODE_RGBA;
  options.use_threads = 0;
  const WebPData data{raw(bytes), bytes.size()};
  const std::unique_ptr<WebPAnimDecoder, decltype(&WebPAnimDecoderDelete)> decoder(WebPAnimDecoderNew(&data, &options),
                                                                                   &WebPAnimDecoderDelete);
  WebPAnimInfo info;
  std::uint8_t* canvas = nullptr;
  int time = 0;
  if (!decoder || WebPAnimDecoderGetInfo(decoder.get(), &info) == 0 ||
      WebPAnimDecoderGetNext(decoder.get(), &canvas, &time) == 0) {
    return damaged();
  }
  return image_over_white(canvas, static_cast<int>(info.canvas_width), static_cast<int>(info.canvas_height),
                          static_cast<std::size_t>(info.canvas_width) * 4);
}

Result<models::Image> decode_still(std::span<const std::byte> bytes, const WebPBitstreamFeatures& features) {
  const std::size_t pixels = static_cast<std::size_t>(features.width) * static_cast<std::size_t>(features.height);
  if (features.has_alpha == 0) {
    models::Image image{
        .width = features.width, .height = features.height, .rgb = std::vector<std::uint8_t>(pixels * 3)};
    if (WebPDecodeRGBInto(raw(bytes), bytes.size(), image.rgb.data(), image.rgb.size(),
                          static_cast<int>(image.stride())) == nullptr) {
      return damaged();
    }
    return image;
  }
  std::vector<std::uint8_t> rgba(pixels * 4);
  if (WebPDecodeRGBAInto(raw(bytes), bytes.size(), rgba.data(), rgba.size(), features.width * 4) == nullptr) {
    return damaged();
  }
  return image_over_white(rgba.data(), features.width, features.height, static_cast<std::size_t>(features.width) * 4);
}

std::vector<std::byte> exif_of(std::span<const std::byte> bytes) {
  const WebPData data{raw(bytes), bytes.size()};
  const std::unique_ptr<WebPDemuxer, decltype(&WebPDemuxDelete)> demuxer(WebPDemux(&data), &WebPDemuxDelete);
  std::vector<std::byte> exif;
  WebPChunkIterator chunk;
  if (demuxer && WebPDemuxGetChunk(demuxer.get(), "EXIF", 1, &chunk) != 0) {
    const auto* first = reinterpret_cast<const std::byte*>(chunk.chunk.bytes);
    exif.assign(first, first + chunk.chunk.size);
    WebPDemuxReleaseChunkIterator(&chunk);
  }
  return exif;
}

}  // namespace

Result<Stored> decode_webp(std::span<const std::byte> bytes, const DecodeOptions& options) {
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(raw(bytes), bytes.size(), &features) != VP8_STATUS_OK) return damaged();
  DISCO_CHECK(check_size(features.width, features.height, options));
  Stored stored;
  stored.exif = exif_of(bytes);
  if (options.header_only) {
    stored.image = models::Image{.width = features.width, .height = features.height, .rgb = {}};
    return stored;
  }
  DISCO_TRY(stored.image, features.has_animation != 0 ? decode_first_canvas(bytes) : decode_still(bytes, features));
  return stored;
}

}  // namespace disco::data
