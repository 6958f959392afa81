// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "engine/base/error.h"
#include "engine/run/run_config.h"
#include "engine/run/serve_protocol.h"
#include "models/image/image.h"

namespace disco {

/// Reads and decodes a picture file of any supported type. The error names the file.
[[nodiscard]] Result<models::Image> load_picture(const std::filesystem::path& path);

/// The first `count` training samples of a configuration as its model would see them: cropped view (a PNG each in
/// `folder`), caption and its tokens. Samples that cannot be read are left out and counted.
[[nodiscard]] Result<PreviewAnswer> preview(const RunConfig& config, int count, const std::filesystem::path& folder);

}  // namespace disco
