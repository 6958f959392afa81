// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include "engine/run/settings.h"

namespace disco::ui {

/// The control of one setting. Shows what it is given and says what a person makes of it; it holds no truth of its own.
/// Text that is no number is given on as it was typed, so that the check can say what is wrong with it.
class FieldEditor : public QWidget {
  Q_OBJECT

 public:
  using QWidget::QWidget;
  /// Shows a value without saying edited(). Text that reads as this value already stays as it was typed.
  virtual void show_value(const Json& value) = 0;
  /// The widget that takes the focus, the frame of a problem and the accessible name.
  [[nodiscard]] virtual QWidget* control() const = 0;
  /// Whether [Browse…] of a path asks for a file instead of a folder; others ignore it.
  virtual void set_picks_file(bool /*file*/) {}

 Q_SIGNALS:
  void edited(const Json& value);
};

/// The control that suits a setting: check box, choice, number, path or text. The wheel changes none of them unless it
/// has the focus.
[[nodiscard]] FieldEditor* make_editor(const Setting& setting, QWidget* parent);

/// One field for all ways to end a run: "8 min", "500 steps", "10 epochs", "20000 pictures". Its value is the object of
/// all budget settings, of which one is not 0.
[[nodiscard]] FieldEditor* make_budget_editor(QWidget* parent);

/// The text a number is shown as: "0.001", "256"; text stays as it is.
[[nodiscard]] QString text_of_value(const Json& value);
/// What a person's text means for a number with this unit ("s", "min", "MiB" … or empty). Whole numbers stay whole;
/// text that is no number is returned as text.
[[nodiscard]] Json number_from_text(const QString& text, const std::string& unit);
/// The next number up or down for an arrow key: one in the second digit, whole for whole numbers.
[[nodiscard]] double stepped(double value, int direction, bool whole);
/// "8 min" for the budget object; "" when nothing is set. Several ways at once are joined with " + ".
[[nodiscard]] QString budget_text(const Json& budget);
/// The budget object for a person's text; text that is none is returned as text.
[[nodiscard]] Json budget_from_text(const QString& text);

}  // namespace disco::ui
