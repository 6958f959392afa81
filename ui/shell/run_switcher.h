// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>
#include <QString>

#include "ui/shell/page.h"

class QFrame;
class QLineEdit;
class QListWidget;

namespace disco::ui {

/// Shows the current run's name with its colour; opens a list of the last twelve runs, and of all when one types.
class RunSwitcher : public QPushButton {
  Q_OBJECT

 public:
  RunSwitcher(PageContext& context, QWidget* parent);
  void set_run(const QString& name, const QColor& colour);
  void open_list();
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fill(const QString& typed);
  void choose();

  PageContext& context_;
  QString name_;
  QColor colour_;
  QFrame* popup_;
  QLineEdit* search_;
  QListWidget* list_;
};

}  // namespace disco::ui
