// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/theme/tokens.h"

class QPainter;

namespace disco::ui {

/// Width of `text` when every digit takes the widest digit's cell.
[[nodiscard]] int digit_width(const QFont& font, const QString& text);
/// Draws `text` in one line, vertically centred, digits in equal cells, so that a live number does not wobble.
void paint_digits(QPainter& painter, const QRect& area, const QString& text, Qt::Alignment alignment);

/// A live number or sentence. Selectable by no one, read by screen readers.
class DigitLabel : public QWidget {
  Q_OBJECT

 public:
  explicit DigitLabel(FontRole role = FontRole::body, Token ink = Token::text, QWidget* parent = nullptr);
  void set_text(const QString& text);
  [[nodiscard]] const QString& text() const { return text_; }
  void set_ink(Token ink);
  void set_alignment(Qt::Alignment alignment);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString text_;
  FontRole role_;
  Token ink_;
  Qt::Alignment alignment_ = Qt::AlignLeft | Qt::AlignVCenter;
};

}  // namespace disco::ui
