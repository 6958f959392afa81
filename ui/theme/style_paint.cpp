// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/style_paint.h"

#include <QPainterPath>
#include <QVariant>
#include <QWidget>

#include "ui/theme/colour_math.h"
#include "ui/theme/theme.h"

namespace disco::ui {
namespace {

/// Saves the painter, switches antialiasing on, restores at the end.
class Painting {
 public:
  explicit Painting(QPainter& painter) : painter_(painter) {
    painter_.save();
    painter_.setRenderHint(QPainter::Antialiasing);
  }
  ~Painting() { painter_.restore(); }
  Painting(const Painting&) = delete;
  Painting& operator=(const Painting&) = delete;

 private:
  QPainter& painter_;
};

QRectF inset(const QRect& rect, qreal by) { return QRectF(rect).adjusted(by, by, -by, -by); }

}  // namespace

ButtonLook button_look(const QWidget* widget) {
  if (widget == nullptr) return ButtonLook::plain;
  const QString role = widget->property("role").toString();
  if (role == QLatin1String("primary")) return ButtonLook::primary;
  if (role == QLatin1String("danger")) return ButtonLook::danger;
  if (role == QLatin1String("flat")) return ButtonLook::flat;
  if (role == QLatin1String("link")) return ButtonLook::link;
  return ButtonLook::plain;
}

QColor StylePaint::button_ink(ButtonLook look, bool enabled) const {
  if (!enabled) return mixed(theme_.colour(Token::surface), theme_.colour(Token::text3), 0.6);
  switch (look) {
    case ButtonLook::primary:
      return theme_.colour(Token::on_accent);
    case ButtonLook::danger:
      return theme_.colour(Token::bad);
    case ButtonLook::link:
      return theme_.colour(Token::link);
    case ButtonLook::flat:
    case ButtonLook::plain:
      break;
  }
  return theme_.colour(Token::text);
}

void StylePaint::field(const QRect& rect, QStyle::State state, bool problem) const {
  const Painting painting(painter_);
  const bool enabled = state.testFlag(QStyle::State_Enabled);
  const bool focus = state.testFlag(QStyle::State_HasFocus) && enabled;
  const qreal width = focus || problem ? 2 : 1;
  QColor edge = theme_.colour(enabled ? Token::control : Token::border);
  if (focus) edge = theme_.colour(Token::link);
  if (problem) edge = theme_.colour(Token::bad);
  painter_.setPen(QPen(edge, width));
  painter_.setBrush(theme_.colour(enabled ? Token::surface : Token::sunken));
  painter_.drawRoundedRect(inset(rect, width / 2), sizes::radius, sizes::radius);
}

void StylePaint::button(const QRect& rect, QStyle::State state, ButtonLook look) const {
  const Painting painting(painter_);
  const bool enabled = state.testFlag(QStyle::State_Enabled);
  const bool over = enabled && state.testFlag(QStyle::State_MouseOver);
  const bool down = enabled && (state.testFlag(QStyle::State_Sunken) || state.testFlag(QStyle::State_On));
  const bool focus = enabled && state.testFlag(QStyle::State_HasFocus);
  QColor ground = theme_.colour(Token::surface);
  QColor edge = theme_.colour(enabled ? Token::control : Token::border);
  if (look == ButtonLook::primary && enabled) {
    ground = theme_.colour(over || down ? Token::accent_hover : Token::accent);
    edge = ground;
  } else if (look == ButtonLook::flat || look == ButtonLook::link) {
    ground = edge = Qt::transparent;
  } else if (look == ButtonLook::danger && enabled) {
    edge = theme_.colour(Token::bad);
  }
  if (look != ButtonLook::primary && (over || down)) {
    ground = theme_.colour(down ? Token::select : Token::hover);
    if (look == ButtonLook::danger) ground = theme_.colour(Token::bad_bg);
  }
  painter_.setPen(edge.alpha() == 0 ? QPen(Qt::NoPen) : QPen(edge, 1));
  painter_.setBrush(ground);
  painter_.drawRoundedRect(inset(rect, 0.5), sizes::radius, sizes::radius);
  if (!focus) return;
  if (look == ButtonLook::primary)  // the link colour would vanish on the accent
    focus_ring(rect.adjusted(2, 2, -2, -2), 2, theme_.colour(Token::on_accent));
  else
    focus_ring(rect, sizes::radius, theme_.colour(Token::link));
}

void StylePaint::focus_ring(const QRect& rect, int radius, const QColor& colour) const {
  const Painting painting(painter_);
  painter_.setPen(QPen(colour, sizes::focus_ring));
  painter_.setBrush(Qt::NoBrush);
  painter_.drawRoundedRect(inset(rect, 1), radius, radius);
}

void StylePaint::check_box(const QRect& rect, QStyle::State state) const {
  const Painting painting(painter_);
  const bool enabled = state.testFlag(QStyle::State_Enabled);
  const bool checked = state.testFlag(QStyle::State_On);
  const bool partly = state.testFlag(QStyle::State_NoChange);
  const bool over = enabled && state.testFlag(QStyle::State_MouseOver);
  const int side = std::min(rect.width(), rect.height());
  const QRectF box = QRectF(rect.x() + (rect.width() - side) / 2.0, rect.y() + (rect.height() - side) / 2.0, side, side)
                         .adjusted(0.5, 0.5, -0.5, -0.5);
  QColor ground = theme_.colour(over ? Token::hover : Token::surface);
  QColor edge = theme_.colour(enabled ? Token::control : Token::border);
  if ((checked || partly) && enabled) ground = edge = theme_.colour(over ? Token::accent_hover : Token::accent);
  painter_.setPen(QPen(edge, 1));
  painter_.setBrush(ground);
  painter_.drawRoundedRect(box, 3, 3);
  const QColor ink = enabled ? theme_.colour(Token::on_accent) : theme_.colour(Token::text3);
  painter_.setPen(QPen(ink, side / 8.0, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter_.setBrush(Qt::NoBrush);
  const auto at = [&box](double x, double y) { return box.topLeft() + QPointF(box.width() * x, box.height() * y); };
  if (checked) {
    const std::array<QPointF, 3> tick{at(0.22, 0.52), at(0.42, 0.72), at(0.78, 0.30)};
    painter_.drawPolyline(tick.data(), static_cast<int>(tick.size()));
  } else if (partly) {
    painter_.drawLine(at(0.25, 0.5), at(0.75, 0.5));
  }
}

void StylePaint::radio(const QRect& rect, QStyle::State state) const {
  const Painting painting(painter_);
  const bool enabled = state.testFlag(QStyle::State_Enabled);
  const bool checked = state.testFlag(QStyle::State_On);
  const bool over = enabled && state.testFlag(QStyle::State_MouseOver);
  const QRectF circle = inset(rect, 0.5);
  QColor edge = theme_.colour(enabled ? Token::control : Token::border);
  if (checked && enabled) edge = theme_.colour(Token::link);
  painter_.setPen(QPen(edge, checked ? 1.5 : 1));
  painter_.setBrush(theme_.colour(over ? Token::hover : Token::surface));
  painter_.drawEllipse(circle);
  if (!checked) return;
  painter_.setPen(Qt::NoPen);
  painter_.setBrush(edge);
  painter_.drawEllipse(circle.center(), circle.width() * 0.27, circle.width() * 0.27);
}

void StylePaint::slider(const QRect& groove, const QRect& handle, const QStyleOptionSlider& option) const {
  const Painting painting(painter_);
  const bool enabled = option.state.testFlag(QStyle::State_Enabled);
  const bool lying = option.orientation == Qt::Horizontal;
  constexpr qreal thickness = 4;
  const QPointF middle = QRectF(handle).center();
  QRectF track = QRectF(groove);
  QRectF filled;
  if (lying) {
    track = QRectF(groove.left(), middle.y() - thickness / 2, groove.width(), thickness);
    filled = option.upsideDown ? QRectF(QPointF(middle.x(), track.top()), track.bottomRight())
                               : QRectF(track.topLeft(), QPointF(middle.x(), track.bottom()));
  } else {
    track = QRectF(middle.x() - thickness / 2, groove.top(), thickness, groove.height());
    filled = QRectF(QPointF(track.left(), middle.y()), track.bottomRight());
  }
  painter_.setPen(Qt::NoPen);
  painter_.setBrush(theme_.colour(Token::border));
  painter_.drawRoundedRect(track, thickness / 2, thickness / 2);
  const QColor ink = enabled ? theme_.colour(Token::meter) : theme_.colour(Token::control);
  painter_.setBrush(ink);
  painter_.drawRoundedRect(filled, thickness / 2, thickness / 2);
  const qreal radius = std::min(handle.width(), handle.height()) / 2.0 - 2;
  painter_.drawEllipse(middle, radius, radius);
  if (option.state.testFlag(QStyle::State_HasFocus)) {
    painter_.setBrush(Qt::NoBrush);
    painter_.setPen(QPen(theme_.colour(Token::surface), 2));
    painter_.drawEllipse(middle, radius - 2, radius - 2);
    painter_.setPen(QPen(theme_.colour(Token::link), 2));
    painter_.drawEllipse(middle, radius + 1, radius + 1);
  }
}

void StylePaint::scroll_bar(const QRect& bar, const QRect& handle, const QStyleOptionSlider& option) const {
  const Painting painting(painter_);
  painter_.fillRect(bar, Qt::transparent);
  if (option.minimum >= option.maximum) return;
  const bool active = option.state.testFlag(QStyle::State_MouseOver) || option.state.testFlag(QStyle::State_Sunken);
  const qreal margin = active ? 2 : 3;
  const QRectF grip = inset(handle, margin);
  const qreal radius = std::min(grip.width(), grip.height()) / 2;
  QColor ink = theme_.colour(Token::control);
  if (!active) ink.setAlphaF(0.65F);
  painter_.setPen(Qt::NoPen);
  painter_.setBrush(ink);
  painter_.drawRoundedRect(grip, radius, radius);
}

void StylePaint::tab(const QStyleOptionTab& option) const {
  const Painting painting(painter_);
  const bool selected = option.state.testFlag(QStyle::State_Selected);
  const bool over = option.state.testFlag(QStyle::State_MouseOver) && option.state.testFlag(QStyle::State_Enabled);
  const QRect rect = option.rect;
  if (over && !selected) {
    painter_.setPen(Qt::NoPen);
    painter_.setBrush(theme_.colour(Token::hover));
    painter_.drawRoundedRect(inset(rect, 3), sizes::radius, sizes::radius);
  }
  if (selected) painter_.fillRect(QRect(rect.left(), rect.bottom() - 1, rect.width(), 2), theme_.colour(Token::meter));
  if (option.state.testFlag(QStyle::State_HasFocus))
    focus_ring(rect.adjusted(0, 2, 0, -4), sizes::radius, theme_.colour(Token::link));
}

void StylePaint::header(const QStyleOptionHeader& option) const {
  painter_.fillRect(option.rect, theme_.colour(Token::sunken));
  if (option.state.testFlag(QStyle::State_MouseOver) && option.state.testFlag(QStyle::State_Enabled))
    painter_.fillRect(option.rect, theme_.colour(Token::hover));
  const QRect line(option.rect.left(), option.rect.bottom(), option.rect.width(), 1);
  painter_.fillRect(line, theme_.colour(Token::border));
}

void StylePaint::row(const QStyleOptionViewItem& option) const {
  const bool selected = option.state.testFlag(QStyle::State_Selected);
  const bool over = option.state.testFlag(QStyle::State_MouseOver) && option.state.testFlag(QStyle::State_Enabled);
  if (selected)
    painter_.fillRect(option.rect, theme_.colour(Token::select));
  else if (over)
    painter_.fillRect(option.rect, theme_.colour(Token::hover));
}

void StylePaint::panel(const QRect& rect, const QColor& ground) const {
  const Painting painting(painter_);
  painter_.setPen(QPen(theme_.colour(Token::border), 1));
  painter_.setBrush(ground);
  painter_.drawRoundedRect(inset(rect, 0.5), sizes::radius, sizes::radius);
}

void StylePaint::chevron(const QRectF& rect, int down, bool enabled) const {
  const Painting painting(painter_);
  QColor ink = theme_.colour(enabled ? Token::text2 : Token::control);
  painter_.setPen(QPen(ink, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter_.setBrush(Qt::NoBrush);
  const QPointF middle = rect.center();
  const std::array<QPointF, 3> line{middle + QPointF(-4, -2.0 * down), middle + QPointF(0, 2.0 * down),
                                    middle + QPointF(4, -2.0 * down)};
  painter_.drawPolyline(line.data(), static_cast<int>(line.size()));
}

}  // namespace disco::ui
