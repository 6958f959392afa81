// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

namespace disco::ui {

/// A caption as the model reads it: its tokens as small boxes that flow over lines; what is cut is said at the end.
class TokenFlow : public QWidget {
  Q_OBJECT

 public:
  explicit TokenFlow(QWidget* parent = nullptr);
  void set_tokens(const QStringList& tokens, bool cut);
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  /// Places of the boxes for a width; returns the height. `places` may be null.
  int flow(int width, std::vector<QRect>* places) const;

  QStringList tokens_;
  bool cut_ = false;
};

}  // namespace disco::ui
