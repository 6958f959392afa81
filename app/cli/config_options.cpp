// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/config_options.h"

#include "engine/base/files.h"
#include "engine/run/presets.h"

namespace disco::cli {

void ConfigOptions::add_to(CLI::App& command) {
  auto* by_preset = command.add_option("--preset", preset, "Start from a preset; see: disco-engine config presets");
  command.add_option("--config", file, "Start from a configuration file (JSON)")->excludes(by_preset);
  command.add_option("--set", settings, "Change one setting, e.g. --set batch.size=64")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
}

std::string ConfigOptions::name() const {
  if (!file.empty()) return file;
  return preset.empty() ? "the configuration" : "the configuration from preset " + preset;
}

Result<LoadedConfig> read_config(const ConfigOptions& options) {
  Json document = Json::object();
  if (!options.preset.empty()) {
    DISCO_TRY(const Preset preset, find_preset(options.preset));
    document = preset.config;
  } else if (!options.file.empty()) {
    DISCO_TRY(const std::string text, read_file(options.file, 16U << 20));
    DISCO_TRY(document, parse_json(text, options.file));
  }
  Problems problems;
  for (const auto& item : options.settings) {
    const auto equals = item.find('=');
    if (equals == std::string::npos)
      problems.push_back({item, "is not of the form path=value", ""});
    else if (document.is_object())
      set_from_text(document, item.substr(0, equals), item.substr(equals + 1), problems);
  }
  LoadedConfig loaded = load_config(document);
  loaded.problems.insert(loaded.problems.begin(), problems.begin(), problems.end());
  return loaded;
}

}  // namespace disco::cli
