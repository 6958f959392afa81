// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/image/preprocess.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "engine/base/vector_clones.h"
#include "models/image/resample.h"

namespace disco::models {
namespace {

constexpr std::int32_t kHalf = 1 << (kWeightBits - 1);

std::uint8_t to_byte(std::int32_t fixed) { return static_cast<std::uint8_t>(std::clamp(fixed >> kWeightBits, 0, 255)); }

/// Four lanes hold one pixel: red, green, blue and a byte of the next pixel that is thrown away.
using Pixel = std::int32_t __attribute__((vector_size(16)));
using PixelBytes = std::uint8_t __attribute__((vector_size(4)));

/// One row of the horizontal pass. in has one readable byte behind its last pixel.
DISCO_VECTOR_CLONES void resample_row(const std::uint8_t* in, const ResampleWeights& weights, int width,
                                      std::uint8_t* out) {
  for (int x = 0; x < width; ++x) {
    const auto index = static_cast<std::size_t>(x);
    const std::uint8_t* source = in + static_cast<std::size_t>(weights.first[index]) * 3;
    const std::int32_t* weight = weights.weight.data() + index * static_cast<std::size_t>(weights.taps);
    Pixel sum = {kHalf, kHalf, kHalf, kHalf};
    for (int t = 0; t < weights.count[index]; ++t, source += 3) {
      PixelBytes bytes;
      std::memcpy(&bytes, source, 4);
      sum += __builtin_convertvector(bytes, Pixel) * weight[t];
    }
    for (int c = 0; c < 3; ++c) out[index * 3 + static_cast<std::size_t>(c)] = to_byte(sum[c]);
  }
}

/// One row of the vertical pass: bytes of `count` rows from `in`, `stride` apart, into out. sums has `length` places.
DISCO_VECTOR_CLONES void resample_column(const std::uint8_t* in, std::size_t stride, const std::int32_t* weight,
                                         int count, std::size_t length, std::int32_t* sums, std::uint8_t* out) {
  for (std::size_t i = 0; i < length; ++i) sums[i] = kHalf;
  for (int t = 0; t < count; ++t) {
    const std::uint8_t* source = in + static_cast<std::size_t>(t) * stride;
    const std::int32_t w = weight[t];
    for (std::size_t i = 0; i < length; ++i) sums[i] += source[i] * w;
  }
  for (std::size_t i = 0; i < length; ++i) out[i] = to_byte(sums[i]);
}

/// One direction of a resize: which inputs it needs for the outputs that are wanted, and their weights.
struct Axis {
  OutputRange input;
  OutputRange output;
  bool unchanged = false;   ///< as many outputs as inputs: the pass is left out
  ResampleWeights weights;  ///< counted from input.from
};

Axis make_axis(int input, int output, OutputRange wanted, Interpolation interpolation) {
  Axis axis{.input = wanted, .output = wanted, .unchanged = input == output, .weights = {}};
  if (axis.unchanged) return axis;
  axis.weights = resample_weights(input, output, wanted, interpolation);
  const int from = axis.weights.first.front();
  axis.input = {.from = from, .count = axis.weights.first.back() + axis.weights.count.back() - from};
  for (int& first : axis.weights.first) first -= from;
  return axis;
}

/// The part of a picture in columns x rows.
Image cut_out(const Image& image, OutputRange columns, OutputRange rows) {
  Image out{.width = columns.count, .height = rows.count, .rgb = {}};
  out.rgb.resize(out.stride() * static_cast<std::size_t>(rows.count));
  for (int y = 0; y < rows.count; ++y)
    std::memcpy(out.row(y), image.row(rows.from + y) + static_cast<std::size_t>(columns.from) * 3, out.stride());
  return out;
}

Image horizontal_pass(const Image& image, const Axis& axis) {
  Image out{.width = axis.output.count, .height = image.height, .rgb = {}};
  out.rgb.resize(out.stride() * static_cast<std::size_t>(out.height));
  std::vector<std::uint8_t> last_row(image.stride() + 1);
  for (int y = 0; y < out.height; ++y) {
    const std::uint8_t* in = image.row(y);
    if (y == image.height - 1) {  // nothing may be read behind the picture
      std::memcpy(last_row.data(), in, image.stride());
      in = last_row.data();
    }
    resample_row(in, axis.weights, out.width, out.row(y));
  }
  return out;
}

Image vertical_pass(const Image& image, const Axis& axis) {
  Image out{.width = image.width, .height = axis.output.count, .rgb = {}};
  out.rgb.resize(out.stride() * static_cast<std::size_t>(out.height));
  std::vector<std::int32_t> sums(out.stride());
  for (int y = 0; y < out.height; ++y) {
    const auto index = static_cast<std::size_t>(y);
    resample_column(image.row(axis.weights.first[index]), image.stride(),
                    axis.weights.weight.data() + index * static_cast<std::size_t>(axis.weights.taps),
                    axis.weights.count[index], out.stride(), sums.data(), out.row(y));
  }
  return out;
}

/// The order of the passes decides what is rounded first. Pillow 13 goes down first where that removes more than twice
/// as many rows as there are columns to be removed; older versions always go across first.
bool goes_down_first(const Image& image, std::array<int, 2> size) {
  const std::int64_t rows = std::int64_t{image.height} - size[1];
  const std::int64_t columns = std::int64_t{image.width} - size[0];
  return rows > 0 && rows > 2 * columns;
}

/// The part of the resized picture in columns x rows. Only that part is computed, so that a picture of 1 x 30,000
/// pixels, whose shorter side is to become 224, costs no gigabytes.
Image resize_part(const Image& image, std::array<int, 2> size, OutputRange columns, OutputRange rows,
                  Interpolation interpolation) {
  const Axis across = make_axis(image.width, size[0], columns, interpolation);
  const Axis down = make_axis(image.height, size[1], rows, interpolation);
  const bool whole = across.input.count == image.width && down.input.count == image.height;
  Image part = whole ? Image{} : cut_out(image, across.input, down.input);
  const Image* current = whole ? &image : &part;
  const auto apply = [&](const Axis& axis, Image (*pass)(const Image&, const Axis&)) {
    if (axis.unchanged) return;
    part = pass(*current, axis);
    current = &part;
  };
  if (goes_down_first(image, size)) {
    apply(down, vertical_pass);
    apply(across, horizontal_pass);
  } else {
    apply(across, horizontal_pass);
    apply(down, vertical_pass);
  }
  return current == &part ? std::move(part) : image;
}

/// Python's round: halves go to the even neighbour.
int round_half_even(double value) { return static_cast<int>(std::nearbyint(value)); }

/// Which of `length` pixels a window of `size` around the middle shows, and where they begin in the window.
struct Window {
  OutputRange shown;
  int offset = 0;
};

Window center_window(int length, int size) {
  if (length <= size) return {.shown = {.from = 0, .count = length}, .offset = (size - length) / 2};
  return {.shown = {.from = round_half_even((length - size) / 2.0), .count = size}, .offset = 0};
}

}  // namespace

ImagePreprocess clip_preprocess(int size) {
  ImagePreprocess preprocess;
  preprocess.size = size;
  preprocess.resize = size;
  return preprocess;
}

std::array<int, 2> resized_size(int width, int height, const ImagePreprocess& preprocess) {
  const int target = preprocess.resize;
  if (preprocess.mode == ResizeMode::squash) return {target, target};
  if (preprocess.mode == ResizeMode::longest) {
    const double ratio = static_cast<double>(std::max(width, height)) / target;
    return {std::max(1, round_half_even(width / ratio)), std::max(1, round_half_even(height / ratio))};
  }
  // In whole numbers, because target * long / short in floating point can fall just below a whole result.
  const auto scaled = [target](int longer, int shorter) {
    return static_cast<int>(static_cast<std::int64_t>(target) * longer / shorter);
  };
  if (width <= height) return {target, scaled(height, width)};
  return {scaled(width, height), target};
}

Image resize(const Image& image, int width, int height, Interpolation interpolation) {
  if (image.width == width && image.height == height) return image;
  return resize_part(image, {width, height}, {.from = 0, .count = width}, {.from = 0, .count = height}, interpolation);
}

Image resize_and_crop(const Image& image, const ImagePreprocess& preprocess) {
  const int side = preprocess.size;
  if (image.empty()) return filled_image(side, side, 0, 0, 0);
  const std::array<int, 2> size = resized_size(image.width, image.height, preprocess);
  if (!preprocess.center_crop && preprocess.mode == ResizeMode::squash)
    return resize(image, size[0], size[1], preprocess.interpolation);
  const Window across = center_window(size[0], side);
  const Window down = center_window(size[1], side);
  Image part = resize_part(image, size, across.shown, down.shown, preprocess.interpolation);
  if (part.width == side && part.height == side) return part;
  Image out = filled_image(side, side, 0, 0, 0);
  for (int y = 0; y < part.height; ++y)
    std::memcpy(out.row(down.offset + y) + static_cast<std::size_t>(across.offset) * 3, part.row(y), part.stride());
  return out;
}

void normalize_chw(const Image& image, const ImagePreprocess& preprocess, float* out) {
  const std::size_t plane = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  for (std::size_t c = 0; c < 3; ++c) {
    std::array<float, 256> table;
    for (std::size_t v = 0; v < table.size(); ++v)
      table[v] = (static_cast<float>(v) / 255.0F - preprocess.mean[c]) / preprocess.std[c];
    const std::uint8_t* in = image.rgb.data() + c;
    float* to = out + c * plane;
    for (std::size_t i = 0; i < plane; ++i) to[i] = table[in[i * 3]];
  }
}

}  // namespace disco::models
