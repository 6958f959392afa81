// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace disco::ui {

/// What an empty place says: what will be here, when, and how to get it. At most one button is primary.
class EmptyState : public QWidget {
  Q_OBJECT

 public:
  explicit EmptyState(QWidget* parent = nullptr);
  /// `icon_name` of ui/theme/icon.h, or empty.
  void set_content(const QString& icon_name, const QString& title, const QString& text);
  /// Buttons with empty words are hidden.
  void set_buttons(const QString& primary, const QString& secondary = {});
  [[nodiscard]] QPushButton* primary() const { return primary_; }
  [[nodiscard]] QPushButton* secondary() const { return secondary_; }

 Q_SIGNALS:
  void primary_clicked();
  void secondary_clicked();

 private:
  void fit_text();

  QLabel* picture_;
  QLabel* title_;
  QLabel* text_;
  QPushButton* primary_;
  QPushButton* secondary_;
};

}  // namespace disco::ui
