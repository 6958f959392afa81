// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/chart_legend.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/digit_label.h"

namespace disco::ui {
namespace {

constexpr int swatch = 10;
constexpr int gap = 4;
constexpr int between = 12;

void paint_swatch(QPainter& painter, const QRect& cell, const QColor& colour, bool block, bool hidden) {
  const int height = block ? 10 : 4;
  const QRect box(cell.left(), cell.center().y() - height / 2 + 1, swatch, height);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(hidden ? QPen(colour, 1) : QPen(Qt::NoPen));
  painter.setBrush(hidden ? QBrush(Qt::NoBrush) : QBrush(colour));
  painter.drawRoundedRect(hidden ? box.adjusted(0, 0, -1, -1) : box, 2, 2);
}

}  // namespace

ChartLegend::ChartLegend(ChartPlot& plot, QWidget* parent) : QWidget(parent), plot_(plot) {
  setMouseTracking(true);
  QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  refresh();
}

int ChartLegend::line_height() const { return QFontMetrics(theme().font(FontRole::caption)).height() + 2; }

QSize ChartLegend::sizeHint() const { return {200, line_height()}; }

void ChartLegend::refresh() {
  const auto& curves = plot_.spec().curves;
  const std::vector<double> numbers = plot_.values();
  QFont strong = theme().font(FontRole::caption);
  strong.setWeight(QFont::DemiBold);
  value_widths_.resize(curves.size(), 0);
  values_.resize(curves.size());
  notes_.assign(curves.size(), {});
  bool wider = false;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    values_[i] = value_words(plot_.spec().format, numbers[i]);
    const int width = digit_width(strong, values_[i]);
    wider = wider || width > value_widths_[i];
    value_widths_[i] = std::max(value_widths_[i], width);
    const auto& reduced = plot_.look().data;
    if (plot_.log() && reduced && reduced->curves[i].not_positive > 0)
      notes_[i] = tr("%1 not above 0").arg(words::count(reduced->curves[i].not_positive));
  }
  if (wider) updateGeometry();
  update();
}

std::vector<ChartLegend::Cell> ChartLegend::cells(int width) const {
  const QFontMetrics metrics(theme().font(FontRole::caption));
  const auto& curves = plot_.spec().curves;
  std::vector<Cell> result;
  int x = 0;
  int y = 0;
  for (std::size_t i = 0; i < curves.size() && i < values_.size(); ++i) {
    const int note = notes_[i].isEmpty() ? 0 : metrics.horizontalAdvance(notes_[i]) + gap;
    const int cell = swatch + gap + metrics.horizontalAdvance(curves[i].label) + gap + value_widths_[i] + note;
    if (x > 0 && x + cell > width) {
      x = 0;
      y += line_height();
    }
    result.push_back({QRect(x, y, std::min(cell, width), line_height()), curves[i].label, values_[i], notes_[i]});
    x += cell + between;
  }
  return result;
}

int ChartLegend::heightForWidth(int width) const {
  const auto list = cells(width);
  return list.empty() ? line_height() : list.back().area.bottom() + 1;
}

void ChartLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const auto list = cells(width());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Cell& cell = list[i];
    const bool hidden = !plot_.look().shows(i);
    paint_swatch(painter, cell.area, plot_.look().colours[i], plot_.spec().stacked, hidden);
    painter.setFont(theme().font(FontRole::caption));
    const QFontMetrics metrics = painter.fontMetrics();
    painter.setPen(theme().colour(hidden ? Token::text3 : Token::text2));
    QRect area = cell.area.adjusted(swatch + gap, 0, 0, 0);
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter, cell.label);
    area.adjust(metrics.horizontalAdvance(cell.label) + gap, 0, 0, 0);
    QFont strong = painter.font();
    if (hidden) continue;
    strong.setWeight(QFont::DemiBold);
    painter.setFont(strong);
    painter.setPen(theme().colour(Token::text));
    paint_digits(painter, area, cell.value, Qt::AlignLeft | Qt::AlignVCenter);
    if (cell.note.isEmpty()) continue;
    painter.setFont(theme().font(FontRole::caption));
    painter.setPen(theme().colour(Token::warn));
    painter.drawText(area.adjusted(value_widths_[i] + gap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, cell.note);
  }
}

int ChartLegend::cell_at(const QPoint& at) const {
  const auto list = cells(width());
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].area.adjusted(-2, 0, between / 2, 0).contains(at)) return static_cast<int>(i);
  return -1;
}

void ChartLegend::mouseMoveEvent(QMouseEvent* event) {
  const int cell = cell_at(event->pos());
  const bool several = plot_.spec().curves.size() > 1;
  setCursor(cell >= 0 && several ? Qt::PointingHandCursor : Qt::ArrowCursor);
  plot_.set_hovered(several ? cell : -1);
}

void ChartLegend::mousePressEvent(QMouseEvent* event) {
  const int cell = cell_at(event->pos());
  if (event->button() != Qt::LeftButton || cell < 0) return;
  if (event->modifiers().testFlag(Qt::AltModifier))
    only(cell);
  else
    toggle(cell);
}

void ChartLegend::leaveEvent(QEvent*) { plot_.set_hovered(-1); }

bool ChartLegend::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int cell = cell_at(help->pos());
    if (cell >= 0 && plot_.spec().curves.size() > 1)
      QToolTip::showText(help->globalPos(), tr("Click hides it, Alt+click shows only it"), this);
    return true;
  }
  return QWidget::event(event);
}

void ChartLegend::toggle(int curve) {
  std::vector<bool> hidden = plot_.look().hidden;
  if (static_cast<std::size_t>(curve) >= hidden.size()) return;
  hidden[static_cast<std::size_t>(curve)] = !hidden[static_cast<std::size_t>(curve)];
  plot_.set_hovered(-1);
  plot_.set_hidden(hidden);
  refresh();
  Q_EMIT hidden_changed(hidden);
}

void ChartLegend::only(int curve) {
  std::vector<bool> hidden(plot_.look().hidden.size(), true);
  if (static_cast<std::size_t>(curve) >= hidden.size()) return;
  hidden[static_cast<std::size_t>(curve)] = false;
  // A second Alt+click brings all back.
  if (hidden == plot_.look().hidden) hidden.assign(hidden.size(), false);
  plot_.set_hidden(hidden);
  refresh();
  Q_EMIT hidden_changed(hidden);
}

int paint_legend(QPainter* painter, const QRect& area, const ChartPlot& plot, bool dark) {
  const QFont caption = theme().font(FontRole::caption);
  const QFontMetrics metrics(caption);
  const auto& curves = plot.spec().curves;
  const std::vector<double> numbers = plot.values();
  int x = area.left();
  int y = area.top();
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (!plot.look().shows(i)) continue;
    const QString value = value_words(plot.spec().format, numbers[i]);
    const int cell = swatch + gap + metrics.horizontalAdvance(curves[i].label + QLatin1Char(' ') + value) + gap;
    if (x > area.left() && x + cell > area.right()) {
      x = area.left();
      y += metrics.height() + 2;
    }
    const QRect box(x, y, cell, metrics.height() + 2);
    x += cell + between;
    if (!painter) continue;
    paint_swatch(*painter, box, Theme::curve(curves[i].colour, dark), plot.spec().stacked, false);
    painter->setFont(caption);
    painter->setPen(Theme::colour(Token::text2, dark));
    painter->drawText(box.adjusted(swatch + gap, 0, 20, 0), Qt::AlignLeft | Qt::AlignVCenter,
                      curves[i].label + QLatin1Char(' ') + value);
  }
  return y + metrics.height() + 2 - area.top();
}

}  // namespace disco::ui
