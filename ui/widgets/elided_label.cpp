// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/elided_label.h"

#include <QFontMetrics>
#include <QPainter>

#include "ui/theme/theme.h"

namespace disco::ui {

ElidedLabel::ElidedLabel(Qt::TextElideMode mode, QWidget* parent) : QWidget(parent), mode_(mode) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ElidedLabel::set_text(const QString& text) {
  if (text == text_) return;
  text_ = text;
  setAccessibleName(text);
  updateGeometry();
  update_tip();
  update();
}

void ElidedLabel::set_look(FontRole role, Token ink) {
  role_ = role;
  ink_ = ink;
  updateGeometry();
  update();
}

QSize ElidedLabel::sizeHint() const {
  const QFontMetrics metrics(theme().font(role_));
  return {metrics.horizontalAdvance(text_) + 1, metrics.height()};
}

QSize ElidedLabel::minimumSizeHint() const {
  const QFontMetrics metrics(theme().font(role_));
  return {std::min(sizeHint().width(), metrics.averageCharWidth() * 6), metrics.height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(theme().font(role_));
  painter.setPen(theme().colour(isEnabled() ? ink_ : Token::text3));
  painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                   painter.fontMetrics().elidedText(text_, mode_, width()));
}

void ElidedLabel::resizeEvent(QResizeEvent*) { update_tip(); }

void ElidedLabel::update_tip() { setToolTip(sizeHint().width() > width() ? text_ : QString()); }

}  // namespace disco::ui
