// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace disco::models {

/// A merge: two neighbouring tokens and what they become. The earlier in the list, the sooner it is applied.
struct Merge {
  std::int32_t left = 0;
  std::int32_t right = 0;
  std::int32_t merged = 0;
};

/// Byte-pair encoding over ids: in each round all occurrences of the pair that stands first in the list of merges are
/// joined, from left to right, until no pair of the list is left. Immutable, so any number of threads may use it.
class BytePairs {
 public:
  explicit BytePairs(std::span<const Merge> merges);

  /// Replaces the ids of single bytes by those of the merged tokens.
  void apply(std::vector<std::int32_t>& ids) const;

 private:
  struct Slot {
    std::uint64_t pair = kEmpty;
    std::int32_t rank = 0;
    std::int32_t merged = 0;
  };
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};

  [[nodiscard]] const Slot* find(std::int32_t left, std::int32_t right) const;
  void apply_rounds(std::vector<std::int32_t>& ids) const;
  void apply_queue(std::vector<std::int32_t>& ids) const;

  std::vector<Slot> slots_;  ///< open addressing, a power of two
  std::uint64_t mask_ = 0;
};

/// From words to the one id that each has. Filled once, then only read.
class WordTable {
 public:
  explicit WordTable(std::size_t words);
  void insert(std::string_view word, std::int32_t id);
  /// The id of a word, or -1.
  [[nodiscard]] std::int32_t find(std::string_view word) const;

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
    std::int32_t id = -1;
  };
  std::vector<Slot> slots_;
  std::uint64_t mask_ = 0;
  std::string letters_;
};

}  // namespace disco::models
