// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "models/text/tokenizer.h"

namespace disco::data::test {

/// A tokenizer whose results are plain to see: one id a byte between a start and an end token.
class Letters final : public models::Tokenizer {
 public:
  std::vector<std::int32_t> encode(std::string_view text, int max_length) const override {
    std::vector<std::int32_t> ids = {start_id()};
    for (const char c : text.substr(0, static_cast<std::size_t>(max_length - 2))) {
      ids.push_back(static_cast<unsigned char>(c));
    }
    ids.push_back(end_id());
    return ids;
  }
  std::string token_text(std::int32_t id) const override { return {static_cast<char>(id)}; }
  int pad_id() const override { return 0; }
  int start_id() const override { return 1; }
  int end_id() const override { return 2; }
  int vocabulary_size() const override { return 256; }
  Result<void> save(const std::filesystem::path& /*folder*/) const override { return {}; }
};

}  // namespace disco::data::test
