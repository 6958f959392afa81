// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/sheets.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTableWidget>
#include <QVBoxLayout>

#include "ui/shell/actions.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/notices.h"

namespace disco::ui {
namespace {

constexpr QSize sheet_size(560, 520);

QLabel* title_label(const QString& text) {
  auto* title = new QLabel(text);
  set_role(title, "heading");
  return title;
}

QHBoxLayout* head_with_close(Overlay* sheet, QLabel* title) {
  auto* close = new QPushButton(QObject::tr("Close"), sheet);
  QObject::connect(close, &QPushButton::clicked, sheet, &Overlay::dismiss);
  auto* head = new QHBoxLayout;
  head->addWidget(title, 1);
  head->addWidget(close);
  return head;
}

/// Text of a notice in the list; what only informs is not coloured.
const char* role_of(Severity severity) {
  switch (severity) {
    case Severity::ok:
      return "ok";
    case Severity::warn:
      return "warn";
    case Severity::bad:
      return "bad";
    case Severity::info:
      break;
  }
  return "text2";
}

}  // namespace

ShortcutSheet::ShortcutSheet(QWidget* window, const Actions& actions)
    : Overlay(window, tr("Shortcuts"), sheet_size),
      actions_(actions),
      title_(title_label({})),
      table_(new QTableWidget(0, 2, this)) {
  table_->setAccessibleName(tr("Shortcuts"));
  table_->horizontalHeader()->hide();
  table_->verticalHeader()->hide();
  table_->setShowGrid(false);
  table_->setFrameShape(QFrame::NoFrame);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setTabKeyNavigation(false);
  table_->viewport()->setAutoFillBackground(false);
  table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  table_->horizontalHeader()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  body()->addLayout(head_with_close(this, title_));
  body()->addWidget(table_, 1);
}

void ShortcutSheet::open_sheet(const QString& page_title, const QList<QPair<QString, QString>>& page_keys) {
  title_->setText(tr("Shortcuts on %1").arg(page_title));
  table_->setRowCount(0);
  for (const auto& [keys, text] : page_keys) add(keys, text);
  for (const QAction* action : actions_.all()) {
    if (!action->isEnabled() || action->shortcuts().isEmpty()) continue;
    add(QKeySequence::listToString({action->shortcut()}, QKeySequence::NativeText),
        QString(action->text()).remove(QLatin1Char('&')));
  }
  open(table_);
}

void ShortcutSheet::add(const QString& keys, const QString& text) {
  const int row = table_->rowCount();
  table_->insertRow(row);
  table_->setRowHeight(row, theme().px(sizes::row_compact));
  table_->setItem(row, 0, new QTableWidgetItem(text));
  auto* key = new QTableWidgetItem(keys);
  key->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  table_->setItem(row, 1, key);
}

NoticeSheet::NoticeSheet(QWidget* window, Notices& notices)
    : Overlay(window, tr("Notices"), sheet_size), notices_(notices) {
  auto* scroll = new QScrollArea(this);
  scroll->setAccessibleName(tr("Notices since start"));
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  auto* content = new QWidget;
  set_role(content, "plain");
  list_ = new QVBoxLayout(content);
  list_->setContentsMargins(0, 0, 0, 0);
  scroll->setWidget(content);
  scroll->viewport()->setAutoFillBackground(false);
  body()->addLayout(head_with_close(this, title_label(tr("Notices since start"))));
  body()->addWidget(scroll, 1);
}

void NoticeSheet::open_sheet() {
  while (QLayoutItem* item = list_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  const auto& entries = notices_.entries();
  if (entries.empty()) list_->addWidget(new QLabel(tr("Nothing was noticed since the studio was opened.")));
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    auto* row = new QWidget;
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, sizes::gap1, 0, sizes::gap1);
    auto* time = new QLabel(QLocale().toString(entry->last.time(), QStringLiteral("HH:mm:ss")));
    set_role(time, "caption");
    const QString text =
        entry->times > 1 ? tr("%1 (%2 times)").arg(entry->notice.text).arg(entry->times) : entry->notice.text;
    auto* words = new QLabel(text);
    words->setWordWrap(true);
    words->setToolTip(entry->notice.details);
    words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    set_role(words, role_of(entry->notice.severity));
    line->addWidget(time, 0, Qt::AlignTop);
    line->addWidget(words, 1);
    if (entry->notice.act) {
      auto* act = new QPushButton(entry->notice.action);
      connect(act, &QPushButton::clicked, this, [this, id = entry->id] {
        dismiss();
        notices_.act(id);
      });
      line->addWidget(act, 0, Qt::AlignTop);
    }
    list_->addWidget(row);
  }
  list_->addStretch(1);
  open();
}

}  // namespace disco::ui
