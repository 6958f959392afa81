// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/error.h"

namespace disco::models {

/// Tokens by id, as vocab.json lists them: ids 0 … n-1, each once. Bytes that are not printable are written as other
/// characters (see byte_letter).
struct Vocabulary {
  std::vector<std::string> tokens;
  std::unordered_map<std::string, std::int32_t> ids;

  /// The id of a token, or -1.
  [[nodiscard]] std::int32_t find(const std::string& token) const;
};

/// Reads the text of a vocab.json; where names the file in errors.
[[nodiscard]] Result<Vocabulary> parse_vocabulary(std::string_view text, const std::string& where);

/// The character (in UTF-8) that stands for a byte in vocab.json and merges.txt: itself where it is printable in
/// Latin-1, else the next of U+0100, U+0101 … in the order of the bytes.
[[nodiscard]] const std::string& byte_letter(std::uint8_t byte);

/// The bytes that a token's characters stand for; characters that stand for no byte are left out.
[[nodiscard]] std::string token_bytes(std::string_view token);

}  // namespace disco::models
