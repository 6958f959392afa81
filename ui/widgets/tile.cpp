// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tile.h"

#include <QFontMetrics>
#include <QPainter>

#include "ui/theme/theme.h"
#include "ui/widgets/digit_label.h"

namespace disco::ui {
namespace {

constexpr int side_margin = sizes::gap3;

}  // namespace

Tile::Tile(const QString& label, QWidget* parent) : QFrame(parent), label_(label), number_(QStringLiteral("–")) {
  set_role(this, "card");
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(label);
}

void Tile::set_label(const QString& label) {
  if (label == label_) return;
  label_ = label;
  setAccessibleName(QStringLiteral("%1: %2, %3").arg(label_, number_, context_));
  updateGeometry();
  update();
}

void Tile::set_value(const QString& number, const QString& context) {
  if (number == number_ && context == context_) return;
  number_ = number;
  context_ = context;
  setAccessibleName(QStringLiteral("%1: %2, %3").arg(label_, number_, context_));
  setToolTip(context_);
  update();
}

QSize Tile::sizeHint() const {
  const int label = QFontMetrics(theme().font(FontRole::caption)).horizontalAdvance(label_);
  return {std::max(theme().px(150), label + 2 * side_margin), theme().px(sizes::tile)};
}

QSize Tile::minimumSizeHint() const { return {theme().px(140), theme().px(sizes::tile)}; }

void Tile::paintEvent(QPaintEvent* event) {
  QFrame::paintEvent(event);
  QPainter painter(this);
  const QFont caption = theme().font(FontRole::caption);
  const QFont large = theme().font(FontRole::number);
  const QFontMetrics small(caption);
  const int number_height = QFontMetrics(large).height();
  const int content = small.height() * 2 + number_height - 4;
  int y = (height() - content) / 2;
  const int width_left = width() - 2 * side_margin;
  painter.setFont(caption);
  painter.setPen(theme().colour(Token::text3));
  painter.drawText(QRect(side_margin, y, width_left, small.height()), Qt::AlignLeft | Qt::AlignVCenter,
                   small.elidedText(label_, Qt::ElideRight, width_left));
  y += small.height() - 2;
  painter.setFont(large);
  painter.setPen(theme().colour(Token::text));
  paint_digits(painter, QRect(side_margin, y, width_left, number_height), number_, Qt::AlignLeft | Qt::AlignVCenter);
  y += number_height - 2;
  painter.setFont(caption);
  painter.setPen(theme().colour(Token::text3));
  const QRect below(side_margin, y, width_left, small.height());
  paint_digits(painter, below, context_, Qt::AlignLeft | Qt::AlignVCenter);
}

}  // namespace disco::ui
