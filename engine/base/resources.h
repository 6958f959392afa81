// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string_view>

namespace disco {

/// Where a read-only file or folder that comes with the program lies: `resource_path("presets")`. Looked for in
/// $DISCO_RESOURCES, else in ../share/disco-studio beside the folder of the running program (build and install trees
/// are alike). The path is returned whether or not it exists.
[[nodiscard]] std::filesystem::path resource_path(std::string_view name);

/// The folder of the running program.
[[nodiscard]] std::filesystem::path program_folder();

}  // namespace disco
