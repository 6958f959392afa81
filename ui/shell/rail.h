// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>
#include <map>
#include <vector>

#include "ui/shell/page.h"

class QVBoxLayout;

namespace disco::ui {

class RailButton;

/// The pages down the left edge: icon over label, icons only in a narrow window.
class Rail : public QFrame {
  Q_OBJECT

 public:
  Rail(const std::vector<PageSpec>& pages, QWidget* parent);
  void set_current(const QString& page);
  void set_narrow(bool narrow);
  /// Colour of the bar beside the pages that show the current run; invalid: none.
  void set_run_colour(const QColor& colour);
  /// A dot: something failed since it was last looked at.
  void set_dot(const QString& page, bool dot);

 Q_SIGNALS:
  void chosen(const QString& page);

 private:
  void fit_width();

  std::map<QString, RailButton*> buttons_;
  bool narrow_ = false;
};

}  // namespace disco::ui
