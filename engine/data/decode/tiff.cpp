// SPDX-License-Identifier: GPL-3.0-or-later
#include <tiffio.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>

#include "engine/data/decode/exif.h"
#include "engine/data/decode/types.h"

namespace disco::data {
namespace {

/// A file in memory, as libtiff's callbacks see it, and the first complaint about it.
struct MemoryFile {
  std::span<const std::byte> bytes;
  std::uint64_t position = 0;
  std::string complaint;
};

MemoryFile& file_of(thandle_t handle) { return *static_cast<MemoryFile*>(handle); }

tmsize_t read_bytes(thandle_t handle, void* out, tmsize_t size) {
  MemoryFile& file = file_of(handle);
  if (file.position >= file.bytes.size() || size <= 0) return 0;
  const std::size_t taken = std::min(file.bytes.size() - file.position, static_cast<std::size_t>(size));
  std::memcpy(out, file.bytes.data() + file.position, taken);
  file.position += taken;
  return static_cast<tmsize_t>(taken);
}

toff_t seek(thandle_t handle, toff_t offset, int whence) {
  MemoryFile& file = file_of(handle);
  if (whence == SEEK_SET) file.position = offset;
  if (whence == SEEK_CUR) file.position += offset;
  if (whence == SEEK_END) file.position = file.bytes.size() + offset;
  return file.position;
}

int keep_complaint(TIFF* /*tiff*/, void* user, const char* /*module*/, const char* format, std::va_list arguments) {
  auto& file = *static_cast<MemoryFile*>(user);
  if (file.complaint.empty()) {
    char text[200];
    std::vsnprintf(text, sizeof text, format, arguments);
    file.complaint = text;
  }
  return 1;
}

using TiffFile = std::unique_ptr<TIFF, decltype(&TIFFClose)>;

TiffFile open_tiff(MemoryFile& file, std::int64_t largest_bytes) {
  const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                 &TIFFOpenOptionsFree);
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), largest_bytes);
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), keep_complaint, &file);
  TIFFOpenOptionsSetWarningHandlerExtR(
      options.get(), [](TIFF*, void*, const char*, const char*, std::va_list) { return 1; }, nullptr);
  TIFF* tiff = TIFFClientOpenExt(
      "picture", "rm", &file, read_bytes, [](thandle_t, void*, tmsize_t) -> tmsize_t { return 0; }, seek,
      [](thandle_t) { return 0; }, [](thandle_t handle) -> toff_t { return file_of(handle).bytes.size(); }, nullptr,
      nullptr, options.get());
  return {tiff, &TIFFClose};
}

tl::unexpected<Error> damaged(const MemoryFile& file) {
  return failure("the TIFF file is damaged or of a kind that cannot be read" +
                     (file.complaint.empty() ? "" : ": " + file.complaint),
                 "", "Save it again, as PNG");
}

}  // namespace

Result<Stored> decode_tiff(std::span<const std::byte> bytes, const DecodeOptions& options) {
  MemoryFile file{bytes, 0, {}};
  const TiffFile tiff = open_tiff(file, options.largest_pixels * 8);
  std::uint32_t width = 0, height = 0;
  if (!tiff || TIFFGetField(tiff.get(), TIFFTAG_IMAGEWIDTH, &width) == 0 ||
      TIFFGetField(tiff.get(), TIFFTAG_IMAGELENGTH, &height) == 0) {
    return damaged(file);
  }
  DISCO_CHECK(check_size(width, height, options));
  std::uint16_t orientation = ORIENTATION_TOPLEFT;
  TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_ORIENTATION, &orientation);
  if (orientation < 1 || orientation > 8) orientation = ORIENTATION_TOPLEFT;
  Stored stored;
  if (options.header_only) {
    const bool sideways = orientation >= ORIENTATION_LEFTTOP;
    stored.image.width = static_cast<int>(sideways ? height : width);
    stored.image.height = static_cast<int>(sideways ? width : height);
    return stored;
  }
  const std::size_t pixels = static_cast<std::size_t>(width) * height;
  std::vector<std::uint32_t> raster(pixels);
  // Asked for the orientation it has, libtiff gives the rows as they are stored; we turn all types alike.
  if (TIFFReadRGBAImageOriented(tiff.get(), width, height, raster.data(), orientation, 1) == 0) return damaged(file);
  stored.image = models::Image{.width = static_cast<int>(width),
                               .height = static_cast<int>(height),
                               .rgb = std::vector<std::uint8_t>(pixels * 3)};
  for (std::size_t i = 0; i < pixels; ++i) {
    // libtiff has multiplied the colours by alpha already.
    const unsigned white = 255U - TIFFGetA(raster[i]);
    const std::array<unsigned, 3> colour = {TIFFGetR(raster[i]), TIFFGetG(raster[i]), TIFFGetB(raster[i])};
    for (std::size_t c = 0; c < 3; ++c) {
      stored.image.rgb[3 * i + c] = static_cast<std::uint8_t>(std::min(255U, colour[c] + white));
    }
  }
  stored.image = turn_upright(std::move(stored.image), orientation);
  return stored;
}

}  // namespace disco::data
