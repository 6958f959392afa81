// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/data/cartoons/scene.h"
#include "engine/data/sample.h"

namespace disco::data::cartoons {

/// Wrong candidates beside the right one of a held-out scene, and near misses of a training scene: all but one of the
/// five attributes, the one left out drawn evenly.
inline constexpr int kNearMisses = 4;

/// Everything that is said about a scene.
struct SceneText {
  std::vector<std::string> captions;
  std::vector<std::string> negatives;  ///< training scenes: near misses of captions[0], in its wording
  std::optional<Matching> matching;    ///< held-out scenes: captions[0] and its near misses, in random order
};

/// A pure function of the scene. All compositions in the text belong to the scene's split.
[[nodiscard]] SceneText describe_scene(const Scene& scene);

}  // namespace disco::data::cartoons
