// SPDX-License-Identifier: GPL-3.0-or-later
//
// What RunsPage does with runs; how it shows them is in runs_page.cpp.
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QTableView>

#include "engine/run/presets.h"
#include "engine/run/run_folder.h"
#include "ui/runs/runs_model.h"
#include "ui/runs/runs_page.h"
#include "ui/shell/actions.h"
#include "ui/shell/app_state.h"
#include "ui/shell/engine_client.h"
#include "ui/shell/folders.h"
#include "ui/shell/run_words.h"
#include "ui/shell/settings.h"
#include "ui/shell/workspace_watch.h"
#include "ui/theme/icon.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/notices.h"

namespace disco::ui {

namespace {

QString qtext(const std::string& text) { return QString::fromStdString(text); }

}  // namespace

void RunsPage::resume_selected() {
  const int row = selected_row();
  if (row < 0) return;
  const QString path = qtext(model_->run(row).path);
  if (const auto resumed = context_.engine.resume(path); !resumed) {
    banner_->show_message(Severity::bad, qtext(resumed.error().message()));
    return;
  }
  context_.state.open_run(path, QStringLiteral("live"));
}

void RunsPage::duplicate_selected() {
  const int row = selected_row();
  if (row < 0) return;
  const RunFolder folder(model_->run(row).path);
  const auto config = folder.config();
  if (!config) {
    banner_->show_message(Severity::bad, qtext(config.error().message()));
    return;
  }
  // New run finds the next free name made from this one.
  context_.state.propose_draft(write_json(config->config), qtext(folder.root().filename().string()));
}

void RunsPage::rename_selected() {
  const QModelIndexList rows = table_->selectionModel()->selectedRows(RunsModel::name_column);
  if (rows.size() != 1) return;
  table_->scrollTo(rows.front());
  table_->edit(rows.front());
}

void RunsPage::rename(const QString& path, const QString& name) {
  if (const auto renamed = RunFolder(path.toStdString()).rename(name.toStdString()); !renamed)
    banner_->show_message(Severity::bad, qtext(renamed.error().message()));
  context_.workspace.refresh();
}

void RunsPage::toggle_pin() {
  const int row = selected_row();
  if (row < 0) return;
  QSet<QString> pinned = model_->pinned();
  const QString id = qtext(model_->run(row).id);
  if (!pinned.remove(id)) pinned.insert(id);
  model_->set_pinned(pinned);
  context_.settings.set_view(QStringLiteral("runs/pinned"), QStringList(pinned.begin(), pinned.end()));
  order_->order_again();
}

void RunsPage::fill_menu() {
  menu_->clear();
  const int row = selected_row();
  const auto add = [this](const char* icon_name, const QString& words, std::function<void()> run,
                          const char* shortcut_of) {
    QAction* action = menu_->addAction(icon(icon_name), words);
    // Shown as a hint; the action of the table does the work when the key is pressed.
    if (shortcut_of != nullptr) {
      action->setShortcut(context_.actions.action(shortcut_of)->shortcut());
      action->setShortcutContext(Qt::WidgetShortcut);
    }
    connect(action, &QAction::triggered, this, std::move(run));
  };
  if (row >= 0) {
    const RunStatus run = model_->run(row);
    const bool readable = run.state != ShownState::unreadable;
    if (readable)
      add(
          "live", tr("Open"), [this] { open_selected(QStringLiteral("live")); }, nullptr);
    if (can_resume(run))
      add(
          "play", tr("Resume"), [this] { resume_selected(); }, nullptr);
    if (readable) {
      add(
          "duplicate", tr("Duplicate"), [this] { duplicate_selected(); }, "runs.duplicate");
      add(
          "rename", tr("Rename"), [this] { rename_selected(); }, "runs.rename");
    }
    add(
        "pin", model_->is_pinned(row) ? tr("Unpin") : tr("Pin to the top"), [this] { toggle_pin(); }, nullptr);
    menu_->addSeparator();
    add(
        "folder", tr("Show in folder"), [path = qtext(run.path)] { show_in_folder(path); }, nullptr);
    menu_->addSeparator();
  }
  add(
      "trash", tr("Move to trash"), [this] { trash(selected_paths()); }, "runs.trash");
}

void RunsPage::trash(const QStringList& paths) {
  std::vector<TrashedFolder> moved;
  QStringList names;
  bool in_workspace = false;
  for (const QString& path : paths) {
    const int row = model_->row_of_path(path);
    const QString name = row >= 0 ? qtext(model_->run(row).name) : QFileInfo(path).fileName();
    // The lock is asked, not the table: a run may have been resumed a moment ago.
    if (RunFolder(path.toStdString()).lock_holder()) {
      still_training_ = path;
      banner_->show_message(Severity::warn, tr("%1 is still training. Stop and save it first.").arg(name),
                            tr("Stop and save"));
      continue;
    }
    const auto trashed = move_to_trash(path);
    if (!trashed) {
      still_training_.clear();
      banner_->show_message(Severity::bad, qtext(trashed.error().message()));
      continue;
    }
    in_workspace = in_workspace || trashed->in_workspace;
    if (context_.state.current_run() == path) context_.state.set_current_run({});
    names << name;
    moved.push_back(*trashed);
  }
  if (moved.empty()) return;
  const int count = static_cast<int>(moved.size());
  QString words =
      count == 1 ? tr("Moved %1 to trash").arg(names.front()) : tr("Moved %n run(s) to trash", nullptr, count);
  if (in_workspace)
    words = count == 1 ? tr("Moved %1 to .trash in the workspace").arg(names.front())
                       : tr("Moved %n run(s) to .trash in the workspace", nullptr, count);
  trashed_.push_back(std::move(moved));
  context_.notices.post({Severity::info,
                         words,
                         tr("Undo"),
                         [this, nth = trashed_.size()] {
                           if (trashed_.size() == nth) undo_trash();
                         },
                         {}});
  context_.workspace.refresh();
}

void RunsPage::undo_trash() {
  if (trashed_.empty()) return;
  const std::vector<TrashedFolder> last = std::move(trashed_.back());
  trashed_.pop_back();
  for (const TrashedFolder& folder : last)
    if (const auto restored = restore_from_trash(folder); !restored)
      banner_->show_message(Severity::bad, qtext(restored.error().message()));
  context_.workspace.refresh();
}

void RunsPage::train_cartoons() {
  const auto preset = find_preset("cartoons");
  if (!preset) {
    banner_->show_message(Severity::bad, qtext(preset.error().message()));
    return;
  }
  const QString name = qtext(free_run_name(context_.state.workspace().toStdString(), preset->id));
  const auto started = context_.engine.start(name, write_json(load_config(preset->config).config));
  if (!started) {
    banner_->show_message(Severity::bad, qtext(started.error().message()));
    return;
  }
  context_.state.open_run(*started, QStringLiteral("live"));
}

void RunsPage::train_pictures() {
  const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder of pictures"));
  if (folder.isEmpty()) return;
  const auto preset = find_preset("pictures");
  if (!preset) {
    banner_->show_message(Severity::bad, qtext(preset.error().message()));
    return;
  }
  Json config = preset->config;
  config["data"]["source"] = "folder";
  config["data"]["path"] = folder.toStdString();
  QString stem = QFileInfo(folder).fileName().toLower().replace(QLatin1Char(' '), QLatin1Char('-'));
  if (stem.isEmpty()) stem = QStringLiteral("pictures");
  context_.state.propose_draft(config, stem);
}

}  // namespace disco::ui
