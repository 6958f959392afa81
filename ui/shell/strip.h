// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "ui/shell/page.h"

class QPushButton;

namespace disco::ui {

class DigitLabel;
class ElidedLabel;

/// The line along the bottom: workspace, running, machine load, notices.
class Strip : public QFrame {
  Q_OBJECT

 public:
  Strip(PageContext& context, QWidget* parent);
  /// Pages are made later than the strip; in the Tab order it comes behind them all the same.
  void stay_last(const QWidget* page);

 Q_SIGNALS:
  void notices_wanted();

 private:
  void refresh();
  void show_load(double cpu, qint64 used, qint64 total);

  PageContext& context_;
  ElidedLabel* workspace_;
  QPushButton* running_;
  DigitLabel* load_;
  QPushButton* notices_;
};

}  // namespace disco::ui
