// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace disco::models {

/// A decoded picture: interleaved 8-bit RGB, rows from top to bottom without gaps.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;  ///< width * height * 3 values

  [[nodiscard]] bool empty() const { return width <= 0 || height <= 0; }
  [[nodiscard]] const std::uint8_t* row(int y) const { return rgb.data() + static_cast<std::size_t>(y) * stride(); }
  [[nodiscard]] std::uint8_t* row(int y) { return rgb.data() + static_cast<std::size_t>(y) * stride(); }
  /// Bytes from one row to the next.
  [[nodiscard]] std::size_t stride() const { return static_cast<std::size_t>(width) * 3; }

  friend bool operator==(const Image&, const Image&) = default;
};

/// A picture of one colour.
[[nodiscard]] inline Image filled_image(int width, int height, std::uint8_t red, std::uint8_t green,
                                        std::uint8_t blue) {
  Image image{.width = width, .height = height, .rgb = {}};
  image.rgb.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
  for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
    image.rgb[i] = red;
    image.rgb[i + 1] = green;
    image.rgb[i + 2] = blue;
  }
  return image;
}

}  // namespace disco::models
