// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/chart_plot.h"

#include <QAccessibleWidget>
#include <QHelpEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/theme/plot_theme.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"

namespace disco::ui {
namespace {

constexpr int flat_box = 12;    // a box flatter than this chooses x only
constexpr int click_slack = 4;  // pixels a click may move
constexpr int settle_ms = 120;
constexpr int describe_ms = 5000;
constexpr double outlier_room = 0.6;  // share of the typical range that outliers may add to the first view

void install_accessible_chart() {
  static const bool once = [] {
    QAccessible::installFactory([](const QString&, QObject* object) -> QAccessibleInterface* {
      auto* chart = qobject_cast<ChartPlot*>(object);
      return chart ? new QAccessibleWidget(chart, QAccessible::Chart, chart->accessibleName()) : nullptr;
    });
    return true;
  }();
  Q_UNUSED(once)
}

}  // namespace

ChartPlot::ChartPlot(ChartSpec spec, PlotGroup& group, QWidget* parent)
    : QCustomPlot(parent),
      spec_(std::move(spec)),
      group_(group),
      x_ticker_(new ShortTicker),
      y_ticker_(new ShortTicker) {
  install_accessible_chart();
  setFocusPolicy(Qt::TabFocus);
  setMouseTracking(true);
  setContextMenuPolicy(Qt::DefaultContextMenu);
  setAutoAddPlottableToLegend(false);
  setNoAntialiasingOnDrag(false);
  setPlottingHints(QCP::phCacheLabels);
  // Every plot has this layer; with a buffer of its own the cross-hair moves without the curves being drawn again.
  layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmBuffered);
  // Labels are ours: the library would set "1e-3" as a power.
  xAxis->setNumberFormat(QStringLiteral("g"));
  yAxis->setNumberFormat(QStringLiteral("g"));
  xAxis->setTicker(x_ticker_);
  yAxis->setTicker(y_ticker_);
  if (spec_.stacked)
    new StackLayer(xAxis, yAxis, look_);
  else
    new CurveLayer(xAxis, yAxis, look_);
  cross_hair_ = new CrossHair(xAxis, yAxis, look_);
  settle_.setSingleShot(true);
  settle_.setInterval(settle_ms);
  describe_.setSingleShot(true);
  describe_.setInterval(describe_ms);
  connect(&settle_, &QTimer::timeout, this, [this] {
    look_.fast = false;
    replot(rpQueuedReplot);
  });
  connect(&describe_, &QTimer::timeout, this, [this] { setAccessibleName(description()); });
  connect(&group_, &PlotGroup::range_chosen, this, &ChartPlot::range_chosen);
  connect(&group_, &PlotGroup::cursor_moved, this, &ChartPlot::show_cursor);
  connect(&group_, &PlotGroup::axis_changed, this, [this] {
    fit_wanted_ = true;
    y_held_ = false;
  });
  connect(&group_, &PlotGroup::weight_changed, this, [this] { fit_wanted_ = true; });
  connect(&theme(), &Theme::changed, this, &ChartPlot::dress);
  dress();
  setAccessibleName(description());
}

void ChartPlot::set_spec(ChartSpec spec) {
  spec_ = std::move(spec);
  look_.data.reset();
  fit_wanted_ = true;
  dress();
}

void ChartPlot::dress() {
  dress_as(theme().dark());
  replot(rpQueuedReplot);
}

void ChartPlot::dress_as(bool dark) {
  plot_theme::apply(*this, dark);
  look_.dark = dark;
  look_.colours.clear();
  for (const CurveSpec& curve : spec_.curves) look_.colours.push_back(Theme::curve(curve.colour, dark));
  look_.hidden.resize(look_.colours.size(), false);
}

void ChartPlot::draw_for_export(QCPPainter& painter, bool dark) {
  dress_as(dark);
  const bool fast = std::exchange(look_.fast, false);
  cross_hair_->setVisible(false);
  toPainter(&painter, width(), height());
  cross_hair_->setVisible(true);
  look_.fast = fast;
  dress();
}

