// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/cartoons/backgrounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "engine/data/cartoons/vocabulary.h"

namespace disco::data::cartoons {
namespace {

constexpr Colour kWhite{255, 255, 255};

Colour jitter(Colour colour, double amount, Draw& draw) {
  const auto moved = [&](double value) { return std::clamp(value + draw.uniform(-amount, amount), 0.0, 255.0); };
  // Evaluated one after another: the order of function arguments is not fixed.
  const double red = moved(colour.red), green = moved(colour.green), blue = moved(colour.blue);
  return {red, green, blue};
}

Point somewhere(Draw& draw, double left, double right, double top, double bottom) {
  const double x = draw.uniform(left, right), y = draw.uniform(top, bottom);
  return {x, y};
}

int some(Draw& draw, int low, int high) { return low + static_cast<int>(draw.below(high - low + 1)); }

void cloud(Canvas& canvas, Point at, double size, Colour colour) {
  canvas.ellipse(at, size, size * 0.42, colour);
  canvas.ellipse({at.x - size * 0.45, at.y + size * 0.1}, size * 0.55, size * 0.33, colour);
  canvas.ellipse({at.x + size * 0.3, at.y - size * 0.25}, size * 0.5, size * 0.4, colour);
}

void clouds(Canvas& canvas, Draw& draw, Colour colour) {
  for (int left = some(draw, 0, 3); left > 0; --left) {
    const Point at = somewhere(draw, 0, 1, 0.05, 0.28);
    cloud(canvas, at, draw.uniform(0.07, 0.13), colour);
  }
}

/// Everything below a gently waving line.
void waves(Canvas& canvas, double height, double amplitude, double phase, double frequency, Colour colour) {
  std::vector<Point> outline;
  for (int i = 0; i <= 16; ++i) {
    const double x = i / 16.0;
    outline.push_back({x, height + amplitude * std::sin(phase + frequency * x)});
  }
  outline.push_back({1.02, 1.02});
  outline.push_back({-0.02, 1.02});
  canvas.polygon(outline, colour);
}

void beach(Canvas& canvas, Draw& draw) {
  const Colour sky = jitter({120, 200, 250}, 18, draw);
  canvas.gradient(0, 0.4, sky, blend(sky, kWhite, 0.6));
  canvas.circle(somewhere(draw, 0.1, 0.9, 0.08, 0.2), draw.uniform(0.06, 0.1), jitter({255, 225, 80}, 12, draw));
  clouds(canvas, draw, kWhite);
  const Colour sea = jitter({20, 120, 200}, 18, draw);
  canvas.gradient(0.34, 0.6, sea, blend(sea, {120, 230, 230}, 0.7));
  for (int i = some(draw, 2, 5); i > 0; --i) {
    const Point at = somewhere(draw, 0.05, 0.95, 0.37, 0.47);
    canvas.line(at, {at.x + draw.uniform(0.05, 0.12), at.y}, 0.008, blend(sea, kWhite, 0.6));
  }
  const double phase = draw.uniform(0, 6.28), frequency = draw.uniform(4, 9);
  waves(canvas, kHorizon - 0.02, 0.02, phase, frequency, blend(sea, kWhite, 0.85));
  const Colour sand = jitter({243, 214, 140}, 12, draw);
  waves(canvas, kHorizon, 0.02, phase, frequency, sand);
  for (int i = some(draw, 6, 14); i > 0; --i) {
    canvas.ellipse(somewhere(draw, 0, 1, 0.58, 1), 0.009, 0.006, blend(sand, {150, 100, 40}, draw.uniform(0.25, 0.6)));
  }
}

void snow(Canvas& canvas, Draw& draw) {
  const Colour sky = jitter({165, 195, 225}, 15, draw);
  canvas.gradient(0, 0.6, sky, blend(sky, kWhite, 0.5));
  for (int i = some(draw, 2, 3); i > 0; --i) {
    const double x = draw.uniform(0, 1), top = draw.uniform(0.08, 0.25), half = draw.uniform(0.25, 0.4);
    const Colour rock = jitter({110, 125, 150}, 14, draw);
    const double snow_line = 0.35, foot = 0.6;
    canvas.polygon(std::array<Point, 3>{{{x, top}, {x + half, foot}, {x - half, foot}}}, rock);
    const double cap = (foot - top) * snow_line;
    canvas.polygon(std::array<Point, 5>{{{x, top},
                                         {x + half * snow_line, top + cap},
                                         {x + half * 0.1, top + cap * 0.75},
                                         {x - half * 0.12, top + cap * 1.1},
                                         {x - half * snow_line, top + cap}}},
                   {250, 252, 255});
  }
  const Colour ground = jitter({240, 246, 252}, 5, draw);
  const double phase = draw.uniform(0, 6.28);
  waves(canvas, kHorizon, 0.025, phase, 5, ground);
  waves(canvas, 0.78, 0.02, phase + 2, 6, blend(ground, {205, 220, 240}, 0.5));
  for (int i = some(draw, 12, 26); i > 0; --i) {
    canvas.circle(somewhere(draw, 0, 1, 0, 0.9), draw.uniform(0.006, 0.012), kWhite);
  }
}

void desert(Canvas& canvas, Draw& draw) {
  const Colour sky = jitter({255, 190, 110}, 15, draw);
  canvas.gradient(0, 0.6, sky, blend(sky, {255, 240, 190}, 0.7));
  canvas.circle(somewhere(draw, 0.15, 0.85, 0.12, 0.28), draw.uniform(0.08, 0.13), jitter({240, 80, 40}, 14, draw));
  for (int i = some(draw, 0, 2); i > 0; --i) {
    const double x = draw.uniform(0.1, 0.9), half = draw.uniform(0.1, 0.2), foot = kHorizon + 0.03;
    canvas.polygon(std::array<Point, 3>{{{x, foot - half * 1.1}, {x + half, foot}, {x - half, foot}}}, {176, 112, 60});
    canvas.polygon(std::array<Point, 3>{{{x, foot - half * 1.1}, {x + half, foot}, {x + half * 0.25, foot}}},
                   {140, 84, 44});
  }
  const Colour dune = jitter({222, 140, 66}, 14, draw);
  const double phase = draw.uniform(0, 6.28);
  waves(canvas, kHorizon, 0.035, phase, draw.uniform(4, 8), dune);
  waves(canvas, 0.7, 0.03, phase + draw.uniform(1, 4), 6, blend(dune, {160, 90, 30}, 0.22));
  waves(canvas, 0.86, 0.03, phase + draw.uniform(1, 4), 7, blend(dune, {255, 200, 120}, 0.3));
}

void forest(Canvas& canvas, Draw& draw) {
  const Colour deep = jitter({22, 70, 40}, 12, draw);
  canvas.gradient(0, 0.62, deep, blend(deep, {120, 170, 90}, 0.55));
  for (int i = some(draw, 5, 7); i > 0; --i) {
    const double x = draw.uniform(0, 1), width = draw.uniform(0.04, 0.07);
    const double foot = draw.uniform(kHorizon, kHorizon + 0.06);
    const Colour leaves = jitter({36, 112, 48}, 20, draw);
    canvas.rectangle(x - width / 2, 0.1, x + width / 2, foot, jitter({92, 62, 38}, 12, draw));
    for (int k = 0; k < 3; ++k) {
      const Point at = somewhere(draw, x - 0.09, x + 0.09, 0.02, 0.2);
      canvas.circle(at, draw.uniform(0.09, 0.13), blend(leaves, {90, 170, 70}, draw.uniform(0, 0.4)));
    }
  }
  const Colour ground = jitter({74, 122, 52}, 12, draw);
  waves(canvas, kHorizon + 0.04, 0.02, draw.uniform(0, 6.28), 7, ground);
  for (int i = some(draw, 10, 18); i > 0; --i) {
    const Point at = somewhere(draw, 0, 1, 0.62, 1);
    const double height = draw.uniform(0.02, 0.045), lean = draw.uniform(-0.012, 0.012);
    canvas.polygon(std::array<Point, 3>{{{at.x - 0.009, at.y}, {at.x + 0.009, at.y}, {at.x + lean, at.y - height}}},
                   blend(ground, {30, 80, 24}, draw.uniform(0.4, 0.9)));
  }
}

void moon(Canvas& canvas, Draw& draw) {
  const Colour night = jitter({12, 12, 34}, 9, draw);
  canvas.gradient(0, 0.62, night, blend(night, {50, 44, 96}, 0.6));
  for (int i = some(draw, 16, 30); i > 0; --i) {
    canvas.circle(somewhere(draw, 0, 1, 0, 0.52), draw.uniform(0.003, 0.009),
                  blend({255, 245, 200}, kWhite, draw.uniform()));
  }
  const Point earth = somewhere(draw, 0.12, 0.88, 0.1, 0.24);
  const double radius = draw.uniform(0.07, 0.11);
  canvas.circle(earth, radius, {58, 128, 226});
  canvas.ellipse({earth.x - radius * 0.3, earth.y - radius * 0.2}, radius * 0.42, radius * 0.3, {84, 178, 92});
  canvas.ellipse({earth.x + radius * 0.3, earth.y + radius * 0.4}, radius * 0.36, radius * 0.24, {84, 178, 92});
  const Colour ground = jitter({168, 168, 178}, 12, draw);
  waves(canvas, kHorizon + 0.01, 0.012, draw.uniform(0, 6.28), 5, ground);
  for (int i = some(draw, 4, 7); i > 0; --i) {
    const Point at = somewhere(draw, 0, 1, 0.6, 0.98);
    const double width = draw.uniform(0.03, 0.09);
    canvas.ellipse(at, width, width * 0.38, blend(ground, {60, 60, 70}, 0.5));
    canvas.ellipse({at.x, at.y + width * 0.09}, width * 0.82, width * 0.27, blend(ground, {80, 80, 92}, 0.22));
  }
}

void underwater(Canvas& canvas, Draw& draw) {
  const Colour water = jitter({36, 150, 210}, 18, draw);
  const Colour deep = blend(water, {6, 40, 110}, 0.75);
  canvas.gradient(0, 1, water, deep);
  for (int i = some(draw, 1, 3); i > 0; --i) {
    const double x = draw.uniform(0, 1), width = draw.uniform(0.04, 0.1), lean = draw.uniform(-0.15, 0.15);
    canvas.polygon(
        std::array<Point, 4>{{{x, -0.02}, {x + width, -0.02}, {x + lean + width * 1.8, 0.6}, {x + lean, 0.6}}},
        blend(water, {150, 220, 240}, 0.35));
  }
  const double phase = draw.uniform(0, 6.28);
  waves(canvas, 0.74, 0.03, phase, 6, blend(jitter({96, 140, 140}, 12, draw), deep, 0.3));
  waves(canvas, 0.9, 0.02, phase + 2, 7, blend(jitter({170, 170, 130}, 12, draw), deep, 0.25));
  for (int i = some(draw, 3, 6); i > 0; --i) {
    const double x = draw.uniform(0.02, 0.98), top = draw.uniform(0.45, 0.7), sway = draw.uniform(0, 6.28);
    const Colour weed = jitter({30, 130, 70}, 22, draw);
    Point before{x, 0.95};
    for (int k = 1; k <= 6; ++k) {
      const double y = 0.95 + (top - 0.95) * k / 6;
      const Point next{x + 0.02 * std::sin(sway + k * 1.3), y};
      canvas.line(before, next, 0.024 - 0.002 * k, weed);
      before = next;
    }
  }
  for (int i = some(draw, 8, 16); i > 0; --i) {
    const Point at = somewhere(draw, 0, 1, 0.02, 0.8);
    const double radius = draw.uniform(0.008, 0.02);
    canvas.circle(at, radius, {190, 232, 250});
    canvas.circle(at, radius * 0.6, blend(water, deep, at.y));
  }
}

void city(Canvas& canvas, Draw& draw) {
  const Colour sky = jitter({206, 186, 214}, 18, draw);
  canvas.gradient(0, 0.6, sky, blend(sky, {255, 232, 214}, 0.7));
  double x = -draw.uniform(0, 0.08);
  while (x < 1) {
    const double width = draw.uniform(0.13, 0.22), top = draw.uniform(0.04, 0.3);
    const std::array<Colour, 4> paints = {{{150, 70, 66}, {92, 100, 128}, {128, 116, 104}, {70, 82, 104}}};
    const Colour wall = jitter(paints[draw.below(paints.size())], 12, draw);
    canvas.rectangle(x, top, x + width - 0.01, kHorizon, wall);
    for (double window_y = top + 0.04; window_y < kHorizon - 0.06; window_y += 0.085) {
      for (double window_x = x + 0.025; window_x < x + width - 0.045; window_x += 0.06) {
        const Colour light = draw.chance(0.6) ? Colour{255, 226, 130} : blend(wall, {20, 24, 40}, 0.6);
        canvas.rectangle(window_x, window_y, window_x + 0.035, window_y + 0.045, light);
      }
    }
    x += width;
  }
  const Colour pavement = jitter({178, 176, 172}, 10, draw), road = jitter({92, 92, 98}, 8, draw);
  canvas.gradient(kHorizon, 0.64, pavement, pavement);
  canvas.gradient(0.64, 1, road, blend(road, {60, 60, 66}, 0.5));
  for (double dash = -draw.uniform(0, 0.2); dash < 1; dash += 0.24) {
    canvas.rectangle(dash, 0.81, dash + 0.13, 0.835, {240, 236, 220});
  }
}

void kitchen(Canvas& canvas, Draw& draw) {
  const std::array<Colour, 3> paints = {{{250, 226, 190}, {214, 236, 214}, {250, 214, 214}}};
  const Colour wall = jitter(paints[draw.below(paints.size())], 10, draw);
  canvas.gradient(0, kHorizon, wall, wall);
  const double cell = 0.1;
  for (double at = draw.uniform(0, cell); at < 1; at += cell) canvas.line({at, 0}, {at, kHorizon}, 0.008, kWhite);
  for (double at = 0.05; at < kHorizon; at += cell) canvas.line({0, at}, {1, at}, 0.008, kWhite);
  const double left = draw.uniform(0.1, 0.6), frame = 0.02;
  canvas.rectangle(left - frame, 0.08, left + 0.3 + frame, 0.36, {150, 96, 54});
  canvas.rectangle(left, 0.1, left + 0.3, 0.34, {176, 222, 250});
  canvas.line({left + 0.15, 0.1}, {left + 0.15, 0.34}, 0.014, {150, 96, 54});
  const Colour wood = jitter({166, 106, 62}, 14, draw);
  canvas.gradient(kHorizon - 0.08, kHorizon, wood, blend(wood, {60, 30, 10}, 0.3));
  const Colour dark = jitter({60, 60, 66}, 10, draw);
  canvas.gradient(kHorizon, 1, {238, 238, 234}, {250, 250, 246});
  const std::array<double, 5> rows = {kHorizon, 0.6, 0.7, 0.83, 1.02};
  const double vanish = draw.uniform(0.4, 0.6);
  const auto across = [&](double column, double y) { return vanish + column * (0.1 + (y - kHorizon) * 0.32); };
  for (std::size_t row = 0; row + 1 < rows.size(); ++row) {
    for (int column = -8; column < 8; ++column) {
      if ((column + static_cast<int>(row)) % 2 == 0) continue;
      canvas.polygon(std::array<Point, 4>{{{across(column, rows[row]), rows[row]},
                                           {across(column + 1, rows[row]), rows[row]},
                                           {across(column + 1, rows[row + 1]), rows[row + 1]},
                                           {across(column, rows[row + 1]), rows[row + 1]}}},
                     dark);
    }
  }
}

}  // namespace

void draw_background(Canvas& canvas, int place, Draw& draw) {
  switch (place) {
    case kBeach:
      return beach(canvas, draw);
    case kSnow:
      return snow(canvas, draw);
    case kDesert:
      return desert(canvas, draw);
    case kForest:
      return forest(canvas, draw);
    case kMoon:
      return moon(canvas, draw);
    case kUnderwater:
      return underwater(canvas, draw);
    case kCity:
      return city(canvas, draw);
    default:
      return kitchen(canvas, draw);
  }
}

}  // namespace disco::data::cartoons
