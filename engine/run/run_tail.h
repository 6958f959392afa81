// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/run/events.h"

namespace disco {

/// Follows events.jsonl of one run from any offset. Complete lines only: what is behind the last newline waits. Used
/// from one thread; the file may grow, be cut (resume) or vanish and come back meanwhile.
class RunTail {
 public:
  explicit RunTail(const std::filesystem::path& run, std::uint64_t offset = 0);

  struct Progress {
    std::uint64_t read = 0;   ///< bytes consumed so far
    std::uint64_t size = 0;   ///< bytes in the file
    std::uint64_t lines = 0;  ///< lines consumed so far
    std::uint64_t bad_lines = 0;
    std::uint64_t first_bad_line = 0;  ///< 1-based; 0 = none
    bool caught_up = false;
  };

  /// Reads at most `budget` bytes more and calls `take` for each event. Unknown kinds are skipped, lines that are no
  /// events are counted. An Error when the file cannot be reached; the next call tries again from the same place.
  [[nodiscard]] Result<Progress> poll(const std::function<void(Event&&)>& take, std::uint64_t budget = 4U << 20);

  [[nodiscard]] std::uint64_t offset() const { return offset_; }

 private:
  std::filesystem::path path_;
  std::uint64_t offset_ = 0;
  Progress progress_;
};

}  // namespace disco