void ChartPlot::set_data(std::shared_ptr<const ReducedChart> reduced) {
  if (!reduced || reduced->curves.size() != spec_.curves.size()) return;
  look_.data = std::move(reduced);
  x_ticker_->set_kind(kind_of(look_.data->axis));
  const Span x = group_.held() ? group_.range() : Span{look_.data->x_low, look_.data->x_high};
  xAxis->setRange(x.low, x.high);
  if (!y_held_ && (!group_.held() || fit_wanted_)) fit_y();
  fit_wanted_ = false;
  show_cursor();
  if (accessibleName().isEmpty()) setAccessibleName(description());
  if (!describe_.isActive()) describe_.start();
  replot(rpQueuedReplot);
  Q_EMIT view_changed();
}

Span ChartPlot::y_span() const {
  if (spec_.stacked) return {0, look_.data->stack.high > 0 ? look_.data->stack.high : 1};
  Span span{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < look_.data->curves.size(); ++i) {
    const ReducedCurve& curve = look_.data->curves[i];
    if (!look_.shows(i) || !curve.any) continue;
    if (look_.log) {
      if (curve.smallest_positive > 0) span.low = std::min(span.low, curve.smallest_positive);
      if (curve.high > 0) span.high = std::max(span.high, curve.high);
      continue;
    }
    const double room = outlier_room * (curve.typical_high - curve.typical_low);
    span.low = std::min(span.low, std::max(curve.low, curve.typical_low - room));
    span.high = std::max(span.high, std::min(curve.high, curve.typical_high + room));
  }
  if (!(span.low <= span.high)) return look_.log ? Span{0.1, 1} : Span{0, 1};
  if (spec_.format == ValueFormat::percent && !look_.log) span.low = 0;
  return span;
}

