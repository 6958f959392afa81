// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/json.h"

namespace disco {

/// A named starting point: a partial configuration with a label and a sentence. resources/presets/*.json.
struct Preset {
  std::string id;  ///< file name without .json
  std::string label;
  std::string help;
  Json config;  ///< merged over the defaults
};

/// All presets, in the order of their files' "order" key. Files that cannot be read are named in the error.
[[nodiscard]] Result<std::vector<Preset>> presets();

/// The preset of that id; the error names the nearest known one.
[[nodiscard]] Result<Preset> find_preset(const std::string& id);

}  // namespace disco
