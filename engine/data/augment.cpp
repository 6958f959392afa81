// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/augment.h"

#include <algorithm>
#include <cmath>

namespace disco::data {

CropBox draw_crop(int width, int height, double smallest_crop, Draw& draw) {
  constexpr int kTries = 10;
  const double area = static_cast<double>(width) * height;
  for (int i = 0; i < kTries; ++i) {
    const double wanted = area * draw.uniform(smallest_crop, 1.0);
    // Even in the logarithm, so that wide and tall are equally likely.
    const double ratio = std::exp(draw.uniform(std::log(3.0 / 4), std::log(4.0 / 3)));
    const int crop_width = static_cast<int>(std::lround(std::sqrt(wanted * ratio)));
    const int crop_height = static_cast<int>(std::lround(std::sqrt(wanted / ratio)));
    if (crop_width < 1 || crop_height < 1 || crop_width > width || crop_height > height) continue;
    const auto left = draw.below(static_cast<std::uint64_t>(width - crop_width) + 1);
    const auto top = draw.below(static_cast<std::uint64_t>(height - crop_height) + 1);
    return {static_cast<int>(left), static_cast<int>(top), crop_width, crop_height};
  }
  return {0, 0, width, height};
}

models::Image crop(const models::Image& image, const CropBox& box) {
  models::Image part{.width = box.width, .height = box.height, .rgb = {}};
  part.rgb.resize(part.stride() * static_cast<std::size_t>(box.height));
  for (int y = 0; y < box.height; ++y) {
    std::copy_n(image.row(box.top + y) + 3 * static_cast<std::size_t>(box.left), part.stride(), part.row(y));
  }
  return part;
}

models::Image mirrored(models::Image image) {
  for (int y = 0; y < image.height; ++y) {
    std::uint8_t* row = image.row(y);
    for (int left = 0, right = image.width - 1; left < right; ++left, --right) {
      std::swap_ranges(row + 3 * left, row + 3 * left + 3, row + 3 * right);
    }
  }
  return image;
}

models::Image augmented_view(const models::Image& image, const models::ImagePreprocess& preprocess,
                             const AugmentSettings& settings, Draw& draw) {
  models::Image view;
  if (settings.smallest_crop < 1.0) {
    const models::Image part = crop(image, draw_crop(image.width, image.height, settings.smallest_crop, draw));
    view = models::resize(part, preprocess.size, preprocess.size, preprocess.interpolation);
  } else {
    view = models::resize_and_crop(image, preprocess);
  }
  if (settings.flip && draw.chance(0.5)) return mirrored(std::move(view));
  return view;
}

}  // namespace disco::data
