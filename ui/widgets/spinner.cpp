// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/spinner.h"

#include <QFontMetrics>
#include <QPainter>

#include "ui/theme/theme.h"

namespace disco::ui {
namespace {

constexpr int ring = 16;

}  // namespace

Spinner::Spinner(QWidget* parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); }

void Spinner::start(const QString& words) {
  if (!running_) {
    clock_.start();
    running_ = true;
    timer_ = startTimer(40);
  }
  share_ = -1;
  words_ = words;
  setAccessibleName(words);
  updateGeometry();
  update();
}

void Spinner::set_progress(double share, const QString& words) {
  if (!running_) start(words);
  share_ = share;
  words_ = words;
  setAccessibleName(words);
  updateGeometry();
  update();
}

void Spinner::stop() {
  if (!running_) return;
  running_ = false;
  killTimer(timer_);
  timer_ = 0;
  words_.clear();
  setAccessibleName(QString());
  update();
}

QSize Spinner::sizeHint() const {
  const QFontMetrics metrics(theme().font(FontRole::body));
  return {ring + sizes::gap2 + metrics.horizontalAdvance(words_), std::max(ring, metrics.height())};
}

void Spinner::paintEvent(QPaintEvent*) {
  if (!running_ || clock_.elapsed() < motions::spinner_delay) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF circle(1.5, (height() - ring) / 2.0 + 1.5, ring - 3, ring - 3);
  painter.setPen(QPen(theme().colour(Token::neutral_bg), 2.5));
  painter.drawEllipse(circle);
  painter.setPen(QPen(theme().colour(Token::meter), 2.5, Qt::SolidLine, Qt::RoundCap));
  constexpr int whole = 360 * 16;
  if (share_ >= 0) {
    painter.drawArc(circle, whole / 4, -static_cast<int>(whole * std::min(share_, 1.0)));
  } else {
    const bool still = theme().less_motion();
    const int turn = still ? 0 : static_cast<int>(clock_.elapsed() % 1000 * whole / 1000);
    painter.drawArc(circle, -turn, whole / 4);
  }
  painter.setPen(theme().colour(Token::text2));
  painter.setFont(theme().font(FontRole::body));
  painter.drawText(rect().adjusted(ring + sizes::gap2, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, words_);
}

void Spinner::timerEvent(QTimerEvent*) {
  if (isVisible()) update();
}

}  // namespace disco::ui
