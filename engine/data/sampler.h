// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace disco::data {

/// Which sample stands at which position of a run, as a pure function of (seed, position): resuming needs the position
/// alone. An epoch is a permutation of all samples; epochs follow each other without a gap, so that a batch may begin
/// in one and end in the next. The first samples of an epoch are kept apart from the last ones of the epoch before
/// (where there are enough samples), so that no batch holds a picture twice. Thread-safe.
class Sampler {
 public:
  /// `size`: nothing for an endless source, which is read in order. `apart`: the size of a batch.
  Sampler(std::optional<std::int64_t> size, std::int64_t apart, std::uint64_t seed, bool shuffled);

  struct Place {
    std::int64_t epoch = 0;
    std::int64_t index = 0;
  };
  [[nodiscard]] Place at(std::int64_t position) const;

 private:
  using Order = std::vector<std::uint32_t>;

  [[nodiscard]] Order base_order(std::int64_t epoch) const;
  [[nodiscard]] Order order(std::int64_t epoch) const;
  [[nodiscard]] std::shared_ptr<const Order> cached_order(std::int64_t epoch) const;

  std::optional<std::int64_t> size_;
  std::int64_t apart_;
  std::uint64_t seed_;
  bool shuffled_;
  mutable std::mutex mutex_;
  struct Cached {
    std::int64_t epoch = -1;
    std::shared_ptr<const Order> order;
  };
  mutable Cached cached_[2];  ///< of an even and of an odd epoch: a batch needs two at most
};

}  // namespace disco::data
