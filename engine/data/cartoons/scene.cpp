// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/cartoons/scene.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/data/cartoons/backgrounds.h"

namespace disco::data::cartoons {
namespace {

/// A sprite standing on the ground: the middle of its feet and its longer side, in unit coordinates.
struct Actor {
  Point feet;
  double size = 0;
};

struct Layout {
  std::vector<Actor> subjects;
  Actor object;
};

double around(double value, double spread, Draw& draw) { return value + draw.uniform(-spread, spread); }

/// How a group of one, two or three stands. Rows are a full size apart, so that no subject hides another and a person
/// can count them.
struct Group {
  double size;                ///< of one subject
  double width;               ///< of the group, in sizes of a subject
  double ground;              ///< where its middle stands
  std::vector<Point> places;  ///< feet relative to that middle, in sizes of a subject
};

Group group_of(int count, Draw& draw) {
  if (count == 1) return {.size = 0.42, .width = 1, .ground = 0.78, .places = {{0, 0}}};
  const double slope = draw.chance(0.5) ? 0.48 : -0.48;
  if (count == 2) return {.size = 0.30, .width = 1.9, .ground = 0.68, .places = {{-0.44, slope}, {0.44, -slope}}};
  return {.size = 0.27, .width = 2.06, .ground = 0.68, .places = {{-0.52, 0.52}, {0.52, 0.52}, {0, -0.5}}};
}

// Everything is laid out with the subjects on the left; the other side is its mirror image. Subjects and object keep to
// their halves, the object in front, so that "left" and "right" are beyond doubt.
Layout lay_out(const Composition& composition, Draw& draw) {
  const Group group = group_of(composition.count, draw);
  double size = around(group.size, 0.01, draw);
  double object_size = around(0.32, 0.01, draw);
  if (composition.oddity == Oddity::kGiant) {
    size *= composition.count == 1 ? 1.3 : 1.1;
    object_size *= 0.6;
  }
  const double half_width = group.width * size / 2;
  const double centre = std::max(half_width + 0.005, around(0.27, 0.03, draw));
  const double ground = around(group.ground, 0.02, draw);
  Layout layout;
  for (const Point& place : group.places) {
    layout.subjects.push_back({{centre + place.x * size, ground + place.y * size}, size * draw.uniform(0.97, 1.03)});
  }
  const double object_x = std::min(around(0.77, 0.03, draw), 0.99 - object_size / 2);
  layout.object = {{object_x, around(0.95, 0.02, draw)}, object_size};
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
    stand(sprite(emoji, actor.size), actor.feet);
  }

  /// Subjects look at the object: the font draws animals facing left.
  void place_subject(const Actor& actor, char32_t emoji, Oddity oddity, bool faces_right) {
    Point feet = actor.feet;
    const auto body = sprite(emoji, actor.size, faces_right, oddity == Oddity::kUpsideDown);
    shadow(feet, actor.size);
    if (oddity == Oddity::kSkateboard) {
      const auto board = sprite(kSkateboardEmoji, actor.size * 0.8, faces_right);
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

  Sprite sprite(char32_t emoji, double size, bool mirrored = false, bool upside_down = false) const {
    const int pixels = std::max(1, static_cast<int>(std::lround(size * canvas_.size())));
    return sprites_.sprite({emoji, pixels, mirrored, upside_down});
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
    stage.place_subject(subject, subjects()[static_cast<std::size_t>(what.subject)].emoji, what.oddity,
                        what.subject_left);
  }
  return canvas.take();
}

}  // namespace disco::data::cartoons
