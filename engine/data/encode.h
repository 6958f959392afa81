// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "models/image/image.h"

namespace disco::data {

/// JPEG without chroma subsampling; quality 1 … 100. Thread-safe.
[[nodiscard]] Result<std::string> encode_jpeg(const models::Image& image, int quality = 92);

/// 8-bit RGB PNG. Thread-safe.
[[nodiscard]] Result<std::string> encode_png(const models::Image& image);

}  // namespace disco::data
