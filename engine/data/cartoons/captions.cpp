// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/cartoons/captions.h"

#include <algorithm>
#include <array>

namespace disco::data::cartoons {
namespace {

constexpr int kForms = 6;
constexpr int kPartialForms = 8;

int pick(Draw& draw, int choices) { return static_cast<int>(draw.below(static_cast<std::uint64_t>(choices))); }

std::string with_article(std::string_view noun) {
  const bool vowel = std::string_view("aeiou").find(noun.front()) != std::string_view::npos && !noun.starts_with("uni");
  return (vowel ? "an " : "a ") + std::string(noun);
}

/// The parts of a caption, ready to be put together.
struct Parts {
  std::string who;                             ///< "two giant foxes"
  std::string what;                            ///< "an anchor"
  std::string where;                           ///< "on a beach"
  std::string beside;                          ///< "to the left of"
  std::string_view subject_side, object_side;  ///< "left", "right"
  std::string_view is;                         ///< "is" or "are"
};

std::string subject_phrase(const Composition& composition, const Wording& wording) {
  const Noun& noun = subjects()[static_cast<std::size_t>(composition.subject)];
  const OddityWords& odd = words(composition.oddity);
  const bool one = composition.count == 1;
  std::string named(one ? noun.singular : noun.plural);
  if (wording.say_oddity && !odd.adjective.empty()) named = std::string(odd.adjective) + " " + named;
  constexpr std::array<std::array<std::string_view, 3>, 3> kNumbers = {
      {{"", "one ", "a single "}, {"two ", "two ", "a pair of "}, {"three ", "three ", "a trio of "}}};
  const std::string_view number =
      kNumbers[static_cast<std::size_t>(composition.count - 1)][static_cast<std::size_t>(wording.count_style)];
  std::string phrase = number.empty() ? with_article(named) : std::string(number) + named;
  const std::string_view modifier = one ? odd.modifier_singular : odd.modifier_plural;
  if (wording.say_oddity && !modifier.empty()) phrase += " " + std::string(modifier);
  return phrase;
}

Parts parts_of(const Composition& composition, const Wording& wording) {
  constexpr std::array<std::array<std::string_view, 2>, 3> kBeside = {
      {{"to the left of", "to the right of"},
       {"left of", "right of"},
       {"on the left side of", "on the right side of"}}};
  const std::size_t side = composition.subject_left ? 0 : 1;
  Parts parts;
  parts.who = subject_phrase(composition, wording);
  parts.what = with_article(objects()[static_cast<std::size_t>(composition.object)].singular);
  parts.where =
      places()[static_cast<std::size_t>(composition.place)].phrases[static_cast<std::size_t>(wording.place_style)];
  parts.beside = kBeside[static_cast<std::size_t>(wording.side_style)][side];
  parts.subject_side = composition.subject_left ? "left" : "right";
  parts.object_side = composition.subject_left ? "right" : "left";
  parts.is = composition.count == 1 ? "is" : "are";
  return parts;
}

std::string join(std::initializer_list<std::string_view> pieces) {
  std::string text;
  for (const std::string_view piece : pieces) text += piece;
  return text;
}

std::string the_subjects(const Composition& composition) {
  const Noun& noun = subjects()[static_cast<std::size_t>(composition.subject)];
  return join({"the ", composition.count == 1 ? noun.singular : noun.plural});
}

std::string oddity_caption(const Composition& composition, const Wording& wording, Draw& draw) {
  const OddityWords& odd = words(composition.oddity);
  const std::string_view clause = composition.count == 1 ? odd.clause_singular : odd.clause_plural;
  switch (pick(draw, 3)) {
    case 0:
      return join({"how odd: ", the_subjects(composition), " ", clause});
    case 1:
      return join({the_subjects(composition), " ", clause});
    default:
      return subject_phrase(composition, {wording.form, wording.count_style, 0, 0, true});
  }
}

std::string partial_caption(const Composition& composition, const Wording& wording, int form) {
  const Parts p = parts_of(composition, wording);
  switch (form) {
    case 0:
      return join({"a cartoon of ", p.who});
    case 1:
      return join({p.who, " ", p.where});
    case 2:
      return join({p.who, " and ", p.what});
    case 3:
      return join({p.what, " ", p.where});
    case 4:
      return join({the_subjects(composition), " ", p.is, " ", p.beside, " ", "the ",
                   objects()[static_cast<std::size_t>(composition.object)].singular});
    case 5:
      return join({p.what, " and ", p.who, " ", p.where});
    case 6:
      return join({p.who, " ", p.beside, " ", p.what});
    default:
      return join({"the ", objects()[static_cast<std::size_t>(composition.object)].singular, " is on the ",
                   p.object_side, ", ", the_subjects(composition), " ", p.is, " on the ", p.subject_side});
  }
}

}  // namespace

Wording draw_wording(Draw& draw) {
  Wording wording;
  wording.form = pick(draw, kForms);
  wording.count_style = pick(draw, 3);
  wording.side_style = pick(draw, 3);
  wording.place_style = pick(draw, 3);
  wording.say_oddity = draw.chance(0.5);
  return wording;
}

Wording draw_first_wording(Draw& draw) {
  constexpr double kPlainShare = 0.75;
  return draw.chance(kPlainShare) ? Wording{} : draw_wording(draw);
}

std::string complete_caption(const Composition& composition, const Wording& wording) {
  const Parts p = parts_of(composition, wording);
  switch (wording.form) {
    case 0:
      return join({p.who, " ", p.beside, " ", p.what, " ", p.where});
    case 1:
      return join({p.where, ", ", p.who, " ", p.is, " ", p.beside, " ", p.what});
    case 2:
      return join({"a cartoon of ", p.who, " ", p.beside, " ", p.what, " ", p.where});
    case 3:
      return join({"there ", p.is, " ", p.who, " ", p.beside, " ", p.what, " ", p.where});
    case 4:
      return join({p.who, " ", p.where, ", ", p.beside, " ", p.what});
    default:
      return join({p.where, " ", p.is, " ", p.who, " ", p.beside, " ", p.what});
  }
}

std::vector<std::string> captions(const Composition& composition, const Wording& wording, Draw& draw) {
  std::vector<std::string> all = {complete_caption(composition, wording)};
  Wording other = draw_wording(draw);
  if (other.form == wording.form) other.form = (other.form + 1) % kForms;
  all.push_back(complete_caption(composition, other));
  const int first = pick(draw, kPartialForms);
  const int second = (first + 1 + pick(draw, kPartialForms - 1)) % kPartialForms;
  for (const int form : {first, second}) all.push_back(partial_caption(composition, draw_wording(draw), form));
  if (composition.oddity != Oddity::kNone) all.push_back(oddity_caption(composition, wording, draw));
  return all;
}

}  // namespace disco::data::cartoons
