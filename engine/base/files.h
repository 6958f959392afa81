// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files that survive a kill at any moment.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/error.h"

namespace disco {

/// An open file descriptor that closes itself.
class FileHandle {
 public:
  FileHandle() = default;
  explicit FileHandle(int descriptor) : descriptor_(descriptor) {}
  FileHandle(FileHandle&& other) noexcept : descriptor_(other.release()) {}
  FileHandle& operator=(FileHandle&& other) noexcept;
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;
  ~FileHandle();

  [[nodiscard]] int get() const { return descriptor_; }
  [[nodiscard]] bool valid() const { return descriptor_ >= 0; }
  int release();

 private:
  int descriptor_ = -1;
};

/// The whole file as text; refuses files larger than `limit` bytes before reading them.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t limit = 1ULL << 30);

/// Writes all bytes or says why not (a full disk is named as such).
[[nodiscard]] Result<void> write_all(int descriptor, std::span<const std::byte> bytes, const std::string& where);

/// Replaces `path` so that a reader, or a machine that loses power, sees the old file or the new one, never a part:
/// temporary file beside it, fsync, rename, fsync of the folder.
[[nodiscard]] Result<void> write_atomically(const std::filesystem::path& path, std::string_view content);

/// Flushes a file's or folder's content to the disk.
[[nodiscard]] Result<void> sync_path(const std::filesystem::path& path);

/// rename(2) followed by a sync of the target's folder.
[[nodiscard]] Result<void> rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);

/// A file that several processes append whole lines to.
class LineAppender {
 public:
  [[nodiscard]] static Result<LineAppender> open(const std::filesystem::path& path);
  /// Appends `line` and a newline in one write. Thread-safe: O_APPEND writes do not interleave.
  [[nodiscard]] Result<void> append(std::string_view line) const;
  [[nodiscard]] Result<void> sync() const;

 private:
  LineAppender(FileHandle file, std::string where) : file_(std::move(file)), where_(std::move(where)) {}
  FileHandle file_;
  std::string where_;
};

/// Cuts an incomplete last line, as a kill in the middle of an append leaves it. Returns the bytes that were cut.
[[nodiscard]] Result<std::uint64_t> cut_incomplete_line(const std::filesystem::path& path);

/// An open-file-description lock (F_OFD_SETLK) on a whole file, held as long as the object lives; close-on-exec.
class FileLock {
 public:
  /// Nothing when another process holds the lock.
  [[nodiscard]] static Result<std::optional<FileLock>> try_acquire(const std::filesystem::path& path);
  /// Whether anyone holds it; only asks (F_OFD_GETLK), so a real start never fails because someone looked.
  [[nodiscard]] static bool is_held(const std::filesystem::path& path);
  /// Replaces the content of the locked file (who holds it).
  [[nodiscard]] Result<void> write(std::string_view content) const;

 private:
  FileLock(FileHandle file, std::string where) : file_(std::move(file)), where_(std::move(where)) {}
  FileHandle file_;
  std::string where_;
};

/// Text of an errno value.
[[nodiscard]] std::string errno_text(int code);

/// A test hook: kills this process (SIGKILL) at the named place when the environment asks for it by
/// DISCO_TEST_KILL_AT="name" or "name:n" (the n-th time the place is passed). Does nothing otherwise.
void kill_point(std::string_view name);

}  // namespace disco