void ChartPlot::fit_y() {
  const Span span = y_span();
  const double largest = std::max(std::abs(span.low), std::abs(span.high));
  look_.unit = axis_unit(spec_.format, largest);
  y_ticker_->set_unit(spec_.format == ValueFormat::number || spec_.format == ValueFormat::exponent ? look_.unit : 1);
  double low = span.low / look_.unit;
  double high = span.high / look_.unit;
  yAxis->setScaleType(look_.log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  y_ticker_->set_kind(look_.log ? ShortTicker::Kind::log : ShortTicker::Kind::linear);
  if (look_.log) {
    const double room = std::pow(std::max(high / low, 1.2), 0.05);
    yAxis->setRange(low / room, high * room);
    return;
  }
  if (low == high) {
    const double half = low == 0 ? 1 : std::abs(low) * 0.1;
    low -= half;
    high += half;
  }
  const double room = (high - low) * 0.05;
  const bool from_zero = spec_.stacked || spec_.format == ValueFormat::percent;
  yAxis->setRange(from_zero ? 0 : low - room, high + room);
}

void ChartPlot::set_log(bool log) {
  if (log == look_.log || spec_.stacked) return;
  look_.log = log;
  y_held_ = false;
  if (look_.data) fit_y();
  replot(rpQueuedReplot);
  Q_EMIT view_changed();
}

void ChartPlot::set_hidden(std::vector<bool> hidden) {
  hidden.resize(look_.colours.size(), false);
  look_.hidden = std::move(hidden);
  if (look_.data && !y_held_) fit_y();
  replot(rpQueuedReplot);
  Q_EMIT view_changed();
}

void ChartPlot::set_hovered(int curve) {
  if (curve == look_.hovered) return;
  look_.hovered = curve;
  replot(rpQueuedReplot);
}

void ChartPlot::follow() {
  y_held_ = false;
  fit_wanted_ = true;
  if (look_.data) fit_y();
  group_.follow();
  replot(rpQueuedReplot);
  Q_EMIT view_changed();
}

void ChartPlot::range_chosen() {
  fit_wanted_ = true;
  if (!group_.held()) y_held_ = false;
  const Span x = group_.range();
  xAxis->setRange(x.low, x.high);
  show_cursor();
  if (isVisible()) replot(rpQueuedReplot);
  Q_EMIT view_changed();
}

void ChartPlot::show_cursor() {
  const auto x = group_.cursor();
  cross_hair_->set_place(x, x ? x_words(group_.axis(), *x) : QString(), group_.pinned());
  // Only the buffer of the cross-hair is drawn again.
  if (isVisible() && !visibleRegion().isEmpty()) layer(QStringLiteral("overlay"))->replot();
  Q_EMIT view_changed();
}

std::vector<double> ChartPlot::values() const {
  std::vector<double> result(spec_.curves.size(), absent());
  if (!look_.data) return result;
  const auto cursor = group_.cursor();
  for (std::size_t i = 0; i < result.size(); ++i) {
    const ReducedCurve& curve = look_.data->curves[i];
    result[i] = curve.latest;
    if (!cursor) continue;
    if (spec_.stacked) {
      const auto& x = look_.data->stack.x;
      if (x.empty()) continue;
      auto at = std::lower_bound(x.begin(), x.end(), *cursor);
      if (at == x.end()) --at;
      result[i] = look_.data->stack.parts[i][static_cast<std::size_t>(at - x.begin())];
    } else if (const auto vertex = nearest_vertex(curve.line, *cursor)) {
      result[i] = vertex->y;
    }
  }
  return result;
}

QString ChartPlot::unit_words() const {
  if (spec_.format == ValueFormat::number || spec_.format == ValueFormat::exponent || !look_.data) return spec_.unit;
  return axis_unit_words(spec_.format, yAxis->range().upper * look_.unit);
}

int ChartPlot::pixel_columns() const { return std::max(50, width() - theme().px(sizes::plot_gutter) - sizes::gap3); }

void ChartPlot::resizeEvent(QResizeEvent* event) {
  QCustomPlot::resizeEvent(event);
  if (event->size().width() != event->oldSize().width()) Q_EMIT columns_changed();
}

QString ChartPlot::description() const {
  QStringList parts;
  if (look_.data) {
    for (std::size_t i = 0; i < spec_.curves.size(); ++i) {
      const ReducedCurve& curve = look_.data->curves[i];
      if (is_absent(curve.latest)) continue;
      QString part = tr("%1 %2 at %3")
                         .arg(spec_.curves[i].label, value_words(spec_.format, curve.latest),
                              x_words(look_.data->axis, curve.latest_x));
      if (curve.any)
        part += tr(", lowest %1, highest %2")
                    .arg(value_words(spec_.format, curve.low), value_words(spec_.format, curve.high));
      parts.append(part);
    }
  }
  return spec_.title + QStringLiteral(": ") + (parts.isEmpty() ? spec_.empty_text : parts.join(QStringLiteral("; ")));
}

void ChartPlot::move_fast() {
  look_.fast = true;
  settle_.start();
}

void ChartPlot::zoom_x(double factor, double at_x) {
  move_fast();
  const Span x = group_.range();
  group_.hold(at_x - (at_x - x.low) * factor, at_x + (x.high - at_x) * factor);
}

void ChartPlot::zoom_y(double factor, double at_y) {
  move_fast();
  y_held_ = true;
  yAxis->scaleRange(factor, at_y);
  replot(rpQueuedReplot);
  Q_EMIT view_changed();
}

void ChartPlot::mousePressEvent(QMouseEvent* event) {
  const bool pan = event->button() == Qt::MiddleButton ||
                   (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier));
  if (!pan && event->button() != Qt::LeftButton) return;
  setFocus(Qt::MouseFocusReason);
  drag_ = pan ? Drag::pan : Drag::box;
  press_ = event->pos();
  press_x_ = group_.range();
  press_y_ = yAxis->range();
  moved_ = false;
}

void ChartPlot::mouseMoveEvent(QMouseEvent* event) {
  if (drag_ != Drag::none && (event->pos() - press_).manhattanLength() > click_slack) moved_ = true;
  if (drag_ == Drag::pan && moved_) return pan_to(event->pos());
  if (drag_ == Drag::box && moved_) {
    QRectF band = QRectF(press_, event->pos()).normalized();
    if (band.height() < flat_box) {
      band.setTop(axisRect()->top());
      band.setBottom(axisRect()->bottom());
    }
    cross_hair_->set_band(band);
    layer(QStringLiteral("overlay"))->replot();
    return;
  }
  const bool inside = axisRect()->rect().contains(event->pos());
  group_.set_cursor(inside ? std::optional(xAxis->pixelToCoord(event->pos().x())) : std::nullopt);
}

