// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"

namespace disco::models {

/// Turns text into the ids of a vocabulary. All members may be called from any number of threads at once.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// Ids with the start and the end token, at most max_length of them (>= 2): longer text is cut before the end token,
  /// which stays last. No padding. Bytes that are not UTF-8 count as U+FFFD.
  [[nodiscard]] virtual std::vector<std::int32_t> encode(std::string_view text, int max_length) const = 0;

  /// What a person should see for an id: "cat", "'s", "<|endoftext|>"; empty for an id outside the vocabulary. A token
  /// that ends a word ends with a space.
  [[nodiscard]] virtual std::string token_text(std::int32_t id) const = 0;

  /// The id that fills rows of a batch behind the end token.
  [[nodiscard]] virtual int pad_id() const = 0;
  [[nodiscard]] virtual int start_id() const = 0;
  [[nodiscard]] virtual int end_id() const = 0;
  [[nodiscard]] virtual int vocabulary_size() const = 0;

  /// Writes the files that transformers reads (vocab.json, merges.txt, tokenizer_config.json …) into a folder.
  [[nodiscard]] virtual Result<void> save(const std::filesystem::path& folder) const = 0;
};

/// CLIP's byte-pair encoding from a folder with vocab.json and merges.txt.
[[nodiscard]] Result<std::shared_ptr<const Tokenizer>> load_clip_tokenizer(const std::filesystem::path& folder);

}  // namespace disco::models
