// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/app_state.h"

#include <QDir>
#include <utility>

#include "ui/shell/settings.h"

namespace disco::ui {

AppState::AppState(Settings& settings, QObject* parent) : QObject(parent), settings_(settings) {
  workspace_ = settings_.get(keys::workspace);
  if (workspace_.isEmpty()) workspace_ = default_workspace();
  current_run_ = settings_.get(keys::current_run);
  // A run that was trashed or moved meanwhile is no current run.
  if (!current_run_.isEmpty() && !QFileInfo::exists(current_run_ + QStringLiteral("/run.json"))) current_run_.clear();
}

QString AppState::default_workspace() { return QDir::home().filePath(QStringLiteral("DisCo runs")); }

void AppState::set_workspace(const QString& folder) {
  const QString clean = QDir::cleanPath(QDir(folder).absolutePath());
  if (clean == workspace_) return;
  workspace_ = clean;
  settings_.set(keys::workspace, clean == default_workspace() ? QString() : clean);
  set_current_run({});
  Q_EMIT workspace_changed();
}

void AppState::set_current_run(const QString& run_folder) {
  if (run_folder == current_run_) return;
  current_run_ = run_folder;
  settings_.set(keys::current_run, run_folder);
  Q_EMIT current_run_changed();
}

void AppState::open_run(const QString& run_folder, const QString& page) {
  set_current_run(run_folder);
  go_to(page);
}

void AppState::go_to(const QString& page, const QString& tab) { Q_EMIT page_wanted(page, tab); }

void AppState::propose_draft(const Json& config, const QString& name) {
  draft_ = Draft{config, name};
  go_to(QStringLiteral("new"));
  Q_EMIT draft_proposed();
}

std::optional<AppState::Draft> AppState::take_draft() { return std::exchange(draft_, std::nullopt); }

void AppState::offer_picture(const QString& path) {
  picture_ = path;
  go_to(QStringLiteral("try"));
  Q_EMIT picture_offered();
}

QString AppState::take_picture() { return std::exchange(picture_, QString()); }

void AppState::ask_checkpoint(std::int64_t step) {
  checkpoint_ = step;
  go_to(QStringLiteral("try"));
}

std::optional<std::int64_t> AppState::take_checkpoint() { return std::exchange(checkpoint_, std::nullopt); }

}  // namespace disco::ui