void ChartPlot::pan_to(const QPoint& at) {
  move_fast();
  const QPoint way = at - press_;
  const QRect area = axisRect()->rect();
  const double dx = (press_x_.high - press_x_.low) * way.x() / std::max(1, area.width());
  if (std::abs(way.y()) > click_slack || y_held_) {
    y_held_ = true;
    const double top = press_y_.upper;
    if (look_.log) {
      const double ratio = std::pow(top / press_y_.lower, static_cast<double>(way.y()) / std::max(1, area.height()));
      yAxis->setRange(press_y_.lower * ratio, top * ratio);
    } else {
      const double dy = press_y_.size() * way.y() / std::max(1, area.height());
      yAxis->setRange(press_y_.lower + dy, top + dy);
    }
  }
  group_.hold(press_x_.low - dx, press_x_.high - dx);
}

void ChartPlot::mouseReleaseEvent(QMouseEvent* event) {
  const Drag drag = drag_;
  drag_ = Drag::none;
  if (drag == Drag::box && moved_) return end_box(event->pos());
  if (drag != Drag::box || moved_) return;
  const bool inside = axisRect()->rect().contains(event->pos());
  if (group_.pinned()) return group_.set_pinned(false);
  if (!inside) return;
  group_.set_cursor(xAxis->pixelToCoord(event->pos().x()), true);
  group_.set_pinned(true);
}

void ChartPlot::end_box(const QPoint& at) {
  const QRect box = QRect(press_, at).normalized().intersected(axisRect()->rect());
  cross_hair_->set_band({});
  if (box.width() <= click_slack) {
    layer(QStringLiteral("overlay"))->replot();
    return;
  }
  if (std::abs(at.y() - press_.y()) >= flat_box) {
    y_held_ = true;
    yAxis->setRange(yAxis->pixelToCoord(box.bottom()), yAxis->pixelToCoord(box.top()));
  }
  group_.hold(xAxis->pixelToCoord(box.left()), xAxis->pixelToCoord(box.right()));
}

void ChartPlot::mouseDoubleClickEvent(QMouseEvent* event) {
  drag_ = Drag::none;
  if (event->button() != Qt::LeftButton) return;
  group_.set_pinned(false);
  follow();
}

void ChartPlot::wheelEvent(QWheelEvent* event) {
  const bool control = event->modifiers().testFlag(Qt::ControlModifier);
  if (!control && !wheel_zooms_) {
    event->ignore();  // the page scrolls
    Q_EMIT plain_wheel();
    return;
  }
  const double factor =
      std::pow(0.999, event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x());
  if (event->modifiers().testFlag(Qt::ShiftModifier))
    zoom_y(factor, yAxis->pixelToCoord(event->position().y()));
  else
    zoom_x(factor, xAxis->pixelToCoord(event->position().x()));
  event->accept();
}

QString ChartPlot::mark_words(const QPoint& at) const {
  constexpr int reach = 8;
  if (!look_.data) return {};
  for (std::size_t i = 0; i < look_.data->curves.size(); ++i) {
    if (!look_.shows(i)) continue;
    for (const GapMark& mark : look_.data->curves[i].marks) {
      const double left = xAxis->coordToPixel(mark.x) - reach;
      const double right = xAxis->coordToPixel(mark.x_last) + reach;
      if (at.x() < left || at.x() > right) continue;
      const QString what = mark.kind == NotFinite::Kind::nan        ? tr("NaN")
                           : mark.kind == NotFinite::Kind::positive ? tr("infinite")
                                                                    : tr("minus infinite");
      return tr("%1 is %2 in %n step(s), first %3", nullptr,
                static_cast<int>(std::min<std::int64_t>(mark.count, 1 << 30)))
          .arg(spec_.curves[i].label, what, words::count(static_cast<qint64>(mark.first_step)));
    }
  }
  return {};
}

