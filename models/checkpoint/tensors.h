// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "models/checkpoint/safetensors.h"

namespace disco::models {

/// Tensors by name, in the order they are written.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// A tensor over the mapped bytes of an entry: not copied, not to be written to, valid as long as file lives (the
/// tensor keeps it alive).
[[nodiscard]] at::Tensor view_tensor(const SafetensorsFile& file, const TensorEntry& entry);

/// All tensors of a file, copied to memory of their own.
[[nodiscard]] Result<std::map<std::string, at::Tensor>> load_tensors(const std::filesystem::path& path);

/// Writes tensors of any device, stride and type that the format knows. Tensors that share memory are each written.
[[nodiscard]] Result<void> save_tensors(const std::filesystem::path& path, const NamedTensors& tensors,
                                        const std::map<std::string, std::string>& metadata = {});

}  // namespace disco::models
