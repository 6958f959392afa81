// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/digit_label.h"

#include <QAccessible>
#include <QFontMetrics>
#include <QPainter>
#include <algorithm>

#include "ui/theme/theme.h"

namespace disco::ui {
namespace {

/// Qt 6.4 cannot ask a font for tabular figures, so every digit gets the widest digit's cell.
int digit_cell(const QFontMetrics& metrics) {
  int widest = 0;
  for (char digit = '0'; digit <= '9'; ++digit)
    widest = std::max(widest, metrics.horizontalAdvance(QLatin1Char(digit)));
  return widest;
}

int width_of(const QFontMetrics& metrics, const QString& text) {
  const int cell = digit_cell(metrics);
  int width = 0;
  QString run;
  for (const QChar c : text) {
    if (c.isDigit()) {
      width += metrics.horizontalAdvance(run) + cell;
      run.clear();
    } else {
      run += c;
    }
  }
  return width + metrics.horizontalAdvance(run);
}

}  // namespace

int digit_width(const QFont& font, const QString& text) { return width_of(QFontMetrics(font), text); }

void paint_digits(QPainter& painter, const QRect& area, const QString& text, Qt::Alignment alignment) {
  const QFontMetrics metrics = painter.fontMetrics();
  const int total = width_of(metrics, text);
  if (total > area.width()) {  // too long: elided, which matters more than steady cells
    painter.drawText(area, static_cast<int>(alignment) | Qt::TextSingleLine,
                     metrics.elidedText(text, Qt::ElideRight, area.width()));
    return;
  }
  int x = area.left();
  if (alignment.testFlag(Qt::AlignRight)) x = area.right() + 1 - total;
  if (alignment.testFlag(Qt::AlignHCenter)) x = area.left() + (area.width() - total) / 2;
  const int baseline = area.top() + (area.height() - metrics.height()) / 2 + metrics.ascent();
  const int cell = digit_cell(metrics);
  QString run;
  const auto flush = [&] {
    if (run.isEmpty()) return;
    painter.drawText(x, baseline, run);
    x += metrics.horizontalAdvance(run);
    run.clear();
  };
  for (const QChar c : text) {
    if (!c.isDigit()) {
      run += c;
      continue;
    }
    flush();
    painter.drawText(x + (cell - metrics.horizontalAdvance(c)) / 2, baseline, QString(c));
    x += cell;
  }
  flush();
}

DigitLabel::DigitLabel(FontRole role, Token ink, QWidget* parent) : QWidget(parent), role_(role), ink_(ink) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void DigitLabel::set_text(const QString& text) {
  if (text == text_) return;
  const bool wider = text.size() != text_.size();
  text_ = text;
  setAccessibleName(text);
  if (wider) updateGeometry();
  update();
}

void DigitLabel::set_ink(Token ink) {
  ink_ = ink;
  update();
}

void DigitLabel::set_alignment(Qt::Alignment alignment) {
  alignment_ = alignment;
  update();
}

QSize DigitLabel::sizeHint() const {
  const QFont font = theme().font(role_);
  return {digit_width(font, text_), QFontMetrics(font).height()};
}

QSize DigitLabel::minimumSizeHint() const {
  const QFontMetrics metrics(theme().font(role_));
  return {std::min(sizeHint().width(), metrics.averageCharWidth() * 6), metrics.height()};
}

void DigitLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(theme().font(role_));
  painter.setPen(theme().colour(ink_));
  paint_digits(painter, rect(), text_, alignment_);
}

}  // namespace disco::ui
