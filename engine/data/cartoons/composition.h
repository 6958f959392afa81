// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

#include "engine/base/random.h"
#include "engine/data/cartoons/vocabulary.h"

namespace disco::data::cartoons {

/// The five things every complete caption tells, and near misses differ in.
enum class Attribute { kSubject, kObject, kPlace, kCount, kSide };
inline constexpr std::array kAttributes = {Attribute::kSubject, Attribute::kObject, Attribute::kPlace,
                                           Attribute::kCount, Attribute::kSide};
[[nodiscard]] std::string_view attribute_id(Attribute attribute);

/// What a scene shows. Count and side are free; only (subject, object, place) decides the split.
struct Composition {
  int subject = 0;
  int object = 0;
  int place = 0;
  int count = 1;             ///< subjects, 1 … kMaxCount; there is always one object
  bool subject_left = true;  ///< subjects left of the object as the viewer sees it
  Oddity oddity = Oddity::kNone;

  bool operator==(const Composition&) const = default;
};

enum class Split { kTraining, kHeldOut };

/// Every fourth triple is held out: (subject + object + place) mod 4 = 0. Because all three ranges are multiples of
/// four, each held-out triple has the same number of held-out neighbours in every attribute, and so has each training
/// triple of training neighbours: drawing a triple and then a neighbour visits all values evenly, and right and wrong
/// captions cannot be told apart without the picture.
[[nodiscard]] Split split_of(const Composition& composition);

/// A composition of the split, every value equally likely; odd with a fixed share, independent of all else.
[[nodiscard]] Composition draw_composition(Split split, Draw& draw);

/// The same composition but for one attribute, still in the same split; every such neighbour equally likely.
[[nodiscard]] Composition near_miss(const Composition& composition, Attribute attribute, Draw& draw);

}  // namespace disco::data::cartoons
