// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/overlay.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/theme/theme.h"

namespace disco::ui {
namespace {

constexpr int dimming = 90;  // alpha of the black before the window

bool takes_focus(const QWidget* widget) {
  return widget->isVisible() && widget->isEnabled() && widget->focusPolicy() != Qt::NoFocus &&
         widget->focusPolicy() != Qt::ClickFocus;
}

}  // namespace

Overlay::Overlay(QWidget* window, const QString& accessible_name, QSize size)
    : QWidget(window), panel_(new QFrame(this)), body_(new QVBoxLayout(panel_)), wish_(size) {
  set_role(panel_, "raised");
  panel_->setAccessibleName(accessible_name);
  setAccessibleName(accessible_name);
  body_->setContentsMargins(sizes::gap4, sizes::gap4, sizes::gap4, sizes::gap4);
  body_->setSpacing(sizes::gap3);
  window->installEventFilter(this);
  hide();
}

void Overlay::open(QWidget* first) {
  if (isVisible()) return;
  before_ = QApplication::focusWidget();
  place();
  show();
  raise();
  if (first != nullptr)
    first->setFocus(Qt::OtherFocusReason);
  else if (!focusNextPrevChild(true))
    setFocus(Qt::OtherFocusReason);
}

void Overlay::dismiss() {
  if (!isVisible()) return;
  hide();
  if (before_) before_->setFocus(Qt::OtherFocusReason);
  Q_EMIT dismissed();
}

void Overlay::place() {
  const QSize room = parentWidget()->size();
  resize(room);
  const QSize size(std::min(theme().px(wish_.width()), room.width() - 2 * sizes::gap8),
                   std::min(theme().px(wish_.height()), room.height() - 2 * sizes::gap8));
  const int y =
      top_ > 0 ? std::min(top_, room.height() - size.height() - sizes::gap4) : (room.height() - size.height()) / 2;
  panel_->setGeometry(QRect(QPoint((room.width() - size.width()) / 2, y), size));
}

bool Overlay::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible()) place();
  return QWidget::eventFilter(watched, event);
}

void Overlay::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape)
    dismiss();
  else
    QWidget::keyPressEvent(event);
}

void Overlay::mousePressEvent(QMouseEvent* event) {
  if (!panel_->geometry().contains(event->position().toPoint())) dismiss();
}

void Overlay::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), QColor(0, 0, 0, dimming));
}

bool Overlay::focusNextPrevChild(bool next) {
  QList<QWidget*> stops;
  for (QWidget* widget = nextInFocusChain(); widget != this; widget = widget->nextInFocusChain())
    if (isAncestorOf(widget) && takes_focus(widget)) stops.append(widget);
  if (stops.isEmpty()) return false;
  const auto at = stops.indexOf(QApplication::focusWidget());
  const auto count = stops.size();
  const auto target = at < 0 ? (next ? 0 : count - 1) : (at + (next ? 1 : count - 1)) % count;
  stops.at(target)->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
  return true;
}

}  // namespace disco::ui
