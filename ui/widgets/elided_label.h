// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>

#include "ui/theme/tokens.h"

namespace disco::ui {

/// One line of text that is shortened to fit; the tooltip then shows it whole. Paths lose their middle.
class ElidedLabel : public QWidget {
  Q_OBJECT

 public:
  explicit ElidedLabel(Qt::TextElideMode mode = Qt::ElideRight, QWidget* parent = nullptr);
  void set_text(const QString& text);
  [[nodiscard]] const QString& text() const { return text_; }
  void set_look(FontRole role, Token ink);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void update_tip();

  QString text_;
  Qt::TextElideMode mode_;
  FontRole role_ = FontRole::body;
  Token ink_ = Token::text;
};

}  // namespace disco::ui
