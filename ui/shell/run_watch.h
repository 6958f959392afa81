// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThread>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/base/error.h"
#include "engine/run/events.h"
#include "engine/run/run_config.h"
#include "engine/run/run_folder.h"
#include "engine/run/run_status.h"
#include "engine/run/run_tail.h"

namespace disco::ui {

struct Columns;  // ui/live/columns.h
class RunWatchWorker;

/// Turns events into columns on the reading thread. ui/live implements it; the watch is given a factory, so that the
/// shell does not depend on a page.
class ColumnSource {
 public:
  virtual ~ColumnSource() = default;
  virtual void take(const Event& event) = 0;
  /// Step events and evaluation events as columns; the same pointer while nothing was added.
  [[nodiscard]] virtual std::shared_ptr<const Columns> steps() = 0;
  [[nodiscard]] virtual std::shared_ptr<const Columns> evaluations() = 0;
  /// Goes on from a stored cache of this run if there is a sound one. Replays through `replay` every event that is no
  /// step, and the last step. Returns the offset in events.jsonl behind what it knows; 0 = nothing.
  virtual std::uint64_t restore(const std::filesystem::path& run, const std::function<void(const Event&)>& replay) {
    static_cast<void>(run);
    static_cast<void>(replay);
    return 0;
  }
  /// Stores the cache. Called on the reading thread when a long file was read, and before the run is left.
  virtual void save(const std::filesystem::path& run, std::uint64_t offset) {
    static_cast<void>(run);
    static_cast<void>(offset);
  }
};
using ColumnSourceFactory = std::function<std::unique_ptr<ColumnSource>()>;

/// All that is known of one run at one moment. Immutable; parts that did not change are the same objects as before, so
/// comparing pointers tells what is new.
struct RunSnapshot {
  std::filesystem::path folder;
  std::uint64_t sequence = 0;  ///< grows with every snapshot of the window
  RunStatus status;
  std::shared_ptr<const RunIdentity> identity;  ///< null when run.json cannot be read
  std::shared_ptr<const RunConfig> config;      ///< null when config.json cannot be read
  std::shared_ptr<const RunEvent> run;          ///< the first event; null before it
  std::shared_ptr<const Columns> steps;         ///< null without a ColumnSource
  std::shared_ptr<const Columns> evaluations;
  std::shared_ptr<const StepEvent> last_step;  ///< null before the first step
  std::shared_ptr<const EvaluationEvent> last_evaluation;
  /// One a prediction event, by step; after a resume the later ones are replaced.
  std::shared_ptr<const std::vector<std::shared_ptr<const PredictionEvent>>> predictions;
  /// Those that are still there, by step.
  std::shared_ptr<const std::vector<CheckpointEvent>> checkpoints;
  std::shared_ptr<const std::vector<WarningEvent>> warnings;
  /// Answers to commands, oldest first, at most 64.
  std::shared_ptr<const std::vector<CommandEvent>> answers;
  RunTail::Progress progress;    ///< caught_up is false while a long file is being read for the first time
  std::optional<Error> problem;  ///< the folder cannot be reached now; everything else is as last read
  double last_read = 0;          ///< wall seconds of the last reading that worked
};

/// Follows one run on a thread of its own: ten looks a second, at most 25 snapshots a second. GUI thread object.
class RunWatch : public QObject {
  Q_OBJECT

 public:
  explicit RunWatch(ColumnSourceFactory columns, QObject* parent = nullptr);
  ~RunWatch() override;

  /// Follows this run from now on; empty: none. Hands over an empty snapshot pointer at once.
  void open(const std::filesystem::path& run);
  /// Reads again at once (F5).
  void refresh();
  /// The newest snapshot; null when no run is open or nothing was read yet.
  [[nodiscard]] const std::shared_ptr<const RunSnapshot>& snapshot() const { return snapshot_; }

 Q_SIGNALS:
  /// snapshot() is another one. Also sent, with a null snapshot, when another run was opened.
  void updated(const std::shared_ptr<const RunSnapshot>& snapshot);

 private:
  void take(std::shared_ptr<const RunSnapshot> snapshot);

  QThread thread_;
  RunWatchWorker* worker_;
  std::filesystem::path run_;
  std::shared_ptr<const RunSnapshot> snapshot_;
};

}  // namespace disco::ui

Q_DECLARE_METATYPE(std::shared_ptr<const disco::ui::RunSnapshot>)
