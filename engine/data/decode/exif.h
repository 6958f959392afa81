// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

#include "models/image/image.h"

namespace disco::data {

/// What an EXIF block says about how the camera was held.
struct Orientation {
  int value = 1;        ///< 1 … 8; 1 is upright, also where nothing usable is said
  bool broken = false;  ///< the block could not be understood
};

/// Reads tag 0x0112 of the first directory. The block is a TIFF structure of either byte order, with or without (even
/// repeated) "Exif\0\0" in front; an empty block is upright and not broken.
[[nodiscard]] Orientation read_orientation(std::span<const std::byte> exif);

/// Turns a picture (or one that has only its size) stored with this orientation upright (EXIF 2.32, 4.6.4: 2 and 4 are
/// mirrored, 5 to 8 on their side).
[[nodiscard]] models::Image turn_upright(models::Image image, int orientation);

}  // namespace disco::data
