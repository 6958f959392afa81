// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/widgets/notices.h"

namespace disco::ui {

/// The cards at the bottom right of a window: at most three, 360 wide, gone after 5 s (8 s with an action) unless the
/// pointer rests on one. Equal ones count. Each raises an accessible alert.
class NoticeStack : public QWidget {
  Q_OBJECT

 public:
  /// Floats over `parent`, follows its size, leaves `bottom` pixels free below.
  NoticeStack(Notices& notices, QWidget* parent, int bottom);
  [[nodiscard]] int shown() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void show_entry(int id);
  void place();

  Notices& notices_;
  int bottom_;
};

}  // namespace disco::ui
