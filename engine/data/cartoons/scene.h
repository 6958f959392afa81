// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "engine/base/error.h"
#include "engine/data/cartoons/composition.h"
#include "engine/data/cartoons/sprites.h"
#include "models/image/image.h"

namespace disco::data::cartoons {

/// One cartoon: what it shows, and the key of everything about its look.
struct Scene {
  Composition composition;
  std::uint64_t seed = 0;
  std::int64_t index = 0;
};

/// Scene number `index` of the endless series that `seed` and the split name.
[[nodiscard]] Scene make_scene(std::uint64_t seed, std::int64_t index, Split split);

/// Draws scenes at any size. Thread-safe; a picture is a pure function of the scene and the size.
class Painter {
 public:
  explicit Painter(std::shared_ptr<const SpriteSheet> sprites) : sprites_(std::move(sprites)) {}

  /// A square picture, size x size pixels; the same scene at another size is the same picture, finer or coarser.
  [[nodiscard]] models::Image paint(const Scene& scene, int size) const;

 private:
  std::shared_ptr<const SpriteSheet> sprites_;
};

}  // namespace disco::data::cartoons
