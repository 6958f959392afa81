// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace disco {
namespace fs = std::filesystem;

FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
  if (this != &other) {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = other.release();
  }
  return *this;
}

FileHandle::~FileHandle() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int FileHandle::release() { return std::exchange(descriptor_, -1); }

std::string errno_text(int code) {
  if (code == ENOSPC) return "the disk is full";
  if (code == EDQUOT) return "the disk quota is used up";
  if (code == EFBIG) return "the file would be larger than allowed here";
  return std::strerror(code);
}

namespace {

std::string hint_for(int code) {
  if (code == ENOSPC || code == EDQUOT) return "Free some space and try again.";
  if (code == EACCES || code == EPERM || code == EROFS) return "Make it accessible, or choose another place.";
  return "";
}

tl::unexpected<Error> errno_failure(const std::string& what, const std::string& where) {
  const int code = errno;
  return failure(what + ": " + errno_text(code), where, hint_for(code));
}

Result<FileHandle> open_file(const fs::path& path, int flags) {
  FileHandle file(::open(path.c_str(), flags | O_CLOEXEC, 0644));
  if (!file.valid()) return errno_failure("cannot be opened", path.string());
  return file;
}

}  // namespace

Result<std::string> read_file(const fs::path& path, std::uint64_t limit) {
  DISCO_TRY(const FileHandle file, open_file(path, O_RDONLY));
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return errno_failure("cannot be read", path.string());
  if (S_ISDIR(info.st_mode)) return failure("is a folder, not a file", path.string());
  if (static_cast<std::uint64_t>(info.st_size) > limit)
    return failure("is larger than the " + std::to_string(limit) + " bytes allowed for it", path.string());
  std::string content;
  content.reserve(static_cast<std::size_t>(info.st_size));
  std::array<char, 65536> buffer;
  while (true) {
    const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno_failure("cannot be read", path.string());
    if (got == 0) return content;
    content.append(buffer.data(), static_cast<std::size_t>(got));
    if (content.size() > limit) return failure("grew beyond the size allowed for it", path.string());
  }
}

Result<void> write_all(int descriptor, std::span<const std::byte> bytes, const std::string& where) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), std::min<std::size_t>(bytes.size(), 1U << 30));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno_failure("cannot be written", where);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> sync_path(const fs::path& path) {
  DISCO_TRY(const FileHandle file, open_file(path, O_RDONLY));
  if (::fsync(file.get()) != 0 && errno != EINVAL) return errno_failure("cannot be flushed to the disk", path.string());
  return {};
}

Result<void> rename_durably(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0)
    return errno_failure("cannot be renamed to " + to.string(), from.string());
  return sync_path(to.has_parent_path() ? to.parent_path() : fs::path("."));
}

Result<void> write_atomically(const fs::path& path, std::string_view content) {
  const fs::path temporary = path.string() + ".tmp-" + std::to_string(::getpid());
  const auto write = [&]() -> Result<void> {
    DISCO_TRY(const FileHandle file, open_file(temporary, O_WRONLY | O_CREAT | O_TRUNC));
    DISCO_CHECK(write_all(file.get(), std::as_bytes(std::span(content)), path.string()));
    if (::fsync(file.get()) != 0) return errno_failure("cannot be flushed to the disk", path.string());
    return rename_durably(temporary, path);
  };
  auto outcome = write();
  if (!outcome) ::unlink(temporary.c_str());
  return outcome;
}

Result<LineAppender> LineAppender::open(const fs::path& path) {
  DISCO_TRY(FileHandle file, open_file(path, O_WRONLY | O_CREAT | O_APPEND));
  return LineAppender(std::move(file), path.string());
}

Result<void> LineAppender::append(std::string_view line) const {
  std::string text(line);
  text += '\n';
  return write_all(file_.get(), std::as_bytes(std::span(text)), where_);
}

Result<void> LineAppender::sync() const {
  if (::fdatasync(file_.get()) != 0) return errno_failure("cannot be flushed to the disk", where_);
  return {};
}

Result<std::uint64_t> cut_incomplete_line(const fs::path& path) {
  DISCO_TRY(const FileHandle file, open_file(path, O_RDWR));
  const off_t size = ::lseek(file.get(), 0, SEEK_END);
  off_t keep = size;
  std::array<char, 65536> buffer;
  while (keep > 0) {
    const off_t from = std::max<off_t>(0, keep - static_cast<off_t>(buffer.size()));
    const ssize_t got = ::pread(file.get(), buffer.data(), static_cast<std::size_t>(keep - from), from);
    if (got <= 0) return errno_failure("cannot be read", path.string());
    const std::string_view block(buffer.data(), static_cast<std::size_t>(got));
    const auto newline = block.rfind('\n');
    if (newline != std::string_view::npos) {
      keep = from + static_cast<off_t>(newline) + 1;
      break;
    }
    keep = from;
  }
  if (keep == size) return std::uint64_t{0};
  if (::ftruncate(file.get(), keep) != 0) return errno_failure("cannot be shortened", path.string());
  return static_cast<std::uint64_t>(size - keep);
}

Result<std::optional<FileLock>> FileLock::try_acquire(const fs::path& path) {
  DISCO_TRY(FileHandle file, open_file(path, O_RDWR | O_CREAT));
  struct flock request {};
  request.l_type = F_WRLCK;
  request.l_whence = SEEK_SET;
  if (::fcntl(file.get(), F_OFD_SETLK, &request) == 0)
    return std::optional<FileLock>(FileLock(std::move(file), path.string()));
  if (errno == EAGAIN || errno == EACCES) return std::optional<FileLock>{};
  return errno_failure("cannot be locked", path.string());
}

bool FileLock::is_held(const fs::path& path) {
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return false;
  struct flock request {};
  request.l_type = F_WRLCK;
  request.l_whence = SEEK_SET;
  return ::fcntl(file.get(), F_OFD_GETLK, &request) == 0 && request.l_type != F_UNLCK;
}

Result<void> FileLock::write(std::string_view content) const {
  if (::ftruncate(file_.get(), 0) != 0 || ::lseek(file_.get(), 0, SEEK_SET) != 0)
    return errno_failure("cannot be written", where_);
  return write_all(file_.get(), std::as_bytes(std::span(content)), where_);
}

void kill_point(std::string_view name) {
  static const std::string wanted = [] {
    const char* value = std::getenv("DISCO_TEST_KILL_AT");
    return std::string(value ? value : "");
  }();
  if (wanted.empty()) return;
  static std::atomic<int> passed{0};
  const auto colon = wanted.find(':');
  if (std::string_view(wanted).substr(0, colon) != name) return;
  int nth = 1;
  if (colon != std::string::npos) std::from_chars(wanted.data() + colon + 1, wanted.data() + wanted.size(), nth);
  if (++passed >= nth) ::raise(SIGKILL);
}

}  // namespace disco
