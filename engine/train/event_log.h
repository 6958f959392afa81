// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/run/events.h"

namespace disco {

/// Appends events to a run's events.jsonl. Any thread may write. A full disk does not end a run for a line of its
/// history: the first line that is lost is told on stderr, and writing goes on when there is space again.
class EventLog {
 public:
  /// Cuts an incomplete last line that a killed engine left behind.
  [[nodiscard]] static Result<std::unique_ptr<EventLog>> open(const std::filesystem::path& events);
  /// Writes nothing anywhere: for ranks other than 0 and dry runs.
  [[nodiscard]] static std::unique_ptr<EventLog> silent();

  void write(const Event& event);
  void warn(std::string code, std::string message, std::int64_t step, std::int64_t count = 1);
  /// What is written survives a loss of power from here on.
  void sync();
  /// Nothing is written any more; returns when a write of another thread is complete.
  void close();

 private:
  EventLog() = default;
  std::mutex mutex_;
  std::filesystem::path path_;
  std::optional<LineAppender> file_;
  bool failed_ = false;
};

}  // namespace disco
