// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/cartoons/composition.h"

namespace disco::data::cartoons {
namespace {

constexpr double kOddShare = 0.25;

int pick(Draw& draw, int choices) { return static_cast<int>(draw.below(static_cast<std::uint64_t>(choices))); }

}  // namespace

std::string_view attribute_id(Attribute attribute) {
  switch (attribute) {
    case Attribute::kSubject:
      return "subject";
    case Attribute::kObject:
      return "object";
    case Attribute::kPlace:
      return "place";
    case Attribute::kCount:
      return "count";
    case Attribute::kSide:
      break;
  }
  return "side";
}

Split split_of(const Composition& composition) {
  return (composition.subject + composition.object + composition.place) % 4 == 0 ? Split::kHeldOut : Split::kTraining;
}

Composition draw_composition(Split split, Draw& draw) {
  Composition drawn;
  do {
    drawn.subject = pick(draw, kSubjects);
    drawn.object = pick(draw, kObjects);
    drawn.place = pick(draw, kPlaces);
  } while (split_of(drawn) != split);
  drawn.count = 1 + pick(draw, kMaxCount);
  drawn.subject_left = pick(draw, 2) == 0;
  if (draw.chance(kOddShare)) drawn.oddity = static_cast<Oddity>(1 + pick(draw, kOddities - 1));
  return drawn;
}

Composition near_miss(const Composition& composition, Attribute attribute, Draw& draw) {
  const Split split = split_of(composition);
  Composition miss = composition;
  const auto redraw = [&](int& value, int low, int choices) {
    const int before = value;
    do {
      value = low + pick(draw, choices);
    } while (value == before || split_of(miss) != split);
  };
  switch (attribute) {
    case Attribute::kSubject:
      redraw(miss.subject, 0, kSubjects);
      break;
    case Attribute::kObject:
      redraw(miss.object, 0, kObjects);
      break;
    case Attribute::kPlace:
      redraw(miss.place, 0, kPlaces);
      break;
    case Attribute::kCount:
      redraw(miss.count, 1, kMaxCount);
      break;
    case Attribute::kSide:
      miss.subject_left = !miss.subject_left;
      break;
  }
  return miss;
}

}  // namespace disco::data::cartoons
