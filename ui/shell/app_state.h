// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <optional>

#include "engine/base/json.h"

namespace disco::ui {

class Settings;

/// What the whole window is about: the workspace, the current run, the page. Pages read it, ask for changes, and hear
/// of them by coarse signals. GUI thread.
class AppState : public QObject {
  Q_OBJECT

 public:
  explicit AppState(Settings& settings, QObject* parent = nullptr);

  /// Folder that holds the runs; made when the first run starts.
  [[nodiscard]] const QString& workspace() const { return workspace_; }
  void set_workspace(const QString& folder);
  [[nodiscard]] static QString default_workspace();

  /// Folder of the run that Live, Predictions and Try it show; empty = none.
  [[nodiscard]] const QString& current_run() const { return current_run_; }
  /// Makes a run the current one without leaving the page.
  void set_current_run(const QString& run_folder);
  /// Makes a run the current one and goes to a page ("live", "predictions", "try").
  void open_run(const QString& run_folder, const QString& page);

  /// Asks the window to show a page, and a tab of it.
  void go_to(const QString& page, const QString& tab = {});
  /// Hands a configuration to New run (Duplicate, "Use in a copy") and goes there. `name` is a proposal.
  void propose_draft(const Json& config, const QString& name);
  /// The proposal that New run has not taken yet; taking it clears it.
  struct Draft {
    Json config;
    QString name;
  };
  [[nodiscard]] std::optional<Draft> take_draft();
  /// Hands pictures (dropped, pasted, opened on another page) to Try it and goes there.
  void offer_picture(const QString& path);
  [[nodiscard]] QString take_picture();
  /// Goes to Try it to ask this checkpoint of the current run.
  void ask_checkpoint(std::int64_t step);
  /// The step that Try it was asked for and has not taken yet; taking it clears it.
  [[nodiscard]] std::optional<std::int64_t> take_checkpoint();

 Q_SIGNALS:
  void workspace_changed();
  void current_run_changed();
  void page_wanted(const QString& page, const QString& tab);
  void draft_proposed();
  void picture_offered();

 private:
  Settings& settings_;
  QString workspace_;
  QString current_run_;
  std::optional<Draft> draft_;
  QString picture_;
  std::optional<std::int64_t> checkpoint_;
};

}  // namespace disco::ui
