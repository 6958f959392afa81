// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/files.h"

namespace disco::ui {

/// Follows a text file that grows, line by line, as bytes. Only complete lines are handed out: what is behind the last
/// newline waits. One thread.
class LineTail {
 public:
  explicit LineTail(std::filesystem::path path, std::uint64_t offset = 0) : path_(std::move(path)), offset_(offset) {}

  struct Progress {
    std::uint64_t read = 0;  ///< bytes handed out so far
    std::uint64_t size = 0;  ///< bytes in the file
    bool caught_up = true;
    bool restarted = false;  ///< the file became shorter or another one: everything handed out before is void
  };

  /// Hands out at most about `budget` bytes of further lines, each with its offset in the file. A missing file is an
  /// Error, as is one that cannot be read; the next call tries again.
  [[nodiscard]] Result<Progress> poll(const std::function<void(std::string_view, std::uint64_t)>& take,
                                      std::uint64_t budget);

  [[nodiscard]] std::uint64_t offset() const { return offset_; }

 private:
  [[nodiscard]] Result<bool> open();

  std::filesystem::path path_;
  std::uint64_t offset_;
  std::uint64_t inode_ = 0;
  FileHandle file_;
  std::vector<char> buffer_;
};

}  // namespace disco::ui
