// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/strip.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>

#include "ui/shell/app_state.h"
#include "ui/shell/machine_load.h"
#include "ui/shell/workspace_watch.h"
#include "ui/theme/icon.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/digit_label.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/notices.h"

namespace disco::ui {

Strip::Strip(PageContext& context, QWidget* parent)
    : QFrame(parent),
      context_(context),
      workspace_(new ElidedLabel(Qt::ElideMiddle, this)),
      running_(new QPushButton(this)),
      load_(new DigitLabel(FontRole::caption, Token::text2, this)),
      notices_(new QPushButton(this)) {
  set_role(this, "strip");
  setAccessibleName(tr("Status"));
  workspace_->set_look(FontRole::caption, Token::text2);
  load_->set_alignment(Qt::AlignRight | Qt::AlignVCenter);
  for (QPushButton* button : {running_, notices_}) set_role(button, "flat");
  running_->setAccessibleName(tr("Running runs"));
  notices_->setIcon(icon("flag"));
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(sizes::gap4, 1, sizes::gap3, 0);
  line->setSpacing(sizes::gap4);
  line->addWidget(workspace_, 1);
  line->addWidget(running_);
  line->addWidget(load_);
  line->addWidget(notices_);
  connect(running_, &QPushButton::clicked, this,
          [this] { context_.state.go_to(QStringLiteral("runs"), QStringLiteral("state:live")); });
  connect(notices_, &QPushButton::clicked, this, &Strip::notices_wanted);
  connect(&context_.state, &AppState::workspace_changed, this, &Strip::refresh);
  connect(&context_.workspace, &WorkspaceWatch::updated, this, &Strip::refresh);
  connect(&context_.notices, &Notices::posted, this, &Strip::refresh);
  connect(&theme(), &Theme::changed, this, &Strip::refresh);
  connect(new MachineLoad(this), &MachineLoad::updated, this, &Strip::show_load);
  refresh();
}

void Strip::stay_last(const QWidget* page) {
  QWidget* last = nullptr;
  for (QWidget* widget = page->nextInFocusChain(); widget != page; widget = widget->nextInFocusChain())
    if (page->isAncestorOf(widget)) last = widget;
  if (last == nullptr) return;
  QWidget::setTabOrder(last, running_);
  QWidget::setTabOrder(running_, notices_);
}

void Strip::refresh() {
  setFixedHeight(theme().px(sizes::strip) + 1);
  for (QPushButton* button : {running_, notices_}) {
    button->setFont(theme().font(FontRole::caption));
    button->setFixedHeight(theme().px(sizes::strip) - 2);
  }
  workspace_->set_text(words::path(context_.state.workspace()));
  const int live = context_.workspace.snapshot()->live();
  running_->setText(tr("%n running", nullptr, live));
  running_->setVisible(live > 0);
  const auto count = static_cast<int>(context_.notices.entries().size());
  notices_->setText(QString::number(count));
  notices_->setAccessibleName(tr("%n notice(s)", nullptr, count));
  notices_->setToolTip(tr("Notices since start"));
}

void Strip::show_load(double cpu, qint64 used, qint64 total) {
  const QString gap = QStringLiteral("    ");
  // Without a driver there is no GPU that a run could use; with one, each run's own events tell its memory.
  static const bool no_gpu = !QFileInfo::exists(QStringLiteral("/proc/driver/nvidia/gpus"));
  load_->set_text(tr("CPU %1").arg(words::percent(cpu, 0)) + gap +
                  tr("Memory %1").arg(words::memory_of(static_cast<double>(used), static_cast<double>(total))) +
                  (no_gpu ? gap + tr("No GPU") : QString()));
}

}  // namespace disco::ui
