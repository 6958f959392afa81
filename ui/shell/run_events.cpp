// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/run_events.h"

#include <QWidget>

#include "ui/shell/app_state.h"
#include "ui/shell/desktop_notice.h"
#include "ui/shell/engine_client.h"
#include "ui/shell/run_words.h"
#include "ui/shell/settings.h"
#include "ui/shell/workspace_watch.h"
#include "ui/widgets/notices.h"

namespace disco::ui {
namespace {

bool went_wrong(ShownState state) {
  return state == ShownState::failed || state == ShownState::died || state == ShownState::diverged;
}

}  // namespace

RunEvents::RunEvents(PageContext& context, QWidget* window) : QObject(window), context_(context), window_(window) {
  connect(&context_.workspace, &WorkspaceWatch::updated, this, &RunEvents::look);
  connect(&context_.state, &AppState::workspace_changed, this, [this] { states_.clear(); });
  connect(&context_.engine, &EngineClient::start_failed, this,
          [this](const QString&, const QString& sentence, const QString& details) {
            const QString last = details.section(QLatin1Char('\n'), -1).trimmed();
            context_.notices.post(
                {Severity::bad, last.isEmpty() ? sentence : sentence + QLatin1Char(' ') + last, {}, {}, details});
          });
}

void RunEvents::look(const std::shared_ptr<const WorkspaceSnapshot>& snapshot) {
  if (!snapshot->complete) return;
  for (const RunStatus& run : snapshot->runs) {
    const QString path = QString::fromStdString(run.path);
    const auto before = states_.constFind(path);
    // Only a change that was seen happening is news; what had ended before the studio was opened is not.
    const bool news = before != states_.constEnd() && *before != run.state && (is_live(*before));
    states_.insert(path, run.state);
    if (news && (went_wrong(run.state) || run.state == ShownState::finished)) tell(run);
  }
}

void RunEvents::tell(const RunStatus& run) {
  const QString name = QString::fromStdString(run.name);
  const QString sentence = run_sentence(run);
  const bool wrong = went_wrong(run.state);
  if (wrong) Q_EMIT something_failed();
  Notice notice{
      wrong ? Severity::bad : Severity::ok,
      tr("%1: %2").arg(name, sentence),
      tr("Open"),
      [this, path = QString::fromStdString(run.path)] { context_.state.open_run(path, QStringLiteral("live")); },
      {}};
  context_.notices.post(std::move(notice));
  if (!window_->isActiveWindow() && context_.settings.get(keys::notify_ends)) show_desktop_notice(name, sentence);
}

}  // namespace disco::ui
