// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/enlarged_chart.h"

#include <QApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/theme/theme.h"

namespace disco::ui {

EnlargedChart::EnlargedChart(const ChartSpec& spec, PlotGroup& group, QWidget* page)
    : QWidget(page), card_(new ChartCard(spec, group, true, this)), before_(QApplication::focusWidget()) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(sizes::gap4, sizes::gap4, sizes::gap4, sizes::gap4);
  layout->addWidget(card_);
  connect(card_, &ChartCard::close_wanted, this, &EnlargedChart::close_chart);
  connect(&card_->plot(), &ChartPlot::enlarge_wanted, this, &EnlargedChart::close_chart);
  page->installEventFilter(this);
  setGeometry(page->rect());
  show();
  raise();
  card_->plot().setFocus(Qt::OtherFocusReason);
}

bool EnlargedChart::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && watched == parentWidget()) setGeometry(parentWidget()->rect());
  return QWidget::eventFilter(watched, event);
}

void EnlargedChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().colour(Token::window));
}

void EnlargedChart::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return close_chart();
  QWidget::keyPressEvent(event);
}

bool EnlargedChart::focusNextPrevChild(bool next) {
  QList<QWidget*> stops;
  for (QWidget* widget : findChildren<QWidget*>())
    if (widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) != 0) stops.append(widget);
  if (stops.isEmpty()) return false;
  const auto at = stops.indexOf(QApplication::focusWidget());
  const auto count = stops.size();
  const auto to = at < 0 ? 0 : (at + (next ? 1 : count - 1)) % count;
  stops[to]->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
  return true;
}

void EnlargedChart::close_chart() {
  if (before_) before_->setFocus(Qt::OtherFocusReason);
  Q_EMIT closed();
  deleteLater();
}

}  // namespace disco::ui
