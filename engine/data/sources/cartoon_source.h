// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/data/cartoons/scene.h"
#include "engine/data/source.h"

namespace disco::data {

/// The seed of the held-out cartoons of every run, so that runs can be compared.
inline constexpr std::uint64_t kHeldOutSeed = 20260501;

/// The built-in cartoons: training scenes without end, or a number of held-out ones with candidate captions.
class CartoonSource final : public Source {
 public:
  /// `count`: nothing for an endless source. `picture_size`: side of the pictures in pixels.
  [[nodiscard]] static Result<std::shared_ptr<const CartoonSource>> open(cartoons::Split split, std::uint64_t seed,
                                                                         std::optional<std::int64_t> count,
                                                                         int picture_size);

  [[nodiscard]] std::optional<std::int64_t> size() const override { return count_; }
  [[nodiscard]] Result<Sample> read(std::int64_t index) const override;
  [[nodiscard]] Result<models::Image> display_picture(std::int64_t index, int smallest_side) const override;
  [[nodiscard]] std::string fingerprint() const override;
  [[nodiscard]] SourceReport report() const override;

 private:
  CartoonSource(std::shared_ptr<const cartoons::SpriteSheet> sprites, cartoons::Split split, std::uint64_t seed,
                std::optional<std::int64_t> count, int picture_size)
      : painter_(std::move(sprites)), split_(split), seed_(seed), count_(count), picture_size_(picture_size) {}

  cartoons::Painter painter_;
  cartoons::Split split_;
  std::uint64_t seed_;
  std::optional<std::int64_t> count_;
  int picture_size_;
};

}  // namespace disco::data
