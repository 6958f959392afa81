// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/base/error.h"

namespace disco {

/// Watches this process's resident memory. Freed memory that the allocator keeps would hide what is allocated next, so
/// measure the first run of a thing, not a later one.
class PeakMemory {
 public:
  /// Gives back what the allocator keeps and begins to watch.
  [[nodiscard]] static Result<PeakMemory> start();
  /// The most bytes above those at the start.
  [[nodiscard]] std::int64_t bytes() const;

 private:
  explicit PeakMemory(std::int64_t before) : before_(before) {}
  std::int64_t before_;
};

}  // namespace disco
