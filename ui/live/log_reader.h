// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace disco::ui {

/// How serious a line of the engine's log is, by its words.
enum class LogLevel : std::uint8_t { info, warning, error };
[[nodiscard]] LogLevel level_of(std::string_view line);

/// Where a line of the log lies.
struct LogLine {
  std::uint64_t offset = 0;
  std::uint32_t length = 0;
  LogLevel level = LogLevel::info;
};

/// What is wanted of a log.
struct LogFilter {
  std::string text;  ///< lower case; empty = every line
  LogLevel least = LogLevel::info;
  [[nodiscard]] bool passes(std::string_view line, LogLevel level) const;
};

/// Finds the lines of engine.log that pass a filter, on a thread of its own; looks for new ones four times a second.
class LogReader : public QObject {
  Q_OBJECT

 public:
  explicit LogReader(QObject* parent = nullptr);
  ~LogReader() override;

  /// Reads this log with this filter from its start. An empty path reads nothing. Returns the number that batches of
  /// this reading carry.
  int open(const std::filesystem::path& log, LogFilter filter);
  /// Stops looking while nobody sees the log.
  void set_paused(bool paused);

 Q_SIGNALS:
  /// Further lines; `restarted`: those before are void. On the thread of this object.
  void found(int reading, const std::vector<disco::ui::LogLine>& lines, bool restarted, bool caught_up);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::filesystem::path path_;
  LogFilter filter_;
  int reading_ = 0;
  bool paused_ = true;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace disco::ui
