// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/run_bar.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/shell/actions.h"
#include "ui/shell/app_state.h"
#include "ui/shell/run_colours.h"
#include "ui/shell/run_control.h"
#include "ui/shell/run_switcher.h"
#include "ui/shell/run_watch.h"
#include "ui/shell/run_words.h"
#include "ui/theme/icon.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/digit_label.h"
#include "ui/widgets/meter.h"
#include "ui/widgets/state_chip.h"

namespace disco::ui {
namespace {

Token meter_ink(ChipState state) {
  const Token ink = chip_ink(state);
  return ink == Token::info ? Token::meter : ink;
}

}  // namespace

RunBar::RunBar(PageContext& context, RunControl& control, QWidget* parent)
    : QFrame(parent),
      context_(context),
      control_(control),
      switcher_(new RunSwitcher(context, this)),
      chip_(new StateChip(this)),
      sentence_(new DigitLabel(FontRole::body, Token::text, this)),
      meter_(new Meter(this)),
      abort_(new QPushButton(tr("Stop without saving"), this)),
      pause_(new QPushButton(this)),
      stop_(new QPushButton(this)),
      save_(new QPushButton(this)),
      more_(new QToolButton(this)) {
  set_role(this, "runbar");
  set_role(abort_, "danger");
  setAccessibleName(tr("Current run"));
  setFixedHeight(theme().px(sizes::run_bar) + 1);
  meter_->setAccessibleName(tr("Progress"));
  auto* middle = new QVBoxLayout;
  middle->setContentsMargins(0, 0, 0, 0);
  middle->setSpacing(2);
  middle->addStretch(1);
  middle->addWidget(sentence_);
  middle->addWidget(meter_);
  middle->addStretch(1);
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(sizes::gap4, 0, sizes::gap4, 0);
  line->setSpacing(sizes::gap2);
  line->addWidget(switcher_);
  line->addSpacing(sizes::gap1);
  line->addWidget(chip_);
  line->addSpacing(sizes::gap1);
  line->addLayout(middle, 1);
  line->addSpacing(sizes::gap1);
  for (QPushButton* button : {abort_, pause_, stop_, save_}) line->addWidget(button);
  line->addWidget(more_);
  auto* menu = new QMenu(more_);
  for (const char* id : {"run.abort", "run.evaluate", "run.folder", "run.command"})
    menu->addAction(context_.actions.action(id));
  more_->setIcon(icon("more"));
  more_->setMenu(menu);
  more_->setPopupMode(QToolButton::InstantPopup);
  more_->setAccessibleName(tr("More about this run"));
  more_->setToolTip(tr("More"));
  connect(abort_, &QPushButton::clicked, &control_, &RunControl::stop_without_saving);
  connect(pause_, &QPushButton::clicked, &control_, &RunControl::pause_or_resume);
  connect(stop_, &QPushButton::clicked, &control_, &RunControl::stop);
  connect(save_, &QPushButton::clicked, &control_, &RunControl::save);
  connect(&control_, &RunControl::changed, this, &RunBar::refresh);
  connect(&context_.run, &RunWatch::updated, this, &RunBar::refresh);
  connect(&context_.state, &AppState::current_run_changed, this, &RunBar::refresh);
  connect(&theme(), &Theme::changed, this, [this] {
    setFixedHeight(theme().px(sizes::run_bar) + 1);
    refresh();
  });
  refresh();
}

void RunBar::set_narrow(bool narrow) {
  if (narrow == narrow_) return;
  narrow_ = narrow;
  refresh();
}

void RunBar::refresh() {
  const auto snapshot = context_.run.snapshot();
  const bool has_run = !context_.state.current_run().isEmpty();
  for (QWidget* widget : std::initializer_list<QWidget*>{chip_, meter_, pause_, stop_, save_, more_})
    widget->setVisible(has_run);
  abort_->setVisible(control_.unanswered());
  if (!has_run) {
    switcher_->set_run(tr("Choose a run"), {});
    sentence_->set_text(tr("No run is open."));
    for (const char* id :
         {"run.pause", "run.stop", "run.abort", "run.save", "run.evaluate", "run.folder", "run.command"})
      context_.actions.set_available(id, false);
    return;
  }
  if (!snapshot) {
    switcher_->set_run(QFileInfo(context_.state.current_run()).fileName(), {});
    sentence_->set_text(tr("Reading the run…"));
    meter_->set_share(-1);
    chip_->hide();
    return;
  }
  show_status(*snapshot);
  show_buttons(*snapshot);
}

void RunBar::show_status(const RunSnapshot& snapshot) {
  const RunStatus& status = snapshot.status;
  switcher_->set_run(QString::fromStdString(status.name), context_.colours.colour(QString::fromStdString(status.id)));
  ChipState state = chip_state(status.state);
  const auto pending = control_.pending();
  if (pending == CommandKind::pause) state = ChipState::pausing;
  if (pending == CommandKind::resume) state = ChipState::resuming;
  if (pending == CommandKind::stop || pending == CommandKind::abort) state = ChipState::stopping;
  chip_->set_state(state);
  QString sentence = run_sentence(status);
  if (snapshot.problem)
    sentence =
        tr("The run folder cannot be reached. Trying again every 5 s; last read %1.")
            .arg(QLocale().toString(QDateTime::fromSecsSinceEpoch(static_cast<qint64>(snapshot.last_read)).time(),
                                    QStringLiteral("HH:mm:ss")));
  if (control_.unanswered()) sentence = tr("The engine has not answered for 10 s. It may be busy saving.");
  sentence_->set_text(sentence);
  sentence_->setToolTip(sentence);
  const double share = run_share(status);
  meter_->setVisible(share >= 0);
  meter_->set_share(share);
  meter_->set_ink(meter_ink(chip_state(status.state)));
}

void RunBar::show_buttons(const RunSnapshot& snapshot) {
  const RunStatus& status = snapshot.status;
  const bool live = is_live(status.state);
  const bool resumable = can_resume(status);
  const auto pending = control_.pending();
  const bool resumes = !live && resumable;
  pause_->setIcon(narrow_ ? icon(resumes ? "play" : "pause") : QIcon());
  stop_->setIcon(narrow_ ? icon("stop") : QIcon());
  save_->setIcon(narrow_ ? icon("save") : QIcon());
  set_words(pause_, pending == CommandKind::pause    ? tr("Pausing…")
                    : pending == CommandKind::resume ? tr("Resuming…")
                    : resumes                        ? tr("Resume")
                                                     : tr("Pause"));
  set_words(stop_, pending == CommandKind::stop || pending == CommandKind::abort ? tr("Stopping…") : tr("Stop"));
  set_words(save_, pending == CommandKind::checkpoint ? tr("Saving…") : tr("Save"));
  const bool held = live || status.process != 0;  // a paused engine still holds its run
  pause_->setEnabled(!pending && (live || resumable));
  stop_->setEnabled(!pending && held);
  save_->setEnabled(!pending && live);
  pause_->setVisible(status.state != ShownState::finished && status.state != ShownState::unreadable);
  stop_->setVisible(held);
  save_->setVisible(live);
  context_.actions.set_available("run.pause", pause_->isEnabled() && status.state != ShownState::finished);
  context_.actions.set_available("run.stop", stop_->isEnabled());
  context_.actions.set_available("run.save", save_->isEnabled());
  context_.actions.set_available("run.abort", held);
  context_.actions.set_available("run.evaluate", live && !pending);
  context_.actions.set_available("run.folder", true);
  context_.actions.set_available("run.command", snapshot.identity && !snapshot.identity->command.empty());
}

void RunBar::set_words(QPushButton* button, const QString& words) {
  button->setText(narrow_ ? QString() : words);
  button->setAccessibleName(words);
  button->setToolTip(narrow_ ? words : QString());
}

}  // namespace disco::ui
