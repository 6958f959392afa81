// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/banner.h"

#include <QAccessible>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/theme/icon.h"
#include "ui/theme/theme.h"

namespace disco::ui {
namespace {

constexpr int icon_room = sizes::gap3 + sizes::icon + sizes::gap2;

}  // namespace

SeverityLook severity_look(Severity severity) {
  switch (severity) {
    case Severity::ok:
      return {"check", Token::ok, Token::ok_bg};
    case Severity::warn:
      return {"warning", Token::warn, Token::warn_bg};
    case Severity::bad:
      return {"error", Token::bad, Token::bad_bg};
    case Severity::info:
      break;
  }
  return {"info", Token::info, Token::info_bg};
}

Banner::Banner(QWidget* parent)
    : QFrame(parent),
      sentence_(new QLabel(this)),
      cure_(new QPushButton(this)),
      second_(new QPushButton(this)),
      details_button_(new QPushButton(tr("Details"), this)),
      copy_(new QPushButton(tr("Copy"), this)),
      details_(new QPlainTextEdit(this)) {
  sentence_->setWordWrap(true);
  sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  set_role(details_button_, "flat");
  details_button_->setCheckable(true);
  details_->setReadOnly(true);
  details_->setFont(theme().font(FontRole::mono));
  details_->setAccessibleName(tr("Details"));
  details_->setFixedHeight(theme().px(120));
  auto* line = new QHBoxLayout;
  line->setSpacing(sizes::gap2);
  line->addWidget(sentence_, 1);
  for (QPushButton* button : {cure_, second_, details_button_}) line->addWidget(button, 0, Qt::AlignTop);
  auto* below = new QHBoxLayout;
  below->addWidget(details_, 1);
  below->addWidget(copy_, 0, Qt::AlignTop);
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(icon_room, sizes::gap2, sizes::gap2, sizes::gap2);
  whole->setSpacing(sizes::gap2);
  whole->addLayout(line);
  whole->addLayout(below);
  connect(cure_, &QPushButton::clicked, this, &Banner::cure_clicked);
  connect(second_, &QPushButton::clicked, this, &Banner::second_clicked);
  connect(details_button_, &QPushButton::toggled, this, [this](bool open) {
    details_->setVisible(open);
    copy_->setVisible(open);
  });
  connect(copy_, &QPushButton::clicked, this,
          [this] { QGuiApplication::clipboard()->setText(details_->toPlainText()); });
  connect(&theme(), &Theme::changed, this, [this] { details_->setFont(theme().font(FontRole::mono)); });
  hide();
}

void Banner::show_message(Severity severity, const QString& sentence, const QString& cure, const QString& details,
                          const QString& second) {
  const bool news = !isVisible() || sentence != sentence_->text();
  severity_ = severity;
  sentence_->setText(sentence);
  cure_->setText(cure);
  cure_->setVisible(!cure.isEmpty());
  second_->setText(second);
  second_->setVisible(!second.isEmpty());
  if (details != details_->toPlainText()) details_->setPlainText(details);
  details_button_->setVisible(!details.isEmpty());
  const bool open = !details.isEmpty() && details_button_->isChecked();
  details_->setVisible(open);
  copy_->setVisible(open);
  setAccessibleName(sentence);
  show();
  update();
  if (!news) return;
  QAccessibleEvent alert(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
}

QString Banner::sentence() const { return sentence_->text(); }

void Banner::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const SeverityLook look = severity_look(severity_);
  const QColor ink = theme().colour(look.ink);
  painter.setPen(QPen(ink, 1));
  painter.setBrush(theme().colour(look.ground));
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), sizes::radius_card, sizes::radius_card);
  const int y = sentence_->geometry().center().y() - sizes::icon / 2 + 1;
  painter.drawPixmap(sizes::gap3, y,
                     icon_pixmap(QString::fromLatin1(look.icon), ink, sizes::icon, devicePixelRatioF()));
}

}  // namespace disco::ui
