// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/run/commands.h"

namespace disco::ui {

class AppState;
class Settings;

/// Starts engines that survive the window and sends them commands. What became of either is told by the run's events:
/// a state shows only after the engine says so. GUI thread; nothing here waits.
class EngineClient : public QObject {
  Q_OBJECT

 public:
  EngineClient(AppState& state, Settings& settings, QObject* parent = nullptr);
  ~EngineClient() override;

  /// disco-engine of the settings, else beside this program, else in PATH; empty when there is none.
  [[nodiscard]] QString program() const;

  /// Arguments of the question helper: as many threads as the settings allow.
  [[nodiscard]] QStringList serve_arguments() const;

  /// The command of a new run as a person could type it: `disco-engine train RUN --config FILE`.
  [[nodiscard]] static QString command_line(const QString& program, const QStringList& arguments);

  /// Starts training in workspace/name with this configuration, detached. The run appears in the workspace when the
  /// engine has made its folder; if it ends before, start_failed() says why. Returns the run folder.
  [[nodiscard]] Result<QString> start(const QString& name, const Json& config);
  /// Goes on with a paused, stopped, died or failed run; asks a waiting supervisor or starts a new engine.
  /// `overrides` are path=value settings of this resume.
  [[nodiscard]] Result<void> resume(const QString& run_folder, const QStringList& overrides = {});
  /// Appends a command; returns its id, answered by a CommandEvent.
  [[nodiscard]] Result<QString> command(const QString& run_folder, CommandKind kind);

 Q_SIGNALS:
  /// The engine ended before it made (or took over) the run. `details` are its last lines.
  void start_failed(const QString& run_folder, const QString& sentence, const QString& details);
  /// A run folder made by start() is there.
  void started(const QString& run_folder);

 private:
  struct Launch;
  [[nodiscard]] Result<void> launch(const QString& run_folder, const QStringList& arguments);
  void check_launches();

  AppState& state_;
  Settings& settings_;
  std::vector<Launch> launches_;
};

}  // namespace disco::ui
