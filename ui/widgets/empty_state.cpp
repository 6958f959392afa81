// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/empty_state.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/theme/icon.h"
#include "ui/theme/theme.h"

namespace disco::ui {
namespace {

constexpr int picture_side = 48;
constexpr int text_width = 440;

}  // namespace

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent),
      picture_(new QLabel(this)),
      title_(new QLabel(this)),
      text_(new QLabel(this)),
      primary_(new QPushButton(this)),
      secondary_(new QPushButton(this)) {
  set_role(title_, "title");
  set_role(text_, "text2");
  set_role(primary_, "primary");
  title_->setAlignment(Qt::AlignCenter);
  title_->setWordWrap(true);
  text_->setAlignment(Qt::AlignCenter);
  text_->setWordWrap(true);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(sizes::gap2);
  buttons->addStretch(1);
  buttons->addWidget(primary_);
  buttons->addWidget(secondary_);
  buttons->addStretch(1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(sizes::gap6, sizes::gap6, sizes::gap6, sizes::gap6);
  layout->setSpacing(sizes::gap3);
  layout->addStretch(2);
  layout->addWidget(picture_, 0, Qt::AlignHCenter);
  layout->addWidget(title_);
  layout->addWidget(text_, 0, Qt::AlignHCenter);
  layout->addSpacing(sizes::gap1);
  layout->addLayout(buttons);
  layout->addStretch(3);
  set_buttons({}, {});
  connect(primary_, &QPushButton::clicked, this, &EmptyState::primary_clicked);
  connect(secondary_, &QPushButton::clicked, this, &EmptyState::secondary_clicked);
  connect(&theme(), &Theme::changed, this, &EmptyState::fit_text);
}

void EmptyState::set_content(const QString& icon_name, const QString& title, const QString& text) {
  picture_->setVisible(!icon_name.isEmpty());
  // A label keeps the pixmap it is given, so it is made again when the colours change.
  const auto draw = [this, icon_name] {
    if (icon_name.isEmpty()) return;
    picture_->setPixmap(
        icon_pixmap(icon_name, theme().colour(Token::control), theme().px(picture_side), devicePixelRatioF()));
  };
  draw();
  disconnect(&theme(), nullptr, picture_, nullptr);
  connect(&theme(), &Theme::changed, picture_, draw);
  title_->setText(title);
  title_->setVisible(!title.isEmpty());
  text_->setText(text);
  text_->setVisible(!text.isEmpty());
  fit_text();
}

// A label that wraps has no least height of its own: in a short window its lines would be cut.
void EmptyState::fit_text() {
  const int width = theme().px(text_width);
  text_->setFixedWidth(width);
  text_->setMinimumHeight(text_->text().isEmpty() ? 0 : text_->heightForWidth(width));
}

void EmptyState::set_buttons(const QString& primary, const QString& secondary) {
  primary_->setText(primary);
  primary_->setVisible(!primary.isEmpty());
  secondary_->setText(secondary);
  secondary_->setVisible(!secondary.isEmpty());
}

}  // namespace disco::ui
