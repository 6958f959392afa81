// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/services.h"

namespace disco::ui {

Services::Services(const QString& settings_file, ColumnSourceFactory columns)
    : settings(settings_file), run(std::move(columns)) {
  QObject::connect(&state, &AppState::workspace_changed, &workspace, [this] { open_workspace(); });
  QObject::connect(&state, &AppState::current_run_changed, &run, [this] { open_run(); });
  // A run that was just started is looked for at once, not at the next round.
  QObject::connect(&engine, &EngineClient::started, &workspace, &WorkspaceWatch::refresh);
  QObject::connect(&engine, &EngineClient::started, &run, &RunWatch::refresh);
  open_workspace();
  open_run();
}

void Services::open_workspace() {
  colours.open(state.workspace());
  workspace.open(state.workspace());
}

void Services::open_run() { run.open(state.current_run().toStdString()); }

}  // namespace disco::ui
