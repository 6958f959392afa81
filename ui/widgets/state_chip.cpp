// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/state_chip.h"

#include <QAccessible>
#include <QCoreApplication>
#include <QFontMetrics>
#include <QPainter>
#include <QPainterPath>
#include <QTimerEvent>
#include <array>

#include "ui/theme/theme.h"

namespace disco::ui {
namespace {

struct Look {
  ChipState state;
  const char* word;
  Token ink;
  Token ground;
};

constexpr std::array<Look, 16> looks{{
    {ChipState::queued, QT_TRANSLATE_NOOP("disco::ui::StateChip", "Queued"), Token::neutral, Token::neutral_bg},
    {ChipState::starting, QT_TRANSLATE_NOOP("disco::ui::StateChip", "Starting"), Token::info, Token::info_bg},
    {ChipState::running, QT_TRANSLATE_NOOP("disco::ui::StateChip", "Running"), Token::info, Token::info_bg},
    {ChipState::evaluating, QT_TRANSLATE_NOOP("disco::ui::StateChip", "Evaluating"), Token::info, Token::info_bg},
    {ChipState::saving, QT_TRANSLATE_NOOP("disco::ui::StateChip", "Saving"), Token::info, Token::info_bg},
    {ChipState::paused, QT_TRANSLATE_NOOP("disco::ui::StateChip", "Paused"), Token::warn, Token::warn_bg},
    {ChipState::stalled, QT_TRANSLATE_NOOP("disco::ui::StateChip", "Stalled"), Token::warn, Token::warn_bg},
    {ChipState::diverged, QT_TRANSLATE_NOOP("disco::ui::StateChip", "Diverged"), Token::bad, Token::bad_bg},
    {ChipState::finished, QT_TRANSLATE_NOOP("disco::ui::StateChip", "Finished"), Token::ok, Token::ok_bg},
    {ChipState::stopped, QT_TRANSLATE_NOOP("disco::ui::StateChip", "Stopped"), Token::neutral, Token::neutral_bg},
    {ChipState::failed, QT_TRANSLATE_NOOP("disco::ui::StateChip", "Failed"), Token::bad, Token::bad_bg},
    {ChipState::died, QT_TRANSLATE_NOOP("disco::ui::StateChip", "Died"), Token::bad, Token::bad_bg},
    {ChipState::unreadable, QT_TRANSLATE_NOOP("disco::ui::StateChip", "Unreadable"), Token::neutral, Token::neutral_bg},
    {ChipState::pausing, QT_TRANSLATE_NOOP("disco::ui::StateChip", "Pausing…"), Token::info, Token::info_bg},
    {ChipState::resuming, QT_TRANSLATE_NOOP("disco::ui::StateChip", "Resuming…"), Token::info, Token::info_bg},
    {ChipState::stopping, QT_TRANSLATE_NOOP("disco::ui::StateChip", "Stopping…"), Token::info, Token::info_bg},
}};

const Look& look_of(ChipState state) { return looks[static_cast<std::size_t>(state)]; }

bool turns(ChipState state) {
  return state == ChipState::starting || state == ChipState::pausing || state == ChipState::resuming ||
         state == ChipState::stopping;
}

constexpr int shape_side = 10;

}  // namespace

QString chip_word(ChipState state) { return QCoreApplication::translate("disco::ui::StateChip", look_of(state).word); }

Token chip_ink(ChipState state) { return look_of(state).ink; }

Token chip_ground(ChipState state) { return look_of(state).ground; }

QSize chip_size(ChipState state, const QString& text) {
  const QFontMetrics metrics(theme().font(FontRole::body));
  const int height = metrics.height() + 4;
  const int width = metrics.horizontalAdvance(text.isEmpty() ? chip_word(state) : text);
  return {width + theme().px(shape_side) + 6 + height, height};
}

void paint_state_shape(QPainter& painter, const QRectF& box, ChipState state, const QColor& ink, double turn) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(box.topLeft());
  painter.scale(box.width() / 10, box.height() / 10);  // all shapes are drawn in a box of 10 by 10
  QPen pen(ink, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  const auto solid = [&] {
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
  };
  const auto lines = [&painter](std::initializer_list<QPointF> points) {
    const QList<QPointF> list(points);
    painter.drawPolyline(list.constData(), static_cast<int>(list.size()));
  };
  switch (state) {
    case ChipState::queued:
      solid();
      for (const double x : {1.5, 5.0, 8.5}) painter.drawEllipse(QPointF(x, 5), 1.2, 1.2);
      break;
    case ChipState::starting:
    case ChipState::pausing:
    case ChipState::resuming:
    case ChipState::stopping:
      painter.drawArc(QRectF(1, 1, 8, 8), static_cast<int>(-turn * 5760), 270 * 16);
      break;
    case ChipState::running:
    case ChipState::evaluating:
    case ChipState::saving:
      solid();
      painter.drawPolygon(QPolygonF({{1.5, 0.5}, {9.5, 5}, {1.5, 9.5}}));
      break;
    case ChipState::paused:
      solid();
      painter.drawRoundedRect(QRectF(1.6, 1, 2.4, 8), 0.6, 0.6);
      painter.drawRoundedRect(QRectF(6, 1, 2.4, 8), 0.6, 0.6);
      break;
    case ChipState::stalled:
      pen.setWidthF(1.2);
      painter.setPen(pen);
      lines({{1.5, 0.8}, {8.5, 0.8}, {5.3, 5}, {8.5, 9.2}, {1.5, 9.2}, {4.7, 5}, {1.5, 0.8}});
      break;
    case ChipState::diverged:
      lines({{0.6, 6}, {2.4, 2.5}, {4.2, 7}});
      lines({{6.2, 2.5}, {7.6, 8}, {9.4, 1.2}});
      break;
    case ChipState::finished:
      lines({{1, 5.3}, {4, 8.3}, {9, 2}});
      break;
    case ChipState::stopped:
      solid();
      painter.drawRoundedRect(QRectF(1.2, 1.2, 7.6, 7.6), 0.8, 0.8);
      break;
    case ChipState::failed:
      lines({{1.4, 1.4}, {8.6, 8.6}});
      lines({{8.6, 1.4}, {1.4, 8.6}});
      break;
    case ChipState::died:
      solid();
      painter.drawPolygon(QPolygonF({{6.2, 0}, {1.4, 5.8}, {4.5, 5.8}, {3.6, 10}, {8.6, 4}, {5.4, 4}}));
      break;
    case ChipState::unreadable: {
      QPainterPath mark(QPointF(2.8, 3.2));
      mark.cubicTo(2.8, 0, 7.6, 0, 7.4, 3);
      mark.cubicTo(7.2, 4.6, 5, 4.6, 5, 6.6);
      painter.drawPath(mark);
      solid();
      painter.drawEllipse(QPointF(5, 9.1), 0.95, 0.95);
      break;
    }
  }
  painter.restore();
}

void paint_chip(QPainter& painter, const QRect& area, ChipState state, const QString& text, double turn) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QSize size = chip_size(state, text);
  const QRect chip(area.left(), area.top() + (area.height() - size.height()) / 2, std::min(size.width(), area.width()),
                   size.height());
  const QColor ink = theme().colour(chip_ink(state));
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().colour(chip_ground(state)));
  painter.drawRoundedRect(chip, chip.height() / 2.0, chip.height() / 2.0);
  const int side = theme().px(shape_side);
  const int pad = chip.height() / 2;
  paint_state_shape(painter, QRectF(chip.left() + pad - 1, chip.center().y() - side / 2.0 + 0.5, side, side), state,
                    ink, turn);
  painter.setPen(ink);
  painter.setFont(theme().font(FontRole::body));
  const QRect words = chip.adjusted(pad + side + 5, 0, -pad + 4, 0);
  painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                   text.isEmpty() ? chip_word(state) : text);
  painter.restore();
}

StateChip::StateChip(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  set_state(ChipState::queued);
}

void StateChip::set_state(ChipState state, const QString& text) {
  const QString name = tr("State: %1").arg(text.isEmpty() ? chip_word(state).toLower() : text);
  if (state == state_ && text == text_ && accessibleName() == name) return;
  state_ = state;
  text_ = text;
  setAccessibleName(name);
  updateGeometry();
  update_timer();
  update();
}

QSize StateChip::sizeHint() const { return chip_size(state_, text_); }

void StateChip::update_timer() {
  const bool wanted = isVisible() && turns(state_) && !theme().less_motion();
  if (wanted && timer_ == 0) timer_ = startTimer(40);
  if (!wanted && timer_ != 0) {
    killTimer(timer_);
    timer_ = 0;
  }
}

void StateChip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint_chip(painter, rect(), state_, text_, angle_ / 25.0);
}

void StateChip::showEvent(QShowEvent*) { update_timer(); }

void StateChip::hideEvent(QHideEvent*) { update_timer(); }

void StateChip::timerEvent(QTimerEvent*) {
  angle_ = (angle_ + 1) % 25;
  update();
}

}  // namespace disco::ui
