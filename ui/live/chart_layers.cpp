// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/chart_layers.h"

#include <algorithm>
#include <cmath>

#include "ui/theme/theme.h"

namespace disco::ui {
namespace {

constexpr int most_raw_curves = 4;  // more raw data than this hides the lines
constexpr double mark_side = 9;
constexpr double far_away = 20'000;  // pixels; the rasteriser needs no more to draw a line that leaves the view

QColor faded(QColor colour, double share) {
  colour.setAlphaF(static_cast<float>(share) * colour.alphaF());
  return colour;
}

}  // namespace

int ChartLook::shown_count() const {
  int count = 0;
  for (std::size_t i = 0; i < colours.size(); ++i) count += shows(i) ? 1 : 0;
  return count;
}

std::optional<Vertex> nearest_vertex(const std::vector<Vertex>& line, double x) {
  if (line.empty()) return std::nullopt;
  auto after = std::lower_bound(line.begin(), line.end(), x, [](const Vertex& v, double at) { return v.x < at; });
  if (after == line.end()) return line.back();
  if (after == line.begin()) return *after;
  return x - (after - 1)->x <= after->x - x ? *(after - 1) : *after;
}

ChartLayer::ChartLayer(QCPAxis* x, QCPAxis* y, const ChartLook& look) : QCPAbstractPlottable(x, y), look_(look) {
  setSelectable(QCP::stNone);
  removeFromLegend();
}

QCPRange ChartLayer::getKeyRange(bool& found, QCP::SignDomain) const {
  found = false;
  return {};
}

QCPRange ChartLayer::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const {
  found = false;
  return {};
}

QRectF ChartLayer::area() const { return QRectF(mKeyAxis->axisRect()->rect()); }

QPointF ChartLayer::pixel(double x, double y) const {
  const double drawn = y / look_.unit;
  const QRectF inside = area();
  const double px = mKeyAxis->coordToPixel(x);
  const double py = look_.log && !(drawn > 0) ? inside.bottom() + far_away : mValueAxis->coordToPixel(drawn);
  return {std::clamp(px, inside.left() - far_away, inside.right() + far_away),
          std::clamp(py, inside.top() - far_away, inside.bottom() + far_away)};
}

void CurveLayer::draw(QCPPainter* painter) {
  if (!look_.data) return;
  const ReducedChart& chart = *look_.data;
  const int shown = look_.shown_count();
  painter->setAntialiasing(false);
  draw_flags(*painter);
  draw_ticks(*painter);
  const auto each = [&](auto&& visit) {
    for (std::size_t i = 0; i < chart.curves.size(); ++i)
      if (look_.shows(i)) visit(i, chart.curves[i], faded(look_.colours[i], look_.strength(i)));
  };
  each([&](std::size_t i, const ReducedCurve& curve, const QColor& colour) {
    draw_replaced(*painter, curve, colour);
    draw_band(*painter, curve, colour);
    if (shown <= most_raw_curves || static_cast<int>(i) == look_.hovered) draw_raw(*painter, curve, colour);
  });
  // First curves are the most important ones: they are drawn last, on top.
  for (std::size_t i = chart.curves.size(); i-- > 0;) {
    if (!look_.shows(i)) continue;
    const QColor colour = faded(look_.colours[i], look_.strength(i));
    const bool wide = shown <= most_raw_curves || static_cast<int>(i) == look_.hovered;
    draw_line(*painter, chart.curves[i], colour, wide ? 2 : 1);
    draw_dots(*painter, chart.curves[i], colour);
  }
  std::vector<QPointF> drawn;
  each([&](std::size_t, const ReducedCurve& curve, const QColor&) { draw_marks(*painter, curve, drawn); });
}

void CurveLayer::polylines(QCPPainter& painter, const std::vector<Vertex>& vertices) const {
  const double left = area().left() - 50;
  const double right = area().right() + 50;
  QPolygonF stretch;
  const auto flush = [&] {
    if (stretch.size() > 1) painter.drawPolyline(stretch);
    stretch.clear();
  };
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vertex& vertex = vertices[i];
    const bool gap = !std::isfinite(vertex.y) || (look_.log && !(vertex.y > 0));
    if (gap) {
      flush();
      continue;
    }
    const QPointF at = pixel(vertex.x, vertex.y);
    // Of what is left of the view only the last vertex matters, of what is right of it the first.
    if (at.x() < left && stretch.size() == 1) stretch.clear();
    stretch.append(at);
    if (at.x() > right) break;
  }
  flush();
}

void CurveLayer::draw_line(QCPPainter& painter, const ReducedCurve& curve, QColor colour, double width) const {
  painter.setAntialiasing(!look_.fast);
  // Qt draws a dense line of width 1 a thousand times slower than a cosmetic one of width 0.
  const double pen_width = curve.dots ? 1.4 : width > 1 ? width : 0;
  painter.setPen(QPen(colour, pen_width, Qt::SolidLine, Qt::FlatCap, Qt::BevelJoin));
  painter.setBrush(Qt::NoBrush);
  polylines(painter, curve.line);
}

