// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/log_reader.h"

#include <algorithm>
#include <chrono>

#include "ui/live/line_tail.h"

namespace disco::ui {
namespace {

constexpr auto poll_interval = std::chrono::milliseconds(250);
constexpr std::uint64_t batch_bytes = 8U << 20;
constexpr std::size_t level_window = 80;  // a level stands near the start of its line

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Finds lower-case ASCII words; other bytes match themselves.
bool contains(std::string_view text, std::string_view word) {
  return std::search(text.begin(), text.end(), word.begin(), word.end(),
                     [](char a, char b) { return lower(a) == b; }) != text.end();
}

}  // namespace

LogLevel level_of(std::string_view line) {
  const auto head = line.substr(0, level_window);
  if (contains(head, "error") || contains(head, "fatal") || contains(head, "terminate called")) return LogLevel::error;
  return contains(head, "warn") ? LogLevel::warning : LogLevel::info;
}

bool LogFilter::passes(std::string_view line, LogLevel level) const {
  return level >= least && (text.empty() || contains(line, text));
}

LogReader::LogReader(QObject* parent) : QObject(parent), thread_([this] { work(); }) {}

LogReader::~LogReader() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

int LogReader::open(const std::filesystem::path& log, LogFilter filter) {
  int reading = 0;
  {
    const std::lock_guard lock(mutex_);
    path_ = log;
    filter_ = std::move(filter);
    reading = ++reading_;
  }
  wake_.notify_one();
  return reading;
}

void LogReader::set_paused(bool paused) {
  {
    const std::lock_guard lock(mutex_);
    paused_ = paused;
  }
  wake_.notify_one();
}

void LogReader::work() {
  int reading = 0;
  LogFilter filter;
  LineTail tail{std::filesystem::path()};
  bool first = true;
  bool caught_up = true;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      if (caught_up) wake_.wait_for(lock, poll_interval, [&] { return end_ || (!paused_ && reading != reading_); });
      wake_.wait(lock, [this] { return end_ || (!paused_ && !path_.empty()); });
      if (end_) return;
      if (reading != reading_) {
        reading = reading_;
        filter = filter_;
        tail = LineTail(path_);
        first = true;
      }
    }
    std::vector<LogLine> lines;
    const auto progress = tail.poll(
        [&](std::string_view line, std::uint64_t offset) {
          const LogLevel level = level_of(line);
          const auto length = static_cast<std::uint32_t>(std::min<std::size_t>(line.size(), UINT32_MAX));
          if (filter.passes(line, level)) lines.push_back({offset, length, level});
        },
        batch_bytes);
    caught_up = !progress || progress->caught_up;
    const bool restarted = first || (progress && progress->restarted);
    if (lines.empty() && !restarted) continue;
    first = false;
    QMetaObject::invokeMethod(
        this,
        [this, reading, lines = std::move(lines), restarted, done = caught_up] {
          Q_EMIT found(reading, lines, restarted, done);
        },
        Qt::QueuedConnection);
  }
}

}  // namespace disco::ui
