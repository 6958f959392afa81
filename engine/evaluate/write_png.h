// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/base/error.h"
#include "models/image/image.h"

namespace disco {

/// Writes a picture as an 8-bit RGB PNG. The file appears complete or not at all.
[[nodiscard]] Result<void> write_png(const std::filesystem::path& path, const models::Image& image);

}  // namespace disco
