// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/cli/cli.h"
#include "engine/run/run_config.h"

namespace disco::cli {

/// --preset, --config and --set, which several subcommands share.
struct ConfigOptions {
  std::string preset;
  std::string file;
  std::vector<std::string> settings;  ///< path=value

  void add_to(CLI::App& command);
  [[nodiscard]] bool given() const { return !preset.empty() || !file.empty() || !settings.empty(); }
  /// What the problems are about, for messages.
  [[nodiscard]] std::string name() const;
};

/// The preset or file with the settings on top, over the defaults. An Error only where there is nothing to read.
[[nodiscard]] Result<LoadedConfig> read_config(const ConfigOptions& options);

}  // namespace disco::cli