bool ChartPlot::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QCustomPlot::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString text = mark_words(help->pos());
  if (text.isEmpty())
    QToolTip::hideText();
  else
    QToolTip::showText(help->globalPos(), text, this);
  return true;
}

void ChartPlot::leaveEvent(QEvent*) { group_.set_cursor(std::nullopt); }

void ChartPlot::step_cursor(int direction, Qt::KeyboardModifiers modifiers) {
  if (!look_.data) return;
  const Span x = group_.range();
  double at = group_.cursor().value_or(direction > 0 ? x.low : x.high);
  if (modifiers.testFlag(Qt::ControlModifier)) {  // to the next mark: resume, checkpoint, or gap
    std::vector<double> marks = look_.data->flags;
    marks.insert(marks.end(), look_.data->ticks.begin(), look_.data->ticks.end());
    for (const ReducedCurve& curve : look_.data->curves)
      for (const GapMark& mark : curve.marks) marks.push_back(mark.x);
    std::sort(marks.begin(), marks.end());
    const auto next = direction > 0 ? std::upper_bound(marks.begin(), marks.end(), at)
                                    : std::lower_bound(marks.begin(), marks.end(), at);
    if (direction > 0 && next != marks.end()) at = *next;
    if (direction < 0 && next != marks.begin()) at = *(next - 1);
  } else {
    const double pixels = modifiers.testFlag(Qt::ShiftModifier) ? 10 : 1;
    at += direction * pixels * (x.high - x.low) / std::max(1, axisRect()->width());
  }
  group_.set_cursor(std::clamp(at, x.low, x.high), true);
}

void ChartPlot::keyPressEvent(QKeyEvent* event) {
  ring_ = true;  // whoever uses the keyboard sees where it goes
  const Span x = group_.range();
  const double middle = group_.cursor().value_or((x.low + x.high) / 2);
  const int key = event->key();
  if (event->matches(QKeySequence::Copy)) return Q_EMIT copy_wanted();
  if (key == Qt::Key_Left || key == Qt::Key_Right) return step_cursor(key == Qt::Key_Left ? -1 : 1, event->modifiers());
  if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) return QCustomPlot::keyPressEvent(event);
  if (key == Qt::Key_Plus || key == Qt::Key_Equal) return zoom_x(1 / 1.5, middle);
  if (key == Qt::Key_Minus) return zoom_x(1.5, middle);
  if (key == Qt::Key_Home) return follow();
  if (key == Qt::Key_Return || key == Qt::Key_Enter) return Q_EMIT enlarge_wanted();
  if (key == Qt::Key_Y) return set_log(!look_.log);
  if (key >= Qt::Key_1 && key <= Qt::Key_9 && key - Qt::Key_1 < static_cast<int>(spec_.curves.size()))
    return Q_EMIT toggle_wanted(key - Qt::Key_1);
  if (key == Qt::Key_Space && group_.cursor()) return group_.set_pinned(!group_.pinned());
  if (key == Qt::Key_Escape && (group_.pinned() || group_.cursor())) {
    group_.set_pinned(false);
    return group_.set_cursor(std::nullopt, true);
  }
  QCustomPlot::keyPressEvent(event);
}

void ChartPlot::contextMenuEvent(QContextMenuEvent* event) {
  const bool keyboard = event->reason() == QContextMenuEvent::Keyboard;
  Q_EMIT menu_wanted(keyboard ? mapToGlobal(rect().center()) : event->globalPos());
  event->accept();
}

void ChartPlot::focusInEvent(QFocusEvent* event) {
  QCustomPlot::focusInEvent(event);
  ring_ = event->reason() != Qt::MouseFocusReason;
  update();
}

void ChartPlot::focusOutEvent(QFocusEvent* event) {
  QCustomPlot::focusOutEvent(event);
  update();
}

void ChartPlot::paintEvent(QPaintEvent* event) {
  QCustomPlot::paintEvent(event);
  if (!hasFocus() || !ring_) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme().colour(Token::link), sizes::focus_ring));
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), sizes::radius, sizes::radius);
}

}  // namespace disco::ui
