// SPDX-License-Identifier: GPL-3.0-or-later
#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>

#include "engine/data/decode/types.h"

namespace disco::data {
namespace {

struct CloseGif {
  void operator()(GifFileType* gif) const {
    int code = 0;
    DGifCloseFile(gif, &code);
  }
};
using GifFile = std::unique_ptr<GifFileType, CloseGif>;

tl::unexpected<Error> damaged(int code) {
  const char* text = GifErrorString(code);
  return failure(std::string("the GIF file is damaged or cut off") + (text != nullptr ? std::string(": ") + text : ""),
                 "", "Copy or download it again");
}

int read_bytes(GifFileType* gif, GifByteType* out, int size) {
  auto& rest = *static_cast<std::span<const std::byte>*>(gif->UserData);
  const std::size_t taken = std::min(rest.size(), static_cast<std::size_t>(std::max(size, 0)));
  std::memcpy(out, rest.data(), taken);
  rest = rest.subspan(taken);
  return static_cast<int>(taken);
}

/// Reads records up to the first picture. Gives the index of its transparent colour, or -1.
Result<int> find_first_picture(GifFileType* gif) {
  int transparent = NO_TRANSPARENT_COLOR;
  while (true) {
    GifRecordType type = UNDEFINED_RECORD_TYPE;
    if (DGifGetRecordType(gif, &type) == GIF_ERROR) return damaged(gif->Error);
    if (type == IMAGE_DESC_RECORD_TYPE) {
      if (DGifGetImageDesc(gif) == GIF_ERROR) return damaged(gif->Error);
      return transparent;
    }
    if (type == TERMINATE_RECORD_TYPE) return failure("the GIF file holds no picture");
    if (type != EXTENSION_RECORD_TYPE) return damaged(D_GIF_ERR_WRONG_RECORD);
    int code = 0;
    GifByteType* block = nullptr;
    if (DGifGetExtension(gif, &code, &block) == GIF_ERROR) return damaged(gif->Error);
    while (block != nullptr) {
      GraphicsControlBlock control;
      // The first byte of a block is its length.
      if (code == GRAPHICS_EXT_FUNC_CODE && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
        transparent = control.TransparentColor;
      }
      if (DGifGetExtensionNext(gif, &block) == GIF_ERROR) return damaged(gif->Error);
    }
  }
}

/// The order in which the rows of a picture are stored.
std::vector<int> row_order(int height, bool interlaced) {
  std::vector<int> order;
  order.reserve(static_cast<std::size_t>(height));
  if (!interlaced) {
    for (int y = 0; y < height; ++y) order.push_back(y);
    return order;
  }
  constexpr std::array<std::array<int, 2>, 4> kPasses = {{{0, 8}, {4, 8}, {2, 4}, {1, 2}}};
  for (const auto& [first, step] : kPasses) {
    for (int y = first; y < height; y += step) order.push_back(y);
  }
  return order;
}

}  // namespace

Result<Stored> decode_gif(std::span<const std::byte> bytes, const DecodeOptions& options) {
  int code = 0;
  std::span<const std::byte> rest = bytes;
  const GifFile gif(DGifOpen(&rest, read_bytes, &code));
  if (!gif) return damaged(code);
  DISCO_TRY(const int transparent, find_first_picture(gif.get()));
  const GifImageDesc& frame = gif->Image;
  const int width = gif->SWidth > 0 ? gif->SWidth : frame.Width;
  const int height = gif->SHeight > 0 ? gif->SHeight : frame.Height;
  DISCO_CHECK(check_size(width, height, options));
  DISCO_CHECK(check_size(frame.Width, frame.Height, options));
  Stored stored;
  if (options.header_only) {
    stored.image = models::Image{.width = width, .height = height, .rgb = {}};
    return stored;
  }
  const ColorMapObject* colours = frame.ColorMap != nullptr ? frame.ColorMap : gif->SColorMap;
  if (colours == nullptr) return failure("the GIF file has no colours", "", "Copy or download it again");

  stored.image = models::filled_image(width, height, 255, 255, 255);
  std::vector<GifPixelType> line(static_cast<std::size_t>(frame.Width));
  for (const int row : row_order(frame.Height, frame.Interlace)) {
    if (DGifGetLine(gif.get(), line.data(), frame.Width) == GIF_ERROR) return damaged(gif->Error);
    const int y = frame.Top + row;
    if (y < 0 || y >= height) continue;
    for (int x = std::max(0, -frame.Left); x < std::min(frame.Width, width - frame.Left); ++x) {
      const int index = line[static_cast<std::size_t>(x)];
      if (index == transparent || index >= colours->ColorCount) continue;
      const GifColorType& colour = colours->Colors[index];
      std::uint8_t* pixel = stored.image.row(y) + 3 * (frame.Left + x);
      pixel[0] = colour.Red;
      pixel[1] = colour.Green;
      pixel[2] = colour.Blue;
    }
  }
  return stored;
}

}  // namespace disco::data