void CurveLayer::draw_replaced(QCPPainter& painter, const ReducedCurve& curve, QColor colour) const {
  painter.setAntialiasing(false);
  QPen pen(faded(colour, 0.3), 0);
  pen.setDashPattern({2, 3});
  painter.setPen(pen);
  for (const auto& line : curve.replaced) polylines(painter, line);
}

void CurveLayer::draw_raw(QCPPainter& painter, const ReducedCurve& curve, QColor colour) const {
  const QColor pale = faded(colour, look_.dark ? 0.3 : 0.25);
  painter.setAntialiasing(false);
  const QRectF inside = area();
  for (const Extent& extent : curve.extents) {
    if (look_.log && !(extent.high > 0)) continue;
    const QPointF high = pixel(extent.x, extent.high);
    if (high.x() < inside.left() - 1 || high.x() > inside.right() + 1) continue;
    const double low = std::min(pixel(extent.x, extent.low).y(), inside.bottom());
    const double top = std::clamp(high.y(), inside.top(), low);
    painter.fillRect(QRectF(std::floor(high.x()), top, 1, std::max(1.0, low - top)), pale);
  }
  if (curve.raw.empty()) return;
  painter.setAntialiasing(!look_.fast);
  painter.setPen(QPen(faded(colour, look_.dark ? 0.45 : 0.4), 0));
  polylines(painter, curve.raw);
}

void CurveLayer::draw_band(QCPPainter& painter, const ReducedCurve& curve, QColor colour) const {
  if (curve.band_low.size() < 2 || curve.band_low.size() != curve.band_high.size()) return;
  QPolygonF band;
  for (const Vertex& vertex : curve.band_high)
    if (std::isfinite(vertex.y)) band.append(pixel(vertex.x, vertex.y));
  for (auto vertex = curve.band_low.rbegin(); vertex != curve.band_low.rend(); ++vertex)
    if (std::isfinite(vertex->y)) band.append(pixel(vertex->x, vertex->y));
  painter.setAntialiasing(!look_.fast);
  painter.setPen(Qt::NoPen);
  painter.setBrush(faded(colour, look_.dark ? 0.18 : 0.14));
  painter.drawPolygon(band);
}

void CurveLayer::draw_dots(QCPPainter& painter, const ReducedCurve& curve, QColor colour) const {
  painter.setAntialiasing(true);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  const auto dot = [&](const Vertex& vertex, double radius) {
    if (std::isfinite(vertex.y)) painter.drawEllipse(pixel(vertex.x, vertex.y), radius, radius);
  };
  for (const Vertex& vertex : curve.lone) dot(vertex, 2.5);
  if (!curve.dots) return;
  const double space = area().width() / std::max<double>(1, static_cast<double>(curve.line.size()));
  const double radius = std::clamp(space / 3, 1.5, 3.0);
  for (const Vertex& vertex : curve.line) dot(vertex, radius);
}

void CurveLayer::draw_marks(QCPPainter& painter, const ReducedCurve& curve, std::vector<QPointF>& drawn) const {
  const QColor bad = Theme::colour(Token::bad, look_.dark);
  const QRectF inside = area().adjusted(0, mark_side / 2, 0, -mark_side / 2);
  painter.setAntialiasing(true);
  for (const GapMark& mark : curve.marks) {
    QPointF at = pixel(mark.x, mark.y);
    if (at.x() < inside.left() - mark_side || at.x() > inside.right() + mark_side) continue;
    at.setY(std::clamp(at.y(), inside.top(), inside.bottom()));
    const auto near = [&](const QPointF& other) { return (other - at).manhattanLength() < 2 * mark_side; };
    if (std::any_of(drawn.begin(), drawn.end(), near)) continue;
    drawn.push_back(at);
    const double half = mark_side / 2;
    if (mark.kind == NotFinite::Kind::nan) {
      painter.setPen(QPen(bad, 1.75, Qt::SolidLine, Qt::RoundCap));
      painter.drawLine(at + QPointF(-half, -half), at + QPointF(half, half));
      painter.drawLine(at + QPointF(-half, half), at + QPointF(half, -half));
      continue;
    }
    const double up = mark.kind == NotFinite::Kind::positive ? -half : half;
    painter.setPen(Qt::NoPen);
    painter.setBrush(bad);
    painter.drawPolygon(QPolygonF({at + QPointF(0, up), at + QPointF(-half, -up), at + QPointF(half, -up)}));
  }
}

