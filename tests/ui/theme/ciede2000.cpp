// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/theme/ciede2000.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace disco::ui {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

constexpr double degree = std::numbers::pi / 180;

constexpr Matrix deuteranopia{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix protanopia{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix tritanopia{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

Triple times(const Matrix& matrix, const Triple& vector) {
  Triple result{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result[i] += matrix[i][j] * vector[j];
  return result;
}

double linear(std::uint32_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double hue(double a, double b) {
  if (a == 0 && b == 0) return 0;
  const double angle = std::atan2(b, a) / degree;
  return angle < 0 ? angle + 360 : angle;
}

}  // namespace

Triple seen(std::uint32_t colour, Sight sight) {
  const Triple rgb{linear(colour >> 16 & 0xFF), linear(colour >> 8 & 0xFF), linear(colour & 0xFF)};
  Triple result = rgb;
  if (sight == Sight::deuteranope) result = times(deuteranopia, rgb);
  if (sight == Sight::protanope) result = times(protanopia, rgb);
  if (sight == Sight::tritanope) result = times(tritanopia, rgb);
  for (double& channel : result) channel = std::clamp(channel, 0.0, 1.0);
  return result;
}

Triple lab_of(const Triple& rgb) {
  constexpr Matrix to_xyz{
      {{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}};
  constexpr Triple white{0.95047, 1.0, 1.08883};
  const Triple xyz = times(to_xyz, rgb);
  Triple f{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double t = xyz[i] / white[i];
    f[i] = t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
  }
  return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

double ciede2000(const Triple& first, const Triple& second) {
  const double c1 = std::hypot(first[1], first[2]);
  const double c2 = std::hypot(second[1], second[2]);
  const double mean7 = std::pow((c1 + c2) / 2, 7);
  const double g = 0.5 * (1 - std::sqrt(mean7 / (mean7 + std::pow(25.0, 7))));
  const double a1 = (1 + g) * first[1];
  const double a2 = (1 + g) * second[1];
  const double chroma1 = std::hypot(a1, first[2]);
  const double chroma2 = std::hypot(a2, second[2]);
  const double h1 = hue(a1, first[2]);
  const double h2 = hue(a2, second[2]);
  const bool grey = chroma1 * chroma2 == 0;
  double dh = grey ? 0 : h2 - h1;
  if (dh > 180) dh -= 360;
  if (dh < -180) dh += 360;
  double h = h1 + h2;
  if (!grey) h = std::fabs(h1 - h2) <= 180 ? h / 2 : h < 360 ? (h + 360) / 2 : (h - 360) / 2;
  const double lightness = (first[0] + second[0]) / 2;
  const double chroma = (chroma1 + chroma2) / 2;
  const double t = 1 - 0.17 * std::cos((h - 30) * degree) + 0.24 * std::cos(2 * h * degree) +
                   0.32 * std::cos((3 * h + 6) * degree) - 0.20 * std::cos((4 * h - 63) * degree);
  const double off = (lightness - 50) * (lightness - 50);
  const double sl = 1 + 0.015 * off / std::sqrt(20 + off);
  const double sc = 1 + 0.045 * chroma;
  const double sh = 1 + 0.015 * chroma * t;
  const double chroma7 = std::pow(chroma, 7);
  const double turn = 30 * std::exp(-std::pow((h - 275) / 25, 2));
  const double rotation = -2 * std::sqrt(chroma7 / (chroma7 + std::pow(25.0, 7))) * std::sin(2 * turn * degree);
  const double dl = (second[0] - first[0]) / sl;
  const double dc = (chroma2 - chroma1) / sc;
  const double dhue = 2 * std::sqrt(chroma1 * chroma2) * std::sin(dh / 2 * degree) / sh;
  return std::sqrt(dl * dl + dc * dc + dhue * dhue + rotation * dc * dhue);
}

}  // namespace disco::ui
