// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/plot_theme.h"

#include "ui/theme/theme.h"

namespace disco::ui::plot_theme {
namespace {

// Width 0 is a cosmetic hairline at every device ratio.
QPen hairline(const QColor& colour) { return QPen(colour, 0); }

void dress(QCPAxis& axis, bool dark) {
  axis.setTickPen(Qt::NoPen);
  axis.setSubTickPen(Qt::NoPen);
  axis.setSubTicks(false);
  axis.setTickLength(0, 0);
  axis.setTickLabelPadding(6);
  axis.setTickLabelFont(theme().font(FontRole::caption));
  axis.setTickLabelColor(Theme::colour(Token::text3, dark));
  axis.setLabelFont(theme().font(FontRole::caption));
  axis.setLabelColor(Theme::colour(Token::text3, dark));
  axis.grid()->setPen(hairline(Theme::colour(Token::grid, dark)));
  axis.grid()->setSubGridVisible(false);
  axis.grid()->setZeroLinePen(hairline(Theme::colour(Token::grid, dark)));
  axis.ticker()->setTickCount(4);
}

}  // namespace

void apply(QCustomPlot& plot) { apply(plot, theme().dark()); }

void apply(QCustomPlot& plot, bool dark) {
  const QColor ground = Theme::colour(Token::surface, dark);
  plot.setBackground(QBrush(ground));
  plot.setNoAntialiasingOnDrag(true);
  for (QCPAxisRect* rect : plot.axisRects()) {
    rect->setBackground(QBrush(ground));
    rect->setAutoMargins(QCP::msBottom | QCP::msTop | QCP::msRight);
    rect->setMinimumMargins(QMargins(0, 8, 12, 0));
    QMargins margins = rect->margins();
    margins.setLeft(theme().px(sizes::plot_gutter));
    rect->setMargins(margins);
    for (QCPAxis* axis : rect->axes()) {
      dress(*axis, dark);
      const bool bottom = axis->axisType() == QCPAxis::atBottom;
      axis->setBasePen(bottom ? hairline(Theme::colour(Token::border, dark)) : QPen(Qt::NoPen));
      axis->grid()->setVisible(axis->axisType() == QCPAxis::atLeft);
    }
  }
}

}  // namespace disco::ui::plot_theme
