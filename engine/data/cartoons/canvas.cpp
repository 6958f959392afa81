// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/cartoons/canvas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace disco::data::cartoons {
namespace {

// OpenCV takes subpixel positions as integers with this many fractional bits.
constexpr int kShift = 6;
constexpr double kUnit = 1 << kShift;

// OpenCV draws ellipses up to this radius, in pixels, with so few corners that they look like diamonds.
constexpr double kSmallRadius = 10;

std::array<Point, 16> small_ellipse(Point centre, double radius_x, double radius_y) {
  std::array<Point, 16> outline;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const double angle = static_cast<double>(i) * 2 * std::numbers::pi / static_cast<double>(outline.size());
    outline[i] = {centre.x + radius_x * std::cos(angle), centre.y + radius_y * std::sin(angle)};
  }
  return outline;
}

cv::Scalar scalar(Colour colour) { return {colour.red, colour.green, colour.blue}; }

}  // namespace

Colour blend(Colour a, Colour b, double t) {
  return {a.red + (b.red - a.red) * t, a.green + (b.green - a.green) * t, a.blue + (b.blue - a.blue) * t};
}

Canvas::Canvas(int size)
    : image_{size, size, std::vector<std::uint8_t>(static_cast<std::size_t>(size) * size * 3)},
      mat_(size, size, CV_8UC3, image_.rgb.data()) {}

models::Image Canvas::take() {
  mat_ = cv::Mat();
  return std::move(image_);
}

namespace {

// Pixel centres lie at half-integers in unit coordinates and at integers for OpenCV.
cv::Point fixed(Point point, int size) {
  return {static_cast<int>(std::lround((point.x * size - 0.5) * kUnit)),
          static_cast<int>(std::lround((point.y * size - 0.5) * kUnit))};
}

}  // namespace

void Canvas::gradient(double top, double bottom, Colour from, Colour to) {
  const int first = std::clamp(static_cast<int>(std::lround(top * size())), 0, size());
  const int last = std::clamp(static_cast<int>(std::lround(bottom * size())), 0, size());
  for (int y = first; y < last; ++y) {
    mat_.row(y).setTo(scalar(blend(from, to, (y - first + 0.5) / (last - first))));
  }
}

void Canvas::rectangle(double left, double top, double right, double bottom, Colour colour) {
  const std::array<Point, 4> corners = {{{left, top}, {right, top}, {right, bottom}, {left, bottom}}};
  polygon(corners, colour);
}

void Canvas::ellipse(Point centre, double radius_x, double radius_y, Colour colour, double opacity) {
  const cv::Size axes(std::max(1, static_cast<int>(std::lround(radius_x * size() * kUnit))),
                      std::max(1, static_cast<int>(std::lround(radius_y * size() * kUnit))));
  if (opacity >= 1.0 && std::max(radius_x, radius_y) * size() < kSmallRadius) {
    polygon(small_ellipse(centre, radius_x, radius_y), colour);
    return;
  }
  if (opacity >= 1.0) {
    cv::ellipse(mat_, fixed(centre, size()), axes, 0, 0, 360, scalar(colour), cv::FILLED, cv::LINE_AA, kShift);
    return;
  }
  const cv::Rect all(0, 0, size(), size());
  const int left = static_cast<int>(std::floor((centre.x - radius_x) * size())) - 1;
  const int top = static_cast<int>(std::floor((centre.y - radius_y) * size())) - 1;
  const cv::Rect box =
      cv::Rect(left, top, static_cast<int>(2 * radius_x * size()) + 4, static_cast<int>(2 * radius_y * size()) + 4) &
      all;
  if (box.empty()) return;
  cv::Mat part = mat_(box).clone();
  const cv::Point moved = fixed(centre, size()) - cv::Point(box.x, box.y) * static_cast<int>(kUnit);
  cv::ellipse(part, moved, axes, 0, 0, 360, scalar(colour), cv::FILLED, cv::LINE_AA, kShift);
  cv::Mat target = mat_(box);
  cv::addWeighted(part, opacity, target, 1.0 - opacity, 0.0, target);
}

void Canvas::polygon(std::span<const Point> points, Colour colour) {
  std::vector<cv::Point> fixed_points;
  fixed_points.reserve(points.size());
  for (const Point& point : points) fixed_points.push_back(fixed(point, size()));
  cv::fillPoly(mat_, std::vector<std::vector<cv::Point>>{std::move(fixed_points)}, scalar(colour), cv::LINE_AA, kShift);
}

void Canvas::line(Point from, Point to, double width, Colour colour) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  if (length <= 0) return;
  const double half = std::max(width, 1.0 / size()) / 2;
  const double across_x = -(to.y - from.y) / length * half, across_y = (to.x - from.x) / length * half;
  const std::array<Point, 4> outline = {{{from.x + across_x, from.y + across_y},
                                         {to.x + across_x, to.y + across_y},
                                         {to.x - across_x, to.y - across_y},
                                         {from.x - across_x, from.y - across_y}}};
  polygon(outline, colour);
}

}  // namespace disco::data::cartoons
