// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace disco::ui {

/// "View held": says that new data does not move a chart, and lets it follow again. As high as the line it stands in.
class HeldChip : public QAbstractButton {
  Q_OBJECT

 public:
  explicit HeldChip(QWidget* parent = nullptr);
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace disco::ui
