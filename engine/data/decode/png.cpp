// SPDX-License-Identifier: GPL-3.0-or-later
#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>

#include "engine/data/decode/types.h"

namespace disco::data {
namespace {

// Deflate cannot pack better than this: a file that claims more pixels than its bytes can hold is refused.
constexpr std::uint64_t kLargestDeflateRatio = 1032;

/// libpng reports errors by a callback that must not return. Nothing with a destructor lives in the functions that
/// call setjmp and libpng.
class PngReader {
 public:
  explicit PngReader(std::span<const std::byte> bytes) : rest_(bytes) {}
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }

  bool read_header() {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, [](png_structp, png_const_charp) {});
    info_ = png_ != nullptr ? png_create_info_struct(png_) : nullptr;
    if (info_ == nullptr) return false;
    if (setjmp(jump_) != 0) return false;
    png_set_read_fn(png_, this, on_read);
    png_set_user_limits(png_, 0x7FFFFFFF, 0x7FFFFFFF);  // the picture's size is checked by the caller
    png_set_chunk_malloc_max(png_, 64U << 20);
    png_read_info(png_, info_);
    return true;
  }

  /// Asks for 8-bit RGB or RGBA whatever the file holds; 16-bit values keep their upper byte.
  bool start() {
    if (setjmp(jump_) != 0) return false;
    png_set_expand(png_);
    png_set_strip_16(png_);
    png_set_gray_to_rgb(png_);
    png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    return true;
  }

  bool read_rows(png_bytepp rows) {
    if (setjmp(jump_) != 0) return false;
    png_read_image(png_, rows);
    return true;
  }

  bool read_end() {
    if (setjmp(jump_) != 0) return false;
    png_read_end(png_, info_);
    return true;
  }

  [[nodiscard]] std::vector<std::byte> exif() {
    png_bytep data = nullptr;
    png_uint_32 size = 0;
    if (png_get_eXIf_1(png_, info_, &size, &data) == 0 || data == nullptr) return {};
    const auto* first = reinterpret_cast<const std::byte*>(data);
    return {first, first + size};
  }

  [[nodiscard]] std::int64_t width() const { return png_get_image_width(png_, info_); }
  [[nodiscard]] std::int64_t height() const { return png_get_image_height(png_, info_); }
  [[nodiscard]] std::uint64_t bits_per_pixel() const {
    return static_cast<std::uint64_t>(png_get_bit_depth(png_, info_)) * png_get_channels(png_, info_);
  }
  [[nodiscard]] std::size_t row_bytes() const { return png_get_rowbytes(png_, info_); }
  [[nodiscard]] bool has_alpha() const { return png_get_channels(png_, info_) == 4; }

  [[nodiscard]] tl::unexpected<Error> error() const {
    if (cut_off_) return failure("the PNG file is cut off", "", "Copy or download it again");
    return failure(std::string("the PNG data are damaged: ") + message_, "", "Copy or download it again");
  }

 private:
  static void on_error(png_structp png, png_const_charp message) {
    PngReader& self = *static_cast<PngReader*>(png_get_error_ptr(png));
    std::strncpy(self.message_, message, sizeof self.message_ - 1);
    std::longjmp(self.jump_, 1);
  }

  static void on_read(png_structp png, png_bytep out, std::size_t size) {
    PngReader& self = *static_cast<PngReader*>(png_get_io_ptr(png));
    if (size > self.rest_.size()) {
      self.cut_off_ = true;
      png_error(png, "end of file");
    }
    std::memcpy(out, self.rest_.data(), size);
    self.rest_ = self.rest_.subspan(size);
  }

  std::span<const std::byte> rest_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::jmp_buf jump_{};
  bool cut_off_ = false;
  char message_[160] = {};
};

Result<void> check_ratio(const PngReader& reader, std::size_t file_bytes) {
  const std::uint64_t row = (static_cast<std::uint64_t>(reader.width()) * reader.bits_per_pixel() + 7) / 8;
  if (row * static_cast<std::uint64_t>(reader.height()) / kLargestDeflateRatio <= file_bytes) return {};
  return failure("the PNG file claims " + std::to_string(reader.width()) + " x " + std::to_string(reader.height()) +
                     " pixels, more than its bytes can hold",
                 "", "It is damaged or made to harm; leave it out");
}

}  // namespace

Result<Stored> decode_png(std::span<const std::byte> bytes, const DecodeOptions& options) {
  PngReader reader(bytes);
  if (!reader.read_header()) return reader.error();
  DISCO_CHECK(check_size(reader.width(), reader.height(), options));
  DISCO_CHECK(check_ratio(reader, bytes.size()));
  const int width = static_cast<int>(reader.width()), height = static_cast<int>(reader.height());
  Stored stored;
  if (options.header_only) {
    stored.image = models::Image{.width = width, .height = height, .rgb = {}};
    stored.exif = reader.exif();
    return stored;
  }
  if (!reader.start()) return reader.error();
  const std::size_t stride = reader.row_bytes();
  std::vector<std::uint8_t> pixels(stride * static_cast<std::size_t>(height));
  std::vector<png_bytep> rows(static_cast<std::size_t>(height));
  for (std::size_t y = 0; y < rows.size(); ++y) rows[y] = pixels.data() + y * stride;
  if (!reader.read_rows(rows.data())) return reader.error();
  if (!reader.read_end()) stored.warning = "the end of the PNG file is damaged";
  if (reader.has_alpha()) {
    stored.image = image_over_white(pixels.data(), width, height, stride);
  } else {
    stored.image = models::Image{.width = width, .height = height, .rgb = std::move(pixels)};
  }
  stored.exif = reader.exif();
  return stored;
}

}  // namespace disco::data
