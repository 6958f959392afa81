// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QTimer>
#include <filesystem>
#include <map>

#include "ui/shell/workspace_watch.h"

namespace disco::ui {

/// The reading half of WorkspaceWatch; lives on its thread.
class WorkspaceWatchWorker : public QObject {
  Q_OBJECT

 public:
  WorkspaceWatchWorker();

  void open(const QString& folder);
  void close();
  void look();

 Q_SIGNALS:
  void ready(std::shared_ptr<const WorkspaceSnapshot> snapshot);

 private:
  /// Whether a run's files are as they were; then its status is too, unless an engine works on it.
  struct Known {
    std::int64_t events_size = -1;
    std::int64_t events_time = 0;
    std::int64_t identity_time = 0;
    std::int64_t lock_time = 0;
    RunStatus status;
    bool operator==(const Known& other) const {
      return events_size == other.events_size && events_time == other.events_time &&
             identity_time == other.identity_time && lock_time == other.lock_time;
    }
  };

  [[nodiscard]] std::vector<std::filesystem::path> run_folders(std::optional<Error>& problem) const;
  [[nodiscard]] static Known stamps(const std::filesystem::path& run);
  void update_run(const std::filesystem::path& run);
  void hand_over(int read, int total, bool complete, std::optional<Error> problem);
  void load_cache();
  void save_cache() const;
  [[nodiscard]] QString cache_file() const;

  QString folder_;
  std::map<std::filesystem::path, Known> known_;
  QTimer timer_;
  QTimer cache_timer_;
  bool first_ = true;
  bool changed_ = false;
};

}  // namespace disco::ui
