// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

#include "ui/shell/run_watch.h"

namespace disco::ui {

/// The reading half of RunWatch; lives on its thread.
class RunWatchWorker : public QObject {
  Q_OBJECT

 public:
  explicit RunWatchWorker(ColumnSourceFactory columns);

  void open(const std::filesystem::path& run);
  void close();
  void look();

 Q_SIGNALS:
  void ready(std::shared_ptr<const RunSnapshot> snapshot);

 private:
  /// A list that is copied only when a snapshot is made after a change.
  template <class T>
  struct Shared {
    std::vector<T> items;
    std::shared_ptr<const std::vector<T>> view = std::make_shared<const std::vector<T>>();
    bool dirty = false;
    void refresh() {
      if (dirty) view = std::make_shared<const std::vector<T>>(items);
      dirty = false;
    }
  };
  struct Reading {
    explicit Reading(const std::filesystem::path& path) : folder(path), tracker(path), tail(path) {}
    RunFolder folder;
    StatusTracker tracker;
    RunTail tail;
    std::unique_ptr<ColumnSource> columns;
    RunTail::Progress progress;
    std::shared_ptr<const RunIdentity> identity;
    std::shared_ptr<const RunConfig> config;
    std::shared_ptr<const RunEvent> run;
    std::shared_ptr<const StepEvent> last_step;
    std::shared_ptr<const EvaluationEvent> last_evaluation;
    Shared<std::shared_ptr<const PredictionEvent>> predictions;
    Shared<CheckpointEvent> checkpoints;
    Shared<WarningEvent> warnings;
    Shared<CommandEvent> answers;
    std::optional<Error> problem;
    double last_read = 0;
    QElapsedTimer since_open;
    bool was_caught_up = false;
  };

  void read_files();
  void take(const Event& event);
  void take_resumed(const ResumedEvent& event);
  void take_checkpoint(const CheckpointEvent& event);
  void hand_over();
  void wake_on(const std::filesystem::path& run);

  ColumnSourceFactory make_columns_;
  std::unique_ptr<Reading> reading_;
  QTimer timer_;
  QFileSystemWatcher watcher_;
  QElapsedTimer since_snapshot_;
  QElapsedTimer since_poll_;
  std::uint64_t sequence_ = 0;
};

}  // namespace disco::ui
