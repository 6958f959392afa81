// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/data/cartoons/composition.h"

namespace disco::data::cartoons {

/// How something is said, independent of what is said: two captions in one wording differ only where their compositions
/// differ.
struct Wording {
  int form = 0;         ///< sentence pattern of a complete caption
  int count_style = 0;  ///< "a", "one" or "a single"; "two" or "a pair of"; …
  int side_style = 0;
  int place_style = 0;
  bool say_oddity = false;
};

[[nodiscard]] Wording draw_wording(Draw& draw);
/// The wording of a scene's first caption and its near misses: mostly the plainest. A text tower that must first find
/// out what says the same stops looking at sides and counts before the pictures' tower has begun to see them.
[[nodiscard]] Wording draw_first_wording(Draw& draw);

/// A caption that tells all five attributes.
[[nodiscard]] std::string complete_caption(const Composition& composition, const Wording& wording);

/// What a person could rightly say about the scene: two complete captions, the first in the given wording, then two or
/// more partial ones, one of them about the oddity if there is one.
[[nodiscard]] std::vector<std::string> captions(const Composition& composition, const Wording& wording, Draw& draw);

/// Number of complete captions at the front of captions().
inline constexpr int kCompleteCaptions = 2;

}  // namespace disco::data::cartoons
