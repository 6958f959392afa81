// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace disco::models {

/// Which rows of a token matrix [T, W] belong to which sequence: rows offsets[i] … offsets[i + 1] - 1 are sequence i.
/// All layers work on such matrices, so that a batch of texts needs no padding.
class Sequences {
 public:
  explicit Sequences(std::vector<std::int64_t> offsets) : offsets_(std::move(offsets)) {
    for (std::size_t i = 0; i + 1 < offsets_.size(); ++i) {
      const std::int64_t length = offsets_[i + 1] - offsets_[i];
      uniform_ = uniform_ && length == offsets_[1] - offsets_[0];
      longest_ = std::max(longest_, length);
    }
  }

  /// count sequences of one length.
  [[nodiscard]] static Sequences uniform(std::int64_t count, std::int64_t length) {
    std::vector<std::int64_t> offsets(static_cast<std::size_t>(count) + 1);
    for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = static_cast<std::int64_t>(i) * length;
    Sequences sequences(std::move(offsets));
    sequences.longest_ = length;  // also of no sequence at all
    return sequences;
  }

  [[nodiscard]] const std::vector<std::int64_t>& offsets() const { return offsets_; }
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(offsets_.size()) - 1; }
  [[nodiscard]] std::int64_t rows() const { return offsets_.back(); }
  [[nodiscard]] std::int64_t longest() const { return longest_; }
  /// Whether all have the same length, so that [T, W] can be seen as [count, longest, W].
  [[nodiscard]] bool is_uniform() const { return uniform_; }

 private:
  std::vector<std::int64_t> offsets_;
  std::int64_t longest_ = 0;
  bool uniform_ = true;
};

/// Whether a token sees the tokens behind it.
enum class Causal { no, yes };

}  // namespace disco::models
