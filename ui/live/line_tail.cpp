// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/line_tail.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace disco::ui {
namespace {

constexpr std::size_t smallest_buffer = 1U << 16;
/// A line longer than this is no line that we could show.
constexpr std::size_t longest_line = 64U << 20;

}  // namespace

Result<bool> LineTail::open() {
  struct stat now {};
  if (::stat(path_.c_str(), &now) != 0) {
    file_ = FileHandle();
    return failure("cannot be reached: " + errno_text(errno), path_.string());
  }
  const auto inode = static_cast<std::uint64_t>(now.st_ino);
  const bool other = inode_ != 0 && inode != inode_;
  const bool shorter = static_cast<std::uint64_t>(now.st_size) < offset_;
  if (!file_.valid() || other) {
    file_ = FileHandle(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file_.valid()) return failure("cannot be opened: " + errno_text(errno), path_.string());
  }
  inode_ = inode;
  if (other || shorter) offset_ = 0;
  return other || shorter;
}

Result<LineTail::Progress> LineTail::poll(const std::function<void(std::string_view, std::uint64_t)>& take,
                                          std::uint64_t budget) {
  Progress progress;
  DISCO_TRY(progress.restarted, open());
  struct stat now {};
  if (::fstat(file_.get(), &now) != 0) return failure("cannot be reached: " + errno_text(errno), path_.string());
  progress.size = static_cast<std::uint64_t>(now.st_size);
  progress.read = offset_;
  if (progress.restarted || progress.size <= offset_) return progress;

  std::size_t wanted = std::clamp<std::uint64_t>(std::min(budget, progress.size - offset_), 1, longest_line);
  std::uint64_t seen = 0;
  for (;;) {
    buffer_.resize(std::max(wanted, smallest_buffer));
    const ssize_t got = ::pread(file_.get(), buffer_.data(), wanted, static_cast<off_t>(offset_));
    if (got < 0) return failure("cannot be read: " + errno_text(errno), path_.string());
    seen = offset_ + static_cast<std::uint64_t>(got);
    const char* begin = buffer_.data();
    const char* end = begin + got;
    const char* at = begin;
    while (at < end) {
      const auto* newline = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
      if (!newline) break;
      take(std::string_view(at, static_cast<std::size_t>(newline - at)),
           offset_ + static_cast<std::uint64_t>(at - begin));
      at = newline + 1;
    }
    offset_ += static_cast<std::uint64_t>(at - begin);
    progress.read = offset_;
    // A line longer than the budget: read more of it at once, unless the rest has not been written yet.
    const bool stuck = at == begin && static_cast<std::uint64_t>(got) < progress.size - offset_ && got > 0;
    if (!stuck || wanted >= longest_line) break;
    wanted = std::min(wanted * 4, longest_line);
  }
  progress.caught_up = seen >= progress.size;
  return progress;
}

}  // namespace disco::ui
