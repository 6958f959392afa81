// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/probability_chart.h"

#include <QMouseEvent>
#include <QPainter>
#include <cmath>

#include "ui/theme/theme.h"
#include "ui/theme/words.h"

namespace disco::ui {

namespace {
constexpr int gutter = 40;
constexpr int base = 20;
}  // namespace

ProbabilityChart::ProbabilityChart(QWidget* parent) : QWidget(parent) {
  setMinimumHeight(120);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(tr("Probability over training"));
}

void ProbabilityChart::set_lines(std::vector<double> steps, std::vector<Line> lines) {
  steps_ = std::move(steps);
  lines_ = std::move(lines);
  update();
}

void ProbabilityChart::set_stop(int stop) {
  stop_ = stop;
  update();
}

QRectF ProbabilityChart::plot() const { return QRectF(rect()).adjusted(gutter, 6, -8, -base); }

double ProbabilityChart::x_of(std::size_t stop) const {
  const double range = steps_.back() - steps_.front();
  return plot().left() + (range > 0 ? plot().width() * (steps_[stop] - steps_.front()) / range : plot().width() / 2);
}

void ProbabilityChart::paintEvent(QPaintEvent* /*event*/) {
  const Theme& look = theme();
  QPainter painter(this);
  painter.setFont(look.font(FontRole::caption));
  const QRectF area = plot();
  for (const int percent : {0, 50, 100}) {
    const double y = std::round(area.bottom() - area.height() * percent / 100.0) + 0.5;
    painter.setPen(QPen(look.colour(percent == 0 ? Token::border : Token::grid), 0));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.setPen(look.colour(Token::text3));
    painter.drawText(QRectF(0, y - 10, gutter - 6, 20), Qt::AlignRight | Qt::AlignVCenter,
                     words::percent(percent / 100.0, 0));
  }
  if (steps_.empty()) return;
  painter.drawText(QRectF(area.left(), area.bottom() + 2, area.width() / 2, base), Qt::AlignLeft | Qt::AlignVCenter,
                   tr("step %1").arg(words::count(qRound64(steps_.front()))));
  if (steps_.size() > 1)
    painter.drawText(QRectF(area.center().x(), area.bottom() + 2, area.width() / 2, base),
                     Qt::AlignRight | Qt::AlignVCenter, words::count(qRound64(steps_.back())));
  if (stop_ >= 0 && stop_ < static_cast<int>(steps_.size())) {
    painter.setPen(QPen(look.colour(Token::control), 0));
    const double x = std::round(x_of(static_cast<std::size_t>(stop_))) + 0.5;
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
  }
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Line& line : lines_) {
    painter.setPen(QPen(line.colour, line.strong ? 2.5 : 1.5));
    QPolygonF points;
    const auto draw = [&] {
      if (points.size() > 1) painter.drawPolyline(points);
      if (points.size() == 1) painter.drawEllipse(points.front(), 1.5, 1.5);
      points.clear();
    };
    for (std::size_t i = 0; i < line.values.size() && i < steps_.size(); ++i) {
      if (std::isfinite(line.values[i]))
        points << QPointF(x_of(i), area.bottom() - area.height() * line.values[i]);
      else
        draw();
    }
    draw();
  }
}

void ProbabilityChart::mousePressEvent(QMouseEvent* event) {
  if (steps_.empty()) return;
  std::size_t nearest = 0;
  for (std::size_t i = 1; i < steps_.size(); ++i)
    if (std::abs(x_of(i) - event->position().x()) < std::abs(x_of(nearest) - event->position().x())) nearest = i;
  Q_EMIT stop_clicked(static_cast<int>(nearest));
}

}  // namespace disco::ui
