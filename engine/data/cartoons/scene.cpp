// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/cartoons/scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "engine/data/cartoons/backgrounds.h"

namespace disco::data::cartoons {
namespace {

/// A sprite standing on the ground: the middle of its feet and its longer side, in unit coordinates.
struct Actor {
  Point feet;
  double size = 0;
  int tilt = 0;
  bool mirrored = false;
};

struct Layout {
  std::vector<Actor> subjects;
  Actor object;
};

double around(double value, double spread, Draw& draw) { return value + draw.uniform(-spread, spread); }

Actor actor(Point feet, double size, Draw& draw) {
  Actor made{feet, size, 0, false};
  made.tilt = 8 * (static_cast<int>(draw.below(3)) - 1);
  made.mirrored = draw.chance(0.5);
  return made;
}

// Feet of one, two and three subjects relative to the middle of their group, in sizes of a subject. Rows are a full
// size apart, so that no subject hides another and a person can count them.
std::vector<Point> arrangement(int count, Draw& draw) {
  if (count == 1) return {{0, 0}};
  if (count == 2) {
    const double slope = draw.uniform(-0.45, 0.45);
    return {{-0.52, slope}, {0.52, -slope}};
  }
  const double point = around(0, 0.15, draw);
  if (draw.chance(0.5)) return {{-0.52, 0.52}, {0.52, 0.52}, {point, -0.5}};
  return {{-0.52, -0.5}, {0.52, -0.5}, {point, 0.52}};
}

// Everything is laid out with the subjects on the left; the other side is its mirror image.
Layout lay_out(const Composition& composition, Draw& draw) {
  const bool giant = composition.oddity == Oddity::kGiant;
  constexpr std::array<double, 3> kSizes = {0.40, 0.315, 0.295};
  double size = around(kSizes[static_cast<std::size_t>(composition.count - 1)], 0.02, draw);
  double object_size = around(0.345, 0.025, draw);
  if (giant) {
    size *= composition.count == 1 ? 1.4 : 1.16;
    object_size *= 0.6;
  }
  const double group_width = composition.count == 1 ? size : 2.06 * size;
  const double group_left = draw.uniform(0.01, std::max(0.012, 0.97 - object_size - group_width));
  const double group_centre = group_left + group_width / 2;
  const double free = 0.985 - object_size - (group_left + group_width);
  const double object_left = group_left + group_width + std::clamp(draw.uniform(0.1, 1.0) * free, -0.02, 0.25);

  const double deepest = composition.count == 3 ? 0.9 - 0.52 * size : 0.86;
  const double middle = draw.uniform(std::min(deepest - 0.05, 0.72), deepest);
  Layout layout;
  for (const Point& place : arrangement(composition.count, draw)) {
    const Point feet{group_centre + place.x * size + draw.uniform(-0.01, 0.01),
                     middle + place.y * size + draw.uniform(-0.01, 0.01)};
    layout.subjects.push_back(actor(feet, size * draw.uniform(0.95, 1.03), draw));
  }
  const Point object_feet{object_left + object_size / 2, draw.uniform(0.7, 0.93)};
  layout.object = actor(object_feet, object_size, draw);
  if (!composition.subject_left) {
    for (Actor& subject : layout.subjects) subject.feet.x = 1 - subject.feet.x;
    layout.object.feet.x = 1 - layout.object.feet.x;
  }
  return layout;
}

class Stage {
 public:
  Stage(Canvas& canvas, const SpriteSheet& sprites) : canvas_(canvas), sprites_(sprites) {}

  void place_object(const Actor& actor, char32_t emoji) {
    shadow(actor.feet, actor.size);
    stand(sprite(emoji, actor.size, actor.tilt, false), actor.feet);
  }

  void place_subject(const Actor& actor, char32_t emoji, Oddity oddity) {
    Point feet = actor.feet;
    const auto body = sprite(emoji, actor.size, actor.tilt, actor.mirrored, oddity == Oddity::kUpsideDown);
    shadow(feet, actor.size);
    if (oddity == Oddity::kSkateboard) {
      const auto board = sprite(kSkateboardEmoji, actor.size * 0.8, 0, actor.mirrored);
      stand(board, {feet.x, feet.y + actor.size * 0.06});
      feet.y -= height(board) * 0.5;
    }
    if (oddity == Oddity::kBalloon) {
      feet.y -= actor.size * 0.3;
      balloon(feet, actor.size, height(body));
    }
    stand(body, feet);
    const double top = feet.y - height(body);
    if (oddity == Oddity::kTopHat) stand(sprite(kTopHatEmoji, actor.size * 0.52), {feet.x, top + actor.size * 0.12});
    if (oddity == Oddity::kCrown) stand(sprite(kCrownEmoji, actor.size * 0.46), {feet.x, top + actor.size * 0.12});
  }

 private:
  using Sprite = std::shared_ptr<const cv::Mat>;

  Sprite sprite(char32_t emoji, double size, int tilt = 0, bool mirrored = false, bool upside_down = false) const {
    const int pixels = std::max(1, static_cast<int>(std::lround(size * canvas_.size())));
    return sprites_.sprite({emoji, pixels, tilt, mirrored, upside_down});
  }

  double height(const Sprite& sprite) const { return static_cast<double>(sprite->rows) / canvas_.size(); }

  void stand(const Sprite& sprite, Point feet) {
    draw_sprite(canvas_, *sprite, static_cast<int>(std::lround(feet.x * canvas_.size() - sprite->cols / 2.0)),
                static_cast<int>(std::lround(feet.y * canvas_.size())) - sprite->rows);
  }

  void shadow(Point feet, double size) {
    canvas_.ellipse({feet.x, feet.y - size * 0.01}, size * 0.42, size * 0.09, {10, 16, 30}, 0.32);
  }

  void balloon(Point feet, double size, double body) {
    const auto balloon = sprite(kBalloonEmoji, size * 0.5);
    const double bottom = std::max(feet.y - body - size * 0.02, height(balloon));
    canvas_.line({feet.x, bottom}, {feet.x, feet.y - body * 0.6}, size * 0.025, {120, 110, 110});
    stand(balloon, {feet.x, bottom});
  }

  Canvas& canvas_;
  const SpriteSheet& sprites_;
};

}  // namespace

Scene make_scene(std::uint64_t seed, std::int64_t index, Split split) {
  Draw draw(seed, 0, static_cast<std::uint64_t>(index),
            split == Split::kTraining ? "cartoon composition" : "held-out cartoon composition");
  return {draw_composition(split, draw), seed, index};
}

models::Image Painter::paint(const Scene& scene, int size) const {
  const Composition& what = scene.composition;
  Draw draw(scene.seed, 0, static_cast<std::uint64_t>(scene.index), "cartoon look");
  Canvas canvas(size);
  draw_background(canvas, what.place, draw);
  Layout layout = lay_out(what, draw);
  std::ranges::stable_sort(layout.subjects, {}, [](const Actor& subject) { return subject.feet.y; });
  Stage stage(canvas, *sprites_);
  stage.place_object(layout.object, objects()[static_cast<std::size_t>(what.object)].emoji);
  for (const Actor& subject : layout.subjects) {
    stage.place_subject(subject, subjects()[static_cast<std::size_t>(what.subject)].emoji, what.oddity);
  }
  return canvas.take();
}

}  // namespace disco::data::cartoons
