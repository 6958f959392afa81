// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/run_control.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMessageBox>
#include <QPushButton>
#include <algorithm>

#include "ui/shell/app_state.h"
#include "ui/shell/engine_client.h"
#include "ui/shell/run_watch.h"
#include "ui/shell/run_words.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/notices.h"

namespace disco::ui {
namespace {

constexpr int patience = 10000;       // ms until the bar says that the engine has not answered
constexpr int longest_wait = 120000;  // ms; then the button is itself again
constexpr int look_interval = 250;

/// Whether the state says that the request was carried out.
bool fulfilled(CommandKind kind, ShownState state) {
  switch (kind) {
    case CommandKind::pause:
      return !is_live(state);
    case CommandKind::resume:
      return is_live(state);
    case CommandKind::stop:
    case CommandKind::abort:
      return !is_live(state) && state != ShownState::paused;
    case CommandKind::checkpoint:
    case CommandKind::evaluate:
    case CommandKind::sample:
      return false;  // these are over when they are answered
  }
  return false;
}

bool over_when_answered(CommandKind kind) {
  return kind == CommandKind::checkpoint || kind == CommandKind::evaluate || kind == CommandKind::sample;
}

}  // namespace

RunControl::RunControl(PageContext& context, QObject* parent) : QObject(parent), context_(context) {
  timer_.setInterval(look_interval);
  connect(&timer_, &QTimer::timeout, this, &RunControl::look);
  connect(&context_.run, &RunWatch::updated, this, &RunControl::look);
  connect(&context_.state, &AppState::current_run_changed, this, &RunControl::clear);
  connect(&context_.engine, &EngineClient::start_failed, this, &RunControl::clear);
}

void RunControl::pause_or_resume() {
  const auto& snapshot = context_.run.snapshot();
  if (!snapshot) return;
  if (is_live(snapshot->status.state)) {
    send(CommandKind::pause);
    return;
  }
  if (!can_resume(snapshot->status)) return;
  const auto resumed = context_.engine.resume(context_.state.current_run());
  if (resumed)
    wait_for(CommandKind::resume, {});
  else
    report(resumed.error());
}

void RunControl::stop() { send(CommandKind::stop); }

void RunControl::save() { send(CommandKind::checkpoint); }

void RunControl::evaluate() { send(CommandKind::evaluate); }

void RunControl::copy_command() {
  const auto& snapshot = context_.run.snapshot();
  if (!snapshot || !snapshot->identity || snapshot->identity->command.empty()) return;
  QStringList words;
  for (const std::string& word : snapshot->identity->command) words << QString::fromStdString(word);
  QGuiApplication::clipboard()->setText(EngineClient::command_line(words.first(), words.mid(1)));
  const QString name = QString::fromStdString(snapshot->status.name);
  context_.notices.post({Severity::info, tr("Copied the command of %1.").arg(name), {}, {}, {}});
}

void RunControl::stop_without_saving() {
  const auto& snapshot = context_.run.snapshot();
  if (!snapshot) return;
  const RunStatus& status = snapshot->status;
  const std::int64_t lost = std::max<std::int64_t>(0, status.step - status.saved_step);
  QMessageBox box(QMessageBox::NoIcon, tr("Stop without saving"), tr("Stop without saving?"), QMessageBox::NoButton,
                  qobject_cast<QWidget*>(parent()));
  box.setInformativeText(tr("This loses %n step(s) since the last checkpoint.", nullptr, static_cast<int>(lost)));
  QPushButton* stop = box.addButton(tr("Stop without saving"), QMessageBox::DestructiveRole);
  set_role(stop, "danger");
  box.setDefaultButton(box.addButton(QMessageBox::Cancel));
  box.exec();
  if (box.clickedButton() == stop) send(CommandKind::abort);
}

void RunControl::send(CommandKind kind) {
  const QString run = context_.state.current_run();
  if (run.isEmpty()) return;
  const auto id = context_.engine.command(run, kind);
  if (id)
    wait_for(kind, *id);
  else
    report(id.error());
}

void RunControl::wait_for(CommandKind kind, const QString& id) {
  request_ = Request{kind, id, {}, false};
  request_->since.start();
  timer_.start();
  Q_EMIT changed();
}

std::optional<CommandKind> RunControl::pending() const {
  return request_ ? std::optional(request_->kind) : std::nullopt;
}

bool RunControl::unanswered() const {
  return request_ && !request_->answered && !request_->id.isEmpty() && request_->since.elapsed() >= patience;
}

void RunControl::look() {
  if (!request_) return;
  const auto& snapshot = context_.run.snapshot();
  if (snapshot) {
    const std::string id = request_->id.toStdString();
    const auto& answers = *snapshot->answers;
    const auto answer =
        std::find_if(answers.begin(), answers.end(), [&id](const CommandEvent& event) { return event.id == id; });
    if (answer != answers.end() && !request_->answered) {
      request_->answered = true;
      if (!answer->accepted) {
        context_.notices.post({Severity::warn, QString::fromStdString(answer->message), {}, {}, {}});
        clear();
        return;
      }
    }
    if ((request_->answered && over_when_answered(request_->kind)) ||
        fulfilled(request_->kind, snapshot->status.state)) {
      clear();
      return;
    }
  }
  if (request_->since.elapsed() >= longest_wait) {
    clear();
    return;
  }
  if (unanswered()) Q_EMIT changed();
}

void RunControl::clear() {
  if (!request_) return;
  request_.reset();
  timer_.stop();
  Q_EMIT changed();
}

void RunControl::report(const Error& error) {
  context_.notices.post({Severity::bad, QString::fromStdString(error.message()), {}, {}, {}});
}

}  // namespace disco::ui
