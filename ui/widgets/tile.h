// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

namespace disco::ui {

/// One figure of a page: label, a large number in equal digit cells, and a line of context below. 68 high.
class Tile : public QFrame {
  Q_OBJECT

 public:
  explicit Tile(const QString& label, QWidget* parent = nullptr);
  void set_label(const QString& label);
  /// `number` may carry its unit ("71.4 %"); "–" while there is none.
  void set_value(const QString& number, const QString& context);
  [[nodiscard]] QString number() const { return number_; }
  [[nodiscard]] QString context() const { return context_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString label_;
  QString number_;
  QString context_;
};

}  // namespace disco::ui
