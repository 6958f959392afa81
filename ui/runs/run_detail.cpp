// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_detail.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

#include "engine/run/run_folder.h"
#include "ui/runs/loss_sketch.h"
#include "ui/shell/run_words.h"
#include "ui/theme/icon.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/state_chip.h"

namespace disco::ui {

namespace {

constexpr int sketch_points = 120;

QString command_of(const std::vector<std::string>& words) {
  QStringList list;
  for (const std::string& word : words) {
    const QString text = QString::fromStdString(word);
    list << (text.contains(QLatin1Char(' ')) ? QLatin1Char('\'') + text + QLatin1Char('\'') : text);
  }
  return list.join(QLatin1Char(' '));
}

}  // namespace

RunDetail::RunDetail(QWidget* parent) : QFrame(parent) {
  set_role(this, "card");
  reader_.setMaxThreadCount(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(sizes::gap3, sizes::gap2, sizes::gap3, sizes::gap2);
  column->setSpacing(sizes::gap1);

  auto* head = new QHBoxLayout;
  head->setSpacing(sizes::gap2);
  name_ = new QLabel(this);
  set_role(name_, "heading");
  chip_ = new StateChip(this);
  head->addWidget(name_);
  head->addWidget(chip_);
  head->addStretch(1);
  const auto button = [this, head](const QString& words, void (RunDetail::*signal)()) {
    auto* made = new QPushButton(words, this);
    connect(made, &QPushButton::clicked, this, signal);
    head->addWidget(made);
    return made;
  };
  log_ = button(tr("Show log"), &RunDetail::log_clicked);
  open_ = button(tr("Open"), &RunDetail::open_clicked);
  resume_ = button(tr("Resume"), &RunDetail::resume_clicked);
  duplicate_ = button(tr("Duplicate"), &RunDetail::duplicate_clicked);
  rename_ = button(tr("Rename"), &RunDetail::rename_clicked);
  trash_ = button(tr("Move to trash"), &RunDetail::trash_clicked);
  more_ = new QPushButton(this);
  more_->setIcon(icon("more"));
  more_->setAccessibleName(tr("More"));
  more_->setToolTip(tr("More"));
  head->addWidget(more_);
  column->addLayout(head);

  sentence_ = new QLabel(this);
  sentence_->setWordWrap(true);
  sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(sentence_);

  auto* foot = new QHBoxLayout;
  foot->setSpacing(sizes::gap3);
  sketch_ = new LossSketch(this);
  best_ = new QLabel(this);
  set_role(best_, "text2");
  command_ = new ElidedLabel(Qt::ElideRight, this);
  command_->set_look(FontRole::mono, Token::text3);
  foot->addWidget(sketch_);
  foot->addWidget(best_);
  foot->addWidget(command_, 1);
  column->addLayout(foot);
}

RunDetail::~RunDetail() { reader_.waitForDone(); }

void RunDetail::show_run(const RunStatus& run, QMenu* menu) {
  const bool other = path_ != QString::fromStdString(run.path);
  path_ = QString::fromStdString(run.path);
  name_->setText(QString::fromStdString(run.name));
  const bool ended_early = run.state == ShownState::failed || run.state == ShownState::died;
  chip_->show();
  chip_->set_state(chip_state(run.state),
                   ended_early && run.step > 0
                       ? tr("%1 at step %2").arg(chip_word(chip_state(run.state)), words::count(run.step))
                       : QString());
  QString sentence = run_sentence(run);
  if (!run.hint.empty() && ended_early) sentence += QLatin1Char(' ') + QString::fromStdString(run.hint);
  sentence_->setText(sentence);
  set_role(sentence_, ended_early || run.state == ShownState::diverged ? "bad" : "text2");
  QStringList figures;
  if (run.loss) figures << tr("loss %1").arg(words::short_number(*run.loss));
  if (run.best_value)
    figures << tr("best %1 at step %2").arg(words::percent(*run.best_value), words::count(run.best_step));
  best_->setText(words::dotted(figures));
  best_->show();
  const bool readable = run.state != ShownState::unreadable;
  open_->setVisible(readable);
  log_->setVisible(ended_early);
  resume_->setVisible(can_resume(run));
  duplicate_->setVisible(readable);
  rename_->setVisible(readable);
  trash_->hide();
  more_->show();
  more_->setMenu(menu);
  if (other) {
    sketch_->set_points({});
    command_->set_text({});
    read_step_ = -1;
  }
  command_->show();
  if (readable && (other || run.step - read_step_ > 20)) read_details(run);
}

void RunDetail::show_many(int count) {
  path_.clear();
  name_->setText(tr("%n run(s) selected", nullptr, count));
  chip_->hide();
  sentence_->clear();
  for (QWidget* widget :
       std::initializer_list<QWidget*>{sketch_, best_, command_, open_, log_, resume_, duplicate_, rename_, more_})
    widget->hide();
  trash_->show();
}

void RunDetail::read_details(const RunStatus& run) {
  read_step_ = run.step;
  reader_.start([this, path = run.path] {
    const RunFolder folder(path);
    auto points = sketch_losses(folder.events_path(), sketch_points);
    QString command;
    if (const auto identity = folder.identity()) command = command_of(identity->command);
    QMetaObject::invokeMethod(this, [this, path, points = std::move(points), command] {
      if (QString::fromStdString(path) != path_) return;
      sketch_->set_points(points);
      command_->set_text(command);
    });
  });
}

}  // namespace disco::ui
