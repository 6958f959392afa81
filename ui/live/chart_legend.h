// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/live/chart_plot.h"

namespace disco::ui {

/// The curves of a chart with their values in cells that do not move. Click hides a curve, Alt+click shows only it, the
/// one under the pointer stands out in the plot.
class ChartLegend : public QWidget {
  Q_OBJECT

 public:
  explicit ChartLegend(ChartPlot& plot, QWidget* parent = nullptr);
  /// Values, curves or hidden ones may be others: looks again.
  void refresh();
  /// Hides or shows one curve.
  void toggle(int curve);
  void only(int curve);

  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

 Q_SIGNALS:
  void hidden_changed(const std::vector<bool>& hidden);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Cell {
    QRect area;
    QString label;
    QString value;
    QString note;  ///< what a log axis leaves out
  };
  [[nodiscard]] std::vector<Cell> cells(int width) const;
  [[nodiscard]] int line_height() const;
  [[nodiscard]] int cell_at(const QPoint& at) const;

  ChartPlot& plot_;
  std::vector<QString> values_;
  std::vector<QString> notes_;
  std::vector<int> value_widths_;  ///< widest value so far, so that cells stay
};

/// Draws a legend into an export; without a painter it only measures. Returns the height it takes.
int paint_legend(QPainter* painter, const QRect& area, const ChartPlot& plot, bool dark);

}  // namespace disco::ui
