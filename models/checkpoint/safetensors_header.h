// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"

namespace disco::models {

/// What a header says about one tensor, before anything of it is compared with the file.
struct HeaderTensor {
  std::string name;
  std::string dtype;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0;  ///< bytes from the start of the data
  std::uint64_t end = 0;
};

struct Header {
  std::vector<HeaderTensor> tensors;
  std::map<std::string, std::string> metadata;
};

/// Reads the JSON of a safetensors header. Memory stays in proportion to the text: no tree is built. Refuses names that
/// come twice, members that are missing or of the wrong kind, negative numbers, and text that is not UTF-8.
[[nodiscard]] Result<Header> parse_safetensors_header(std::string_view text, const std::string& where);

}  // namespace disco::models
