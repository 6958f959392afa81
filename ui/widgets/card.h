// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace disco::ui {

/// A panel with a 1 px edge, round corners and no shadow. With a title it has a head line with room for tools.
class Card : public QFrame {
  Q_OBJECT

 public:
  explicit Card(const QString& title = {}, QWidget* parent = nullptr);
  void set_title(const QString& title);
  /// Where the content goes: below the head, margins already set.
  [[nodiscard]] QVBoxLayout* body() const { return body_; }
  /// Right end of the head line.
  [[nodiscard]] QHBoxLayout* tools() const { return tools_; }

 private:
  QLabel* title_;
  QHBoxLayout* tools_;
  QVBoxLayout* body_;
};

}  // namespace disco::ui