void CurveLayer::draw_flags(QCPPainter& painter) const {
  const QRectF inside = area();
  const QColor ink = Theme::colour(Token::text3, look_.dark);
  for (const double x : look_.data->flags) {
    const double at = std::floor(mKeyAxis->coordToPixel(x)) + 0.5;
    if (at < inside.left() || at > inside.right()) continue;
    QPen pen(ink, 0);
    pen.setDashPattern({4, 4});
    painter.setPen(pen);
    painter.drawLine(QPointF(at, inside.top()), QPointF(at, inside.bottom()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawPolygon(
        QPolygonF({QPointF(at, inside.top()), QPointF(at + 8, inside.top() + 3.5), QPointF(at, inside.top() + 7)}));
  }
}

void CurveLayer::draw_ticks(QCPPainter& painter) const {
  const QRectF inside = area();
  painter.setPen(QPen(Theme::colour(Token::control, look_.dark), 0));
  for (const double x : look_.data->ticks) {
    const double at = mKeyAxis->coordToPixel(x);
    if (at < inside.left() || at > inside.right()) continue;
    painter.drawLine(QPointF(at, inside.bottom()), QPointF(at, inside.bottom() - 5));
  }
}

void StackLayer::draw(QCPPainter* painter) {
  if (!look_.data || look_.data->stack.x.size() < 2) return;
  const ReducedStack& stack = look_.data->stack;
  const QColor ground = Theme::colour(Token::surface, look_.dark);
  std::vector<double> base(stack.x.size(), 0.0);
  std::vector<double> top(stack.x.size(), 0.0);
  for (std::size_t part = 0; part < stack.parts.size(); ++part) {
    if (!look_.shows(part)) continue;
    for (std::size_t i = 0; i < top.size(); ++i) top[i] = base[i] + stack.parts[part][i];
    QPolygonF edge;
    for (std::size_t i = 0; i < top.size(); ++i) edge.append(pixel(stack.x[i], top[i]));
    QPolygonF shape = edge;
    for (std::size_t i = base.size(); i-- > 0;) shape.append(pixel(stack.x[i], base[i]));
    const QColor colour = faded(look_.colours[part], look_.strength(part));
    painter->setAntialiasing(false);
    painter->setPen(Qt::NoPen);
    painter->setBrush(faded(colour, look_.dark ? 0.62 : 0.78));
    painter->drawPolygon(shape);
    painter->setBrush(Qt::NoBrush);
    painter->setAntialiasing(!look_.fast);
    // The surface between two parts, then the part's own edge below it.
    painter->setPen(QPen(ground, 0));
    painter->drawPolyline(edge.translated(0, -1));
    painter->setPen(QPen(colour, 0));
    painter->drawPolyline(edge);
    base = top;
  }
}

CrossHair::CrossHair(QCPAxis* x, QCPAxis* y, const ChartLook& look)
    : QCPLayerable(x->parentPlot(), QStringLiteral("overlay")), x_(x), y_(y), look_(look) {}

void CrossHair::set_place(std::optional<double> x, const QString& words, bool pinned) {
  place_ = x;
  words_ = words;
  pinned_ = pinned;
}

void CrossHair::draw(QCPPainter* painter) {
  const QRectF inside(x_->axisRect()->rect());
  if (!band_.isNull()) {
    const QColor ring = Theme::colour(Token::link, look_.dark);
    painter->setAntialiasing(false);
    painter->setPen(QPen(ring, 0));
    painter->setBrush(faded(ring, 0.12));
    painter->drawRect(band_.intersected(inside));
  }
  if (!place_ || !look_.data) return;
  const double at = x_->coordToPixel(*place_);
  if (at < inside.left() || at > inside.right()) return;
  painter->setAntialiasing(false);
  painter->setPen(QPen(Theme::colour(pinned_ ? Token::link : Token::control, look_.dark), 0));
  painter->drawLine(QPointF(at, inside.top()), QPointF(at, inside.bottom()));
  painter->setAntialiasing(true);
  for (std::size_t i = 0; i < look_.data->curves.size(); ++i) {
    if (!look_.shows(i) || look_.data->curves[i].line.empty()) continue;
    const auto vertex = nearest_vertex(look_.data->curves[i].line, *place_);
    const double drawn = vertex->y / look_.unit;
    if (!std::isfinite(drawn) || (look_.log && !(drawn > 0))) continue;
    const QPointF place(x_->coordToPixel(vertex->x), y_->coordToPixel(drawn));
    if (!inside.contains(place)) continue;
    painter->setPen(QPen(Theme::colour(Token::surface, look_.dark), 1.5));
    painter->setBrush(look_.colours[i]);
    painter->drawEllipse(place, 4, 4);
  }
  draw_words(*painter, at);
}

void CrossHair::draw_words(QCPPainter& painter, double at) const {
  const QRectF inside(x_->axisRect()->rect());
  painter.setFont(theme().font(FontRole::caption));
  const QFontMetricsF metrics(painter.font());
  const double width = metrics.horizontalAdvance(words_) + 12;
  const QRectF whole(parentPlot()->rect());
  const double left = std::clamp(at - width / 2, inside.left() - 4, std::max(inside.left() - 4, whole.right() - width));
  const QRectF box(left, inside.bottom() + 3, width, metrics.height() + 2);
  painter.setPen(Qt::NoPen);
  painter.setBrush(Theme::colour(pinned_ ? Token::select : Token::neutral_bg, look_.dark));
  painter.drawRoundedRect(box, 4, 4);
  painter.setPen(Theme::colour(Token::text, look_.dark));
  painter.drawText(box, Qt::AlignCenter, words_);
}

}  // namespace disco::ui
