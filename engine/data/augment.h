// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/random.h"
#include "engine/run/run_config.h"
#include "models/image/preprocess.h"

namespace disco::data {

/// A part of a picture in pixels.
struct CropBox {
  int left = 0, top = 0, width = 0, height = 0;
};

/// A part whose area is a random share of the picture's, between smallest_crop and all of it, with a ratio of sides
/// between 3:4 and 4:3, anywhere. The whole picture where ten tries find none that fits.
[[nodiscard]] CropBox draw_crop(int width, int height, double smallest_crop, Draw& draw);

/// The part of the picture; the box lies inside it.
[[nodiscard]] models::Image crop(const models::Image& image, const CropBox& box);

/// Left and right exchanged.
[[nodiscard]] models::Image mirrored(models::Image image);

/// What the model sees of a picture in training: a random part if asked for, resized as `preprocess` says, mirrored or
/// not. Without augmentation it is exactly what it sees in evaluation.
[[nodiscard]] models::Image augmented_view(const models::Image& image, const models::ImagePreprocess& preprocess,
                                           const AugmentSettings& settings, Draw& draw);

}  // namespace disco::data
