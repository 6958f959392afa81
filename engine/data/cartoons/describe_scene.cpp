// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/cartoons/describe_scene.h"

#include <algorithm>

#include "engine/data/cartoons/captions.h"

namespace disco::data::cartoons {

SceneText describe_scene(const Scene& scene) {
  Draw draw(scene.seed, 0, static_cast<std::uint64_t>(scene.index), "cartoon captions");
  const Wording wording = draw_first_wording(draw);
  SceneText text;
  text.captions = captions(scene.composition, wording, draw);

  std::vector<Attribute> changed(kAttributes.begin(), kAttributes.end());
  draw.shuffle(changed);
  changed.resize(kNearMisses);
  Matching matching;
  for (const Attribute attribute : changed) {
    matching.candidates.push_back(complete_caption(near_miss(scene.composition, attribute, draw), wording));
    matching.differs.emplace_back(attribute_id(attribute));
  }
  if (split_of(scene.composition) == Split::kTraining) {
    text.negatives = std::move(matching.candidates);
    return text;
  }
  matching.correct = static_cast<int>(draw.below(kNearMisses + 1));
  matching.candidates.insert(matching.candidates.begin() + matching.correct, text.captions.front());
  matching.differs.insert(matching.differs.begin() + matching.correct, "");
  text.matching = std::move(matching);
  return text;
}

}  // namespace disco::data::cartoons
