// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QThread>
#include <memory>
#include <optional>
#include <vector>

#include "engine/base/error.h"
#include "engine/run/run_status.h"

namespace disco::ui {

class WorkspaceWatchWorker;

/// All runs of the workspace at one moment, newest first. Immutable.
struct WorkspaceSnapshot {
  QString folder;
  std::vector<RunStatus> runs;
  int read = 0;             ///< while reading: folders looked at
  int total = 0;            ///< folders there are
  bool complete = false;    ///< false while reading for the first time
  bool from_cache = false;  ///< rows are as they were when the studio last saw them; grey until confirmed
  std::optional<Error> problem;

  [[nodiscard]] int live() const;
  [[nodiscard]] const RunStatus* find(const QString& run_folder) const;
};

/// Looks through the workspace once a second on a thread of its own, also for runs started elsewhere.
class WorkspaceWatch : public QObject {
  Q_OBJECT

 public:
  explicit WorkspaceWatch(QObject* parent = nullptr);
  ~WorkspaceWatch() override;

  void open(const QString& folder);
  /// Looks again at once: after starting, renaming or trashing a run.
  void refresh();
  /// Never null; without a look yet it is empty and not complete.
  [[nodiscard]] const std::shared_ptr<const WorkspaceSnapshot>& snapshot() const { return snapshot_; }

 Q_SIGNALS:
  void updated(const std::shared_ptr<const WorkspaceSnapshot>& snapshot);

 private:
  QThread thread_;
  WorkspaceWatchWorker* worker_;
  std::shared_ptr<const WorkspaceSnapshot> snapshot_;
};

}  // namespace disco::ui

Q_DECLARE_METATYPE(std::shared_ptr<const disco::ui::WorkspaceSnapshot>)
