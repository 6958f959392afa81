// SPDX-License-Identifier: GPL-3.0-or-later
//
// RunConfig's description without templates, for whoever walks it at run time: the form, `config schema`, the docs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/base/described.h"
#include "engine/base/json.h"

namespace disco {

enum class SettingKind { toggle, integer, number, text, choice, list };

struct SettingChoice {
  std::string id;
  std::string label;
  std::string help;
};

/// One leaf of RunConfig.
struct Setting {
  std::string path;     ///< "optimizer.learning_rate"
  std::string section;  ///< id of the top-level group, "optimizer"; leaves of the top level are in "general"
  std::string section_label;
  std::string label;
  std::string help;
  std::string unit;
  SettingKind kind = SettingKind::text;
  Editor editor = Editor::automatic;
  Level level = Level::basic;
  std::optional<double> min;
  std::optional<double> max;
  bool above_min = false;
  std::vector<SettingChoice> choices;  ///< of enums, and of model.architecture
  std::string relevant_if;
  Json default_value;
};

/// All leaves in the order of the form. Made once.
[[nodiscard]] const std::vector<Setting>& settings();

/// Whether a setting means anything given the other values of `document` (Meta::relevant_if).
[[nodiscard]] bool is_relevant(const Setting& setting, const Json& document);

/// The value at a dotted path, or null.
[[nodiscard]] Json value_at(const Json& document, const std::string& path);
void put_at(Json& document, const std::string& path, Json value);

/// Everything a person or program can know of the formats: settings, events, commands and the questions of `serve`,
/// with keys, types, units, ranges and help. What `config schema` prints.
[[nodiscard]] Json schema();

}  // namespace disco
