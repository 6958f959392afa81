// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace disco {

/// The version of this build, "1.2.3", as CMakeLists.txt gives it to the project.
[[nodiscard]] std::string_view version();

}  // namespace disco
