// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/event_log.h"

#include <cstdio>
#include <utility>

namespace disco {

Result<std::unique_ptr<EventLog>> EventLog::open(const std::filesystem::path& events) {
  std::unique_ptr<EventLog> log(new EventLog);
  log->path_ = events;
  DISCO_TRY(LineAppender file, LineAppender::open(events));
  DISCO_CHECK(cut_incomplete_line(events));
  log->file_.emplace(std::move(file));
  return log;
}

std::unique_ptr<EventLog> EventLog::silent() { return std::unique_ptr<EventLog>(new EventLog); }

void EventLog::write(const Event& event) {
  const std::string line = event_line(event);
  const std::scoped_lock lock(mutex_);
  if (!file_) return;
  // A write that failed half-way left a part of a line, which would spoil the next one.
  if (failed_ && !cut_incomplete_line(path_)) return;
  if (const auto written = file_->append(line); !written) {
    if (!std::exchange(failed_, true))
      std::fprintf(stderr, "an event was lost: %s\n", written.error().message().c_str());
    return;
  }
  failed_ = false;
}

void EventLog::warn(std::string code, std::string message, std::int64_t step, std::int64_t count) {
  write(WarningEvent{.code = std::move(code), .message = std::move(message), .count = count, .step = step});
}

void EventLog::sync() {
  const std::scoped_lock lock(mutex_);
  if (file_) static_cast<void>(file_->sync());
}

void EventLog::close() {
  const std::scoped_lock lock(mutex_);
  file_.reset();
}

}  // namespace disco
