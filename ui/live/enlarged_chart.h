// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

#include "ui/live/chart_card.h"

namespace disco::ui {

/// One chart over the whole page. Keeps the focus inside; Esc and [Close] end it and give the focus back.
class EnlargedChart : public QWidget {
  Q_OBJECT

 public:
  EnlargedChart(const ChartSpec& spec, PlotGroup& group, QWidget* page);
  [[nodiscard]] ChartCard& card() { return *card_; }

 Q_SIGNALS:
  void closed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool focusNextPrevChild(bool next) override;

 private:
  void close_chart();

  ChartCard* card_;
  QPointer<QWidget> before_;
};

}  // namespace disco::ui
