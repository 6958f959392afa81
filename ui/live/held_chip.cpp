// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/held_chip.h"

#include <QPainter>

#include "ui/theme/theme.h"

namespace disco::ui {

HeldChip::HeldChip(QWidget* parent) : QAbstractButton(parent) {
  setText(tr("View held"));
  setToolTip(tr("New data does not move this view. Click, or double-click the chart, to follow again."));
  setAccessibleName(text());
  setAccessibleDescription(toolTip());
  setFocusPolicy(Qt::TabFocus);
  setCursor(Qt::PointingHandCursor);
  setAttribute(Qt::WA_Hover);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize HeldChip::sizeHint() const {
  const QFontMetrics metrics(theme().font(FontRole::caption));
  return {metrics.horizontalAdvance(text()) + 2 * sizes::gap2, metrics.height() + sizes::gap1};
}

void HeldChip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(hasFocus() ? QPen(theme().colour(Token::link), sizes::focus_ring) : QPen(Qt::NoPen));
  painter.setBrush(theme().colour(underMouse() ? Token::select : Token::neutral_bg));
  const QRectF box = QRectF(rect()).adjusted(1, 1, -1, -1);
  painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
  painter.setFont(theme().font(FontRole::caption));
  painter.setPen(theme().colour(Token::text2));
  painter.drawText(rect(), Qt::AlignCenter, text());
}

}  // namespace disco::ui
