// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <opencv2/core/mat.hpp>
#include <span>

#include "models/image/image.h"

namespace disco::data::cartoons {

/// Red, green, blue in 0 … 255.
struct Colour {
  double red = 0, green = 0, blue = 0;
};

/// a at t = 0, b at t = 1.
[[nodiscard]] Colour blend(Colour a, Colour b, double t);

/// A point of the unit square, y downwards.
struct Point {
  double x = 0, y = 0;
};

/// Draws antialiased shapes in unit coordinates onto a square picture of any size.
class Canvas {
 public:
  explicit Canvas(int size);

  /// Fills rows from top to bottom with a vertical gradient.
  void gradient(double top, double bottom, Colour from, Colour to);
  void rectangle(double left, double top, double right, double bottom, Colour colour);
  void ellipse(Point centre, double radius_x, double radius_y, Colour colour, double opacity = 1.0);
  void circle(Point centre, double radius, Colour colour) { ellipse(centre, radius, radius, colour); }
  void polygon(std::span<const Point> points, Colour colour);
  void line(Point from, Point to, double width, Colour colour);

  [[nodiscard]] int size() const { return mat_.cols; }
  /// First byte of pixel (x, y); the caller stays inside the picture.
  [[nodiscard]] std::uint8_t* pixel(int x, int y) { return mat_.ptr(y) + 3 * x; }
  /// Gives the picture away; the canvas is empty afterwards.
  [[nodiscard]] models::Image take();

 private:
  models::Image image_;
  cv::Mat mat_;  ///< a view of image_
};

}  // namespace disco::data::cartoons
