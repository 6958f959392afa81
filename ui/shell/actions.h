// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QObject>
#include <QString>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

class QWidget;

namespace disco::ui {

/// Where an action is listed. Every action is in the command palette and the sheet of shortcuts.
enum class ActionPlace : std::uint8_t { file, run, view, help, page };

/// One row of the action table.
struct ActionRow {
  const char* id;
  const char* text;      ///< for tr(), with its mnemonic
  const char* shortcut;  ///< portable text, several separated by "; "; "" = none
  const char* icon;      ///< "" = none
  ActionPlace place;
  bool group_ends = false;  ///< a separator follows in the menu
};

/// The one table: menus, command palette, shortcut sheet and context menus are made from it.
[[nodiscard]] std::span<const ActionRow> action_table();

/// QActions of the table. An action is enabled while someone handles it: the shell for good, a page while it is shown.
class Actions : public QObject {
  Q_OBJECT

 public:
  explicit Actions(QWidget* window);

  /// The QAction of a row; an unknown id asserts.
  [[nodiscard]] QAction* action(const char* id) const;
  [[nodiscard]] const std::vector<QAction*>& all() const { return order_; }
  [[nodiscard]] static QString id_of(const QAction* action);

  /// Handles an action for as long as `owner` lives. The newest handler that is active gets it.
  void handle(const char* id, QObject* owner, std::function<void()> run);
  /// Handlers of this owner get actions (true) or do not (false). Pages are switched by the shell.
  void set_active(QObject* owner, bool active);
  /// Greys an action although it is handled, e.g. Pause without a live run.
  void set_available(const char* id, bool available);

 private:
  struct Handler {
    QObject* owner;
    std::function<void()> run;
    bool active = true;
  };
  struct Slot {
    QAction* action = nullptr;
    std::vector<Handler> handlers;
    bool available = true;
  };
  void trigger(const std::string& id);
  void refresh(Slot& slot);
  void forget(QObject* owner);

  std::map<std::string, Slot, std::less<>> slots_;
  std::vector<QAction*> order_;
};

}  // namespace disco::ui
