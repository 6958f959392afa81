// SPDX-License-Identifier: GPL-3.0-or-later
#include <csetjmp>
#include <cstdio>
#include <cstring>

// jpeglib.h needs FILE and size_t from the headers above.
#include <jerror.h>
#include <jpeglib.h>

#include <algorithm>

#include "engine/data/decode/types.h"

namespace disco::data {
namespace {

// A progressive JPEG may ask for any number of passes over the picture; real ones need a dozen.
constexpr int kLargestScans = 200;

/// libjpeg reports errors by a callback that must not return. Nothing with a destructor lives in the functions that
/// call setjmp and libjpeg.
class JpegReader {
 public:
  JpegReader() {
    state_.err = jpeg_std_error(&errors_.base);
    errors_.base.error_exit = [](j_common_ptr common) {
      Errors& errors = *reinterpret_cast<Errors*>(common->err);
      errors.base.format_message(common, errors.message);
      std::longjmp(errors.jump, 1);
    };
    errors_.base.emit_message = [](j_common_ptr common, int level) {
      if (level >= 0) return;
      Errors& errors = *reinterpret_cast<Errors*>(common->err);
      if (errors.base.msg_code == JWRN_JPEG_EOF) errors.truncated = true;
      if (errors.warning[0] == '\0') errors.base.format_message(common, errors.warning);
    };
    progress_.progress_monitor = [](j_common_ptr common) {
      const auto* state = reinterpret_cast<j_decompress_ptr>(common);
      if (state->input_scan_number > kLargestScans) ERREXIT(common, JERR_BAD_PROGRESSION);
    };
  }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;
  ~JpegReader() {
    if (created_) jpeg_destroy_decompress(&state_);
  }

  bool read_header(std::span<const std::byte> bytes) {
    if (setjmp(errors_.jump) != 0) return false;
    jpeg_create_decompress(&state_);
    created_ = true;
    state_.progress = &progress_;
    jpeg_mem_src(&state_, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    jpeg_save_markers(&state_, JPEG_APP0 + 1, 0xFFFF);
    jpeg_read_header(&state_, TRUE);
    return true;
  }

  bool start() {
    if (setjmp(errors_.jump) != 0) return false;
    jpeg_start_decompress(&state_);
    return true;
  }

  bool read_row(std::uint8_t* row) {
    if (setjmp(errors_.jump) != 0) return false;
    JSAMPROW rows = row;
    jpeg_read_scanlines(&state_, &rows, 1);
    return true;
  }

  jpeg_decompress_struct& state() { return state_; }
  [[nodiscard]] bool truncated() const { return errors_.truncated; }
  [[nodiscard]] std::string warning() const { return errors_.warning; }
  [[nodiscard]] tl::unexpected<Error> error() const {
    return failure(std::string("the JPEG data are damaged: ") + errors_.message, "", "Copy or download it again");
  }

 private:
  struct Errors {
    jpeg_error_mgr base{};
    std::jmp_buf jump{};
    bool truncated = false;
    char message[JMSG_LENGTH_MAX] = {};
    char warning[JMSG_LENGTH_MAX] = {};
  };

  Errors errors_;
  jpeg_progress_mgr progress_{};
  jpeg_decompress_struct state_{};
  bool created_ = false;
};

// Only halves: the sizes between them have no SIMD code and are slower than decoding in full.
void choose_scale(jpeg_decompress_struct& state, int smallest_side) {
  if (smallest_side <= 0) return;
  const auto shorter = std::min(state.image_width, state.image_height);
  for (const unsigned part : {8U, 4U, 2U}) {
    if ((shorter + part - 1) / part >= static_cast<unsigned>(smallest_side)) {
      state.scale_num = 1;
      state.scale_denom = part;
      return;
    }
  }
}

std::vector<std::byte> exif_of(const jpeg_decompress_struct& state) {
  for (const jpeg_marker_struct* marker = state.marker_list; marker != nullptr; marker = marker->next) {
    if (marker->data_length >= 6 && std::memcmp(marker->data, "Exif\0\0", 6) == 0) {
      const auto* first = reinterpret_cast<const std::byte*>(marker->data);
      return {first, first + marker->data_length};
    }
  }
  return {};
}

Stored header_of(const jpeg_decompress_struct& state) {
  Stored stored;
  stored.image.width = static_cast<int>(state.image_width);
  stored.image.height = static_cast<int>(state.image_height);
  stored.exif = exif_of(state);
  return stored;
}

// Ink is stored inverted, as Adobe's programs and all that follow them write it, with or without their marker.
void cmyk_row_to_rgb(const std::uint8_t* cmyk, std::uint8_t* rgb, int width) {
  for (int x = 0; x < width; ++x, cmyk += 4, rgb += 3) {
    for (int channel = 0; channel < 3; ++channel) {
      rgb[channel] = static_cast<std::uint8_t>((cmyk[channel] * cmyk[3] + 127) / 255);
    }
  }
}

}  // namespace

Result<Stored> decode_jpeg(std::span<const std::byte> bytes, const DecodeOptions& options) {
  JpegReader reader;
  if (!reader.read_header(bytes)) return reader.error();
  jpeg_decompress_struct& state = reader.state();
  DISCO_CHECK(check_size(state.image_width, state.image_height, options));
  if (options.header_only) return header_of(state);
  choose_scale(state, options.smallest_side);
  const bool cmyk = state.num_components == 4;
  state.out_color_space = cmyk ? JCS_CMYK : JCS_RGB;
  if (!reader.start()) return reader.error();
  Stored stored;
  models::Image& image = stored.image;
  image.width = static_cast<int>(state.output_width);
  image.height = static_cast<int>(state.output_height);
  image.rgb.resize(image.stride() * static_cast<std::size_t>(image.height));
  std::vector<std::uint8_t> ink(cmyk ? static_cast<std::size_t>(image.width) * 4 : 0);
  for (int y = 0; y < image.height; ++y) {
    if (!reader.read_row(cmyk ? ink.data() : image.row(y))) return reader.error();
    if (reader.truncated()) {
      return failure("the JPEG file is cut off", "", "Copy or download it again");
    }
    if (cmyk) cmyk_row_to_rgb(ink.data(), image.row(y), image.width);
  }
  stored.exif = exif_of(state);
  if (const std::string warning = reader.warning(); !warning.empty()) {
    stored.warning = "the JPEG data are damaged: " + warning;
  }
  return stored;
}

}  // namespace disco::data
