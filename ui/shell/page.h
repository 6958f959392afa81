// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPair>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <functional>

namespace disco::ui {

class Actions;
class AppState;
class EngineClient;
class Notices;
class RunColours;
class RunWatch;
class ServeClient;
class Settings;
class WorkspaceWatch;

/// What the shell lends to every page. All outlive the pages.
struct PageContext {
  AppState& state;
  Actions& actions;
  Settings& settings;
  Notices& notices;
  RunColours& colours;
  WorkspaceWatch& workspace;  ///< all runs of the workspace, once a second
  RunWatch& run;              ///< the current run, up to 25 times a second
  EngineClient& engine;
  ServeClient& serve;
};

/// One page of the window. It is made on the first visit and lives until the end; only the shown one is active.
class Page : public QWidget {
  Q_OBJECT

 public:
  using QWidget::QWidget;

  /// The page is shown now: start timers, read what changed. Hidden pages run no timers.
  virtual void activate() {}
  virtual void deactivate() {}

  /// Ids of the page's tabs as `--tab` takes them; empty without tabs.
  [[nodiscard]] virtual QStringList tabs() const { return {}; }
  /// Shows a tab; false when there is none of that id. Ctrl+Tab walks tabs() in order.
  virtual bool show_tab(const QString& id) {
    Q_UNUSED(id)
    return false;
  }
  [[nodiscard]] virtual QString current_tab() const { return {}; }

  /// Keys of the page that are no actions (charts, lists), for the sheet of shortcuts: key, what it does.
  [[nodiscard]] virtual QList<QPair<QString, QString>> keys() const { return {}; }

  /// Shows the "empty", "loading" or "error" state for a screenshot; false when the page has no such state.
  virtual bool show_state(const QString& state) {
    Q_UNUSED(state)
    return false;
  }
  /// Whether everything that was asked for is drawn; a screenshot waits for it.
  [[nodiscard]] virtual bool settled() const { return true; }
};

/// What the rail knows of a page before it is made.
struct PageSpec {
  QString id;     ///< "runs", "new", "live", "predictions", "try", "settings"
  QString title;  ///< under the icon of the rail
  const char* icon;
  int number = 0;       ///< Ctrl+number; 0 = none
  bool of_run = false;  ///< shows the current run: run bar above, a bar in its colour in the rail
  bool starts_group = false;
  std::function<Page*(PageContext&)> make;
};

}  // namespace disco::ui
