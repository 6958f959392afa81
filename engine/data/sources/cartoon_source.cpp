// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/sources/cartoon_source.h"

#include <algorithm>

#include "engine/data/cartoons/describe_scene.h"

namespace disco::data {
namespace {

// Raised whenever the same seed and index give other pictures or captions.
constexpr int kCartoonsVersion = 1;

}  // namespace

Result<std::shared_ptr<const CartoonSource>> CartoonSource::open(cartoons::Split split, std::uint64_t seed,
                                                                 std::optional<std::int64_t> count, int picture_size) {
  DISCO_TRY(auto sprites, cartoons::SpriteSheet::open());
  return std::shared_ptr<const CartoonSource>(new CartoonSource(std::move(sprites), split, seed, count, picture_size));
}

Result<Sample> CartoonSource::read(std::int64_t index) const {
  const cartoons::Scene scene = cartoons::make_scene(seed_, index, split_);
  cartoons::SceneText text = cartoons::describe_scene(scene);
  Sample sample;
  sample.id = "cartoon-" + std::to_string(seed_) + "-" + std::to_string(index);
  sample.origin = "cartoon " + std::to_string(index) + " of series " + std::to_string(seed_);
  sample.picture = painter_.paint(scene, picture_size_);
  sample.captions = std::move(text.captions);
  sample.negatives = std::move(text.negatives);
  sample.matching = std::move(text.matching);
  return sample;
}

Result<models::Image> CartoonSource::display_picture(std::int64_t index, int smallest_side) const {
  return painter_.paint(cartoons::make_scene(seed_, index, split_), std::max(smallest_side, picture_size_));
}

std::string CartoonSource::fingerprint() const {
  return "cartoons " + std::to_string(kCartoonsVersion) +
         (split_ == cartoons::Split::kTraining ? " training" : " held-out") + " seed " + std::to_string(seed_) +
         " size " + std::to_string(picture_size_) + (count_ ? " count " + std::to_string(*count_) : "");
}

SourceReport CartoonSource::report() const {
  SourceReport report;
  report.what = split_ == cartoons::Split::kTraining ? "built-in cartoons" : "held-out cartoons";
  report.endless = !count_.has_value();
  report.used = count_.value_or(0);
  return report;
}

}  // namespace disco::data
