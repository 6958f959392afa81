// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "ui/shell/page.h"

class QPushButton;
class QToolButton;

namespace disco::ui {

class DigitLabel;
class Meter;
class RunControl;
class RunSwitcher;
class StateChip;
struct RunSnapshot;

/// The current run in one line above its pages: which, in what state, how far, and what can be done.
class RunBar : public QFrame {
  Q_OBJECT

 public:
  RunBar(PageContext& context, RunControl& control, QWidget* parent);
  [[nodiscard]] RunSwitcher* switcher() const { return switcher_; }
  void set_narrow(bool narrow);

 private:
  void refresh();
  void show_status(const RunSnapshot& snapshot);
  void show_buttons(const RunSnapshot& snapshot);
  void set_words(QPushButton* button, const QString& words);

  PageContext& context_;
  RunControl& control_;
  RunSwitcher* switcher_;
  StateChip* chip_;
  DigitLabel* sentence_;
  Meter* meter_;
  QPushButton* abort_;
  QPushButton* pause_;
  QPushButton* stop_;
  QPushButton* save_;
  QToolButton* more_;
  bool narrow_ = false;
};

}  // namespace disco::ui
