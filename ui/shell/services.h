// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/app_state.h"
#include "ui/shell/engine_client.h"
#include "ui/shell/page.h"
#include "ui/shell/run_colours.h"
#include "ui/shell/run_watch.h"
#include "ui/shell/serve_client.h"
#include "ui/shell/settings.h"
#include "ui/shell/workspace_watch.h"
#include "ui/widgets/notices.h"

namespace disco::ui {

/// Everything below the widgets, in the order in which it depends on each other. Outlives the window.
class Services {
 public:
  /// `settings_file` as in Settings.
  Services(const QString& settings_file, ColumnSourceFactory columns);

  Settings settings;
  AppState state{settings};
  Notices notices;
  RunColours colours;
  WorkspaceWatch workspace;
  RunWatch run;
  EngineClient engine{state, settings};
  ServeClient serve{engine};

  [[nodiscard]] PageContext context(Actions& actions) {
    return {state, actions, settings, notices, colours, workspace, run, engine, serve};
  }

 private:
  void open_workspace();
  void open_run();
};

}  // namespace disco::ui
