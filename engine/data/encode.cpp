// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/encode.h"

#include <csetjmp>
#include <cstdio>
#include <cstdlib>

// jpeglib.h needs FILE and size_t from the headers above.
#include <jpeglib.h>
#include <png.h>

namespace disco::data {
namespace {

/// libjpeg reports errors by a callback that must not return. Nothing with a destructor lives in the function that
/// calls setjmp and libjpeg.
class JpegWriter {
 public:
  JpegWriter() {
    state_.err = jpeg_std_error(&errors_.base);
    errors_.base.error_exit = [](j_common_ptr common) {
      Errors& errors = *reinterpret_cast<Errors*>(common->err);
      errors.base.format_message(common, errors.message);
      std::longjmp(errors.jump, 1);
    };
  }
  JpegWriter(const JpegWriter&) = delete;
  JpegWriter& operator=(const JpegWriter&) = delete;
  ~JpegWriter() {
    jpeg_destroy_compress(&state_);
    std::free(bytes_);
  }

  bool write(const models::Image& image, int quality) {
    if (setjmp(errors_.jump) != 0) return false;
    jpeg_create_compress(&state_);
    jpeg_mem_dest(&state_, &bytes_, &size_);
    state_.image_width = static_cast<JDIMENSION>(image.width);
    state_.image_height = static_cast<JDIMENSION>(image.height);
    state_.input_components = 3;
    state_.in_color_space = JCS_RGB;
    jpeg_set_defaults(&state_);
    jpeg_set_quality(&state_, quality, TRUE);
    state_.comp_info[0].h_samp_factor = 1;
    state_.comp_info[0].v_samp_factor = 1;
    jpeg_start_compress(&state_, TRUE);
    while (state_.next_scanline < state_.image_height) {
      // libjpeg does not write to its input; its interface only lacks the const.
      JSAMPROW row = const_cast<JSAMPROW>(image.row(static_cast<int>(state_.next_scanline)));
      jpeg_write_scanlines(&state_, &row, 1);
    }
    jpeg_finish_compress(&state_);
    return true;
  }

  [[nodiscard]] std::string bytes() const { return {reinterpret_cast<const char*>(bytes_), size_}; }
  [[nodiscard]] std::string message() const { return errors_.message; }

 private:
  struct Errors {
    jpeg_error_mgr base{};
    std::jmp_buf jump{};
    char message[JMSG_LENGTH_MAX] = {};
  };
  Errors errors_;
  jpeg_compress_struct state_{};
  unsigned char* bytes_ = nullptr;
  unsigned long size_ = 0;
};

}  // namespace

Result<std::string> encode_jpeg(const models::Image& image, int quality) {
  if (image.empty()) return failure("an empty picture cannot be written");
  JpegWriter writer;
  if (!writer.write(image, quality)) return failure("the picture cannot be written as JPEG: " + writer.message());
  return writer.bytes();
}

Result<std::string> encode_png(const models::Image& image) {
  if (image.empty()) return failure("an empty picture cannot be written");
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr) == 0) {
    return failure(std::string("the picture cannot be written as PNG: ") + png.message);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace disco::data
