// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/theme/tokens.h"

class QPainter;

namespace disco::ui {

/// Draws a round-ended bar on its track, vertically centred in `area`, `thickness` high. `share` is clamped to 0…1.
void paint_meter(QPainter& painter, const QRect& area, double share, const QColor& ink, int thickness = 6);

/// A bar that shows a share. Announces its value to screen readers as a progress bar's text.
class Meter : public QWidget {
  Q_OBJECT

 public:
  explicit Meter(QWidget* parent = nullptr);
  /// A negative share shows the track alone (unknown).
  void set_share(double share);
  [[nodiscard]] double share() const { return share_; }
  void set_ink(Token ink);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  double share_ = -1;
  Token ink_ = Token::meter;
};

}  // namespace disco::ui
