// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/meter.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.h"
#include "ui/theme/words.h"

namespace disco::ui {

void paint_meter(QPainter& painter, const QRect& area, double share, const QColor& ink, int thickness) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF track(area.left(), area.top() + (area.height() - thickness) / 2.0, area.width(), thickness);
  const qreal radius = thickness / 2.0;
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().colour(Token::neutral_bg));
  painter.drawRoundedRect(track, radius, radius);
  if (std::isfinite(share) && share > 0) {
    QRectF filled = track;
    filled.setWidth(std::max<qreal>(thickness, track.width() * std::min(share, 1.0)));
    painter.setBrush(ink);
    painter.drawRoundedRect(filled, radius, radius);
  }
  painter.restore();
}

Meter::Meter(QWidget* parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); }

void Meter::set_share(double share) {
  if (share == share_) return;
  share_ = share;
  setAccessibleDescription(share < 0 ? tr("not known yet") : words::percent(share, 0));
  update();
}

void Meter::set_ink(Token ink) {
  ink_ = ink;
  update();
}

QSize Meter::sizeHint() const { return {100, 8}; }

QSize Meter::minimumSizeHint() const { return {24, 8}; }

void Meter::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint_meter(painter, rect(), share_, theme().colour(ink_));
}

}  // namespace disco::ui
