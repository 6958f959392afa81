// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/chart_card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/live/held_chip.h"
#include "ui/theme/icon.h"
#include "ui/theme/theme.h"

namespace disco::ui {
namespace {

QToolButton* tool(QWidget* parent, const char* icon_name, const QString& name) {
  auto* button = new QToolButton(parent);
  set_role(button, "flat");
  button->setIcon(icon(icon_name));
  button->setAutoRaise(true);
  button->setToolTip(name);
  button->setAccessibleName(name);
  button->setFixedSize(theme().px(26), theme().px(24));
  return button;
}

bool same_curves(const ChartSpec& a, const ChartSpec& b) {
  if (a.title != b.title || a.curves.size() != b.curves.size() || a.empty_text != b.empty_text) return false;
  for (std::size_t i = 0; i < a.curves.size(); ++i)
    if (a.curves[i].source.metric != b.curves[i].source.metric || a.curves[i].label != b.curves[i].label) return false;
  return true;
}

}  // namespace

ChartCard::ChartCard(const ChartSpec& spec, PlotGroup& group, bool large, QWidget* parent)
    : Card(spec.title, parent),
      id_(spec.id),
      spec_(spec),
      plot_(new ChartPlot(spec, group, this)),
      legend_(new ChartLegend(*plot_, this)),
      empty_(new QLabel(spec.empty_text, this)),
      advice_(new QLabel(this)),
      stack_(new QStackedLayout),
      held_(new HeldChip(this)),
      menu_(new QMenu(this)) {
  layout()->setContentsMargins(sizes::gap3, sizes::gap1, sizes::gap1, sizes::gap1);
  layout()->setSpacing(0);
  build_tools(large);
  set_role(empty_, "text2");
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  auto* inside = new QWidget(this);
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(sizes::gap1);
  column->addWidget(legend_);
  column->addWidget(plot_, 1);
  column->addWidget(advice_);
  set_role(advice_, "text2");
  advice_->setWordWrap(true);
  advice_->hide();
  stack_->addWidget(inside);
  stack_->addWidget(empty_);
  stack_->setCurrentWidget(empty_);
  body()->addLayout(stack_, 1);
  plot_->set_wheel_zooms(large);
  connect(plot_, &ChartPlot::view_changed, this, &ChartCard::refresh);
  connect(plot_, &ChartPlot::enlarge_wanted, this, &ChartCard::enlarge_wanted);
  connect(plot_, &ChartPlot::toggle_wanted, legend_, &ChartLegend::toggle);
  connect(plot_, &ChartPlot::menu_wanted, this, [this](const QPoint& at) { menu_->popup(at); });
  connect(advice_, &QLabel::linkActivated, this, &ChartCard::advice_taken);
  refresh();
}

void ChartCard::build_tools(bool large) {
  connect(held_, &HeldChip::clicked, this, [this] { plot_->follow(); });
  tools()->addWidget(held_);
  auto* size = large ? tool(this, "close", tr("Close")) : tool(this, "enlarge", tr("Enlarge"));
  connect(size, &QToolButton::clicked, this, large ? &ChartCard::close_wanted : &ChartCard::enlarge_wanted);
  auto* more = tool(this, "more", tr("More about %1").arg(spec_.title));
  connect(more, &QToolButton::clicked, this,
          [this, more] { menu_->popup(more->mapToGlobal(QPoint(0, more->height()))); });
  tools()->addWidget(size);
  tools()->addWidget(more);
  if (!large) menu_->addAction(icon("enlarge"), tr("Enlarge"), this, &ChartCard::enlarge_wanted);
  menu_->addAction(tr("Follow again"), plot_, &ChartPlot::follow);
  if (!spec_.stacked) {
    log_action_ = menu_->addAction(tr("Logarithmic y"));
    log_action_->setCheckable(true);
    connect(log_action_, &QAction::triggered, this, [this](bool on) {
      plot_->set_log(on);
      Q_EMIT log_changed(on);
    });
  }
  menu_->addSeparator();
}

bool ChartCard::set_spec(const ChartSpec& spec) {
  if (same_curves(spec, spec_)) return false;
  spec_ = spec;
  set_title(spec.title);
  empty_->setText(spec.empty_text);
  plot_->set_spec(spec);
  refresh();
  return true;
}

void ChartCard::set_data(std::shared_ptr<const ReducedChart> reduced) {
  bool any = false;
  if (reduced && reduced->curves.size() == spec_.curves.size()) {
    for (const ReducedCurve& curve : reduced->curves) any = any || !is_absent(curve.latest);
    plot_->set_data(std::move(reduced));
  }
  stack_->setCurrentIndex(any ? 0 : 1);
}

void ChartCard::set_advice(const QString& sentence, const QString& link) {
  const QString text =
      link.isEmpty() ? sentence
                     : QStringLiteral("%1 <a href=\"use\" style=\"color:%2\">%3</a>")
                           .arg(sentence.toHtmlEscaped(), theme().colour(Token::link).name(), link.toHtmlEscaped());
  advice_->setVisible(!sentence.isEmpty());
  if (advice_->text() != text) advice_->setText(text);
}

void ChartCard::refresh() {
  legend_->refresh();
  held_->setVisible(plot_->held() && stack_->currentIndex() == 0);
  if (log_action_) log_action_->setChecked(plot_->log());
  const QString unit = plot_->unit_words();
  set_title(unit.isEmpty() ? spec_.title : spec_.title + QStringLiteral(", ") + unit);
}

}  // namespace disco::ui
