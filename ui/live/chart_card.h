// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

#include "ui/live/chart_legend.h"
#include "ui/live/chart_plot.h"
#include "ui/widgets/card.h"

class QLabel;
class QStackedLayout;
class QToolButton;

namespace disco::ui {

class HeldChip;

/// A chart with its title, legend and tools. Without data it says what will be there and when.
class ChartCard : public Card {
  Q_OBJECT

 public:
  /// `large` is the enlarged one: it has [close] instead of [enlarge] and zooms with the plain wheel.
  ChartCard(const ChartSpec& spec, PlotGroup& group, bool large, QWidget* parent = nullptr);

  [[nodiscard]] const QString& id() const { return id_; }
  [[nodiscard]] ChartPlot& plot() { return *plot_; }
  [[nodiscard]] ChartLegend& legend() { return *legend_; }
  /// Takes another set of curves; false when it is the same one.
  bool set_spec(const ChartSpec& spec);
  void set_data(std::shared_ptr<const ReducedChart> reduced);
  /// One line under the plot with a link; empty hides it.
  void set_advice(const QString& sentence, const QString& link);
  /// The menu of the chart; owned by the caller, shown with actions().
  [[nodiscard]] QMenu& menu() { return *menu_; }

 Q_SIGNALS:
  void enlarge_wanted();
  void close_wanted();
  void advice_taken();
  void log_changed(bool log);

 private:
  void build_tools(bool large);
  void refresh();

  QString id_;
  ChartSpec spec_;
  ChartPlot* plot_;
  ChartLegend* legend_;
  QLabel* empty_;
  QLabel* advice_;
  QStackedLayout* stack_;
  HeldChip* held_;
  QMenu* menu_;
  QAction* log_action_ = nullptr;
};

}  // namespace disco::ui
