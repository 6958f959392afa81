// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/run_tail.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "engine/base/files.h"
#include "engine/run/run_folder.h"

namespace disco {

RunTail::RunTail(const std::filesystem::path& run, std::uint64_t offset)
    : path_(RunFolder(run).events_path()), offset_(offset) {
  progress_.read = offset;
}

Result<RunTail::Progress> RunTail::poll(const std::function<void(Event&&)>& take, std::uint64_t budget) {
  const FileHandle file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) {
    if (errno == ENOENT && offset_ == 0) {
      progress_.caught_up = true;  // a run that has not said anything yet
      return progress_;
    }
    return failure("cannot be opened: " + errno_text(errno), path_.string());
  }
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return failure("cannot be read: " + errno_text(errno), path_.string());
  progress_.size = static_cast<std::uint64_t>(info.st_size);
  // Shorter than before: a resume cut an incomplete last line, which we never consumed; only a replaced file is shorter
  // than what we did consume.
  if (progress_.size < offset_) {
    offset_ = 0;
    progress_ = Progress{0, progress_.size, 0, 0, 0, false};
  }
  std::string text;
  std::uint64_t want = std::min<std::uint64_t>(budget, progress_.size - offset_);
  while (want > 0) {
    text.resize(static_cast<std::size_t>(want));
    const ssize_t got = ::pread(file.get(), text.data(), text.size(), static_cast<off_t>(offset_));
    if (got < 0) return failure("cannot be read: " + errno_text(errno), path_.string());
    text.resize(static_cast<std::size_t>(got));
    // A line longer than the budget is read whole, up to what the file holds.
    if (text.find('\n') != std::string::npos || want >= progress_.size - offset_) break;
    want = std::min<std::uint64_t>(want * 2, progress_.size - offset_);
  }
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    ++progress_.lines;
    const std::string_view line(text.data() + begin, end - begin);
    if (line.empty()) continue;
    auto event = parse_event(line);
    if (!event) {
      ++progress_.bad_lines;
      if (progress_.first_bad_line == 0) progress_.first_bad_line = progress_.lines;
    } else if (*event) {
      take(std::move(**event));
    }
  }
  offset_ += begin;
  progress_.read = offset_;
  progress_.caught_up = offset_ + (text.size() - begin) >= progress_.size;
  return progress_;
}

}  // namespace disco
