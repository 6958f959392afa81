// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/actions.h"

#include <QCoreApplication>
#include <QWidget>
#include <algorithm>

#include "ui/theme/icon.h"

namespace disco::ui {

Actions::Actions(QWidget* window) : QObject(window) {
  for (const ActionRow& row : action_table()) {
    auto* action = new QAction(tr(row.text), this);
    action->setObjectName(QString::fromLatin1(row.id));
    if (*row.icon != '\0') action->setIcon(icon(row.icon));
    action->setIconVisibleInMenu(false);
    action->setEnabled(false);
    const QString shortcuts = QString::fromLatin1(row.shortcut);
    if (!shortcuts.isEmpty()) action->setShortcuts(QKeySequence::listFromString(shortcuts));
    connect(action, &QAction::triggered, this, [this, id = std::string(row.id)] { trigger(id); });
    window->addAction(action);
    slots_.emplace(row.id, Slot{action, {}, true});
    order_.push_back(action);
  }
}

QAction* Actions::action(const char* id) const {
  const auto found = slots_.find(id);
  Q_ASSERT_X(found != slots_.end(), "Actions", id);
  return found->second.action;
}

QString Actions::id_of(const QAction* action) { return action->objectName(); }

void Actions::handle(const char* id, QObject* owner, std::function<void()> run) {
  const auto found = slots_.find(id);
  Q_ASSERT_X(found != slots_.end(), "Actions", id);
  found->second.handlers.push_back({owner, std::move(run), true});
  refresh(found->second);
  connect(owner, &QObject::destroyed, this, &Actions::forget, Qt::UniqueConnection);
}

void Actions::set_active(QObject* owner, bool active) {
  for (auto& [id, slot] : slots_) {
    for (Handler& handler : slot.handlers)
      if (handler.owner == owner) handler.active = active;
    refresh(slot);
  }
}

void Actions::set_available(const char* id, bool available) {
  const auto found = slots_.find(id);
  Q_ASSERT_X(found != slots_.end(), "Actions", id);
  found->second.available = available;
  refresh(found->second);
}

void Actions::trigger(const std::string& id) {
  const std::vector<Handler>& handlers = slots_.find(id)->second.handlers;
  const auto newest =
      std::find_if(handlers.rbegin(), handlers.rend(), [](const Handler& handler) { return handler.active; });
  if (newest == handlers.rend()) return;
  const std::function<void()> run = newest->run;  // it may add or remove handlers
  run();
}

void Actions::refresh(Slot& slot) {
  const bool handled =
      std::any_of(slot.handlers.begin(), slot.handlers.end(), [](const Handler& handler) { return handler.active; });
  slot.action->setEnabled(handled && slot.available);
}

void Actions::forget(QObject* owner) {
  for (auto& [id, slot] : slots_) {
    std::erase_if(slot.handlers, [owner](const Handler& handler) { return handler.owner == owner; });
    refresh(slot);
  }
}

}  // namespace disco::ui
