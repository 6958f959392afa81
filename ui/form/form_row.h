// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <string>

#include "engine/run/settings.h"

class QLabel;
class QToolButton;

namespace disco::ui {

class FieldEditor;

/// One setting of the form: a dot when it differs from the preset, label, control, and below it its help, which turns
/// into the problem while there is one.
class FormRow : public QWidget {
  Q_OBJECT

 public:
  FormRow(const Setting& setting, FieldEditor* (*make)(const Setting&, QWidget*), QWidget* parent);

  [[nodiscard]] const Setting& setting() const { return setting_; }
  [[nodiscard]] const std::string& path() const { return setting_.path; }
  [[nodiscard]] FieldEditor* editor() const { return editor_; }
  [[nodiscard]] const QString& problem() const { return problem_; }
  [[nodiscard]] QString help_text() const;

  void show_value(const Json& value);
  /// `back` is the preset's value in words, for the tooltip of the dot.
  void set_changed(bool changed, const QString& back);
  [[nodiscard]] bool is_changed() const { return changed_; }
  /// Shows `problem` instead of the help; `cure` names the value that [Use] would set, empty = no [Use].
  void set_problem(const QString& problem, const QString& cure);
  /// A line that depends on other values ("255 negatives for each picture"), put before the help.
  void set_note(const QString& note);
  /// Whether every word of `words` occurs in the label, path or help.
  [[nodiscard]] bool matches(const QStringList& words) const;
  void take_focus();

 Q_SIGNALS:
  void edited(const Json& value);
  void back_clicked();
  void cure_clicked();

 private:
  void show_help();

  Setting setting_;
  QToolButton* dot_;
  FieldEditor* editor_;
  QLabel* help_;
  QString problem_;
  QString note_;
  bool changed_ = false;
};

}  // namespace disco::ui
