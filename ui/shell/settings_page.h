// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/page.h"

class QScrollArea;

namespace disco::ui {

/// Settings of the program, in one column, applied at once, each group with its [Restore].
class SettingsPage : public Page {
  Q_OBJECT

 public:
  explicit SettingsPage(PageContext& context);

  /// Groups are reached like tabs: "appearance", "workspace", "engine", "notifications", "plots", "about".
  [[nodiscard]] QStringList tabs() const override;
  bool show_tab(const QString& id) override;
  [[nodiscard]] QString current_tab() const override { return group_; }

 private:
  QWidget* appearance();
  QWidget* workspace();
  QWidget* engine();
  QWidget* notifications();
  QWidget* plots();
  QWidget* about();

  PageContext& context_;
  QScrollArea* scroll_;
  QString group_;
};

[[nodiscard]] Page* make_settings_page(PageContext& context);

/// Ids and titles of the groups, for the command palette.
[[nodiscard]] QList<QPair<QString, QString>> settings_groups();

/// Puts the stored appearance into effect.
void apply_appearance(const Settings& settings);

/// Asks for another workspace folder; an unwritable one is refused with a notice.
void choose_workspace(PageContext& context, QWidget* window);

}  // namespace disco::ui
