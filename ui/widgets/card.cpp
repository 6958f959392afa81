// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/theme/theme.h"

namespace disco::ui {

Card::Card(const QString& title, QWidget* parent) : QFrame(parent), title_(new QLabel(this)) {
  set_role(this, "card");
  set_role(title_, "heading");
  title_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(sizes::gap3, sizes::gap2, sizes::gap3, sizes::gap3);
  whole->setSpacing(sizes::gap2);
  auto* head = new QHBoxLayout;
  head->setSpacing(sizes::gap2);
  head->addWidget(title_);
  head->addStretch(1);
  tools_ = new QHBoxLayout;
  tools_->setSpacing(sizes::gap1);
  head->addLayout(tools_);
  whole->addLayout(head);
  body_ = new QVBoxLayout;
  body_->setSpacing(sizes::gap2);
  whole->addLayout(body_, 1);
  set_title(title);
}

void Card::set_title(const QString& title) {
  title_->setText(title);
  title_->setVisible(!title.isEmpty());
}

}  // namespace disco::ui
