// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPair>
#include <QString>

#include "ui/widgets/overlay.h"

class QLabel;
class QTableWidget;
class QVBoxLayout;

namespace disco::ui {

class Actions;
class Notices;

/// Ctrl+/: the shortcuts that do something now, from the action table, and the keys of the page.
class ShortcutSheet : public Overlay {
  Q_OBJECT

 public:
  ShortcutSheet(QWidget* window, const Actions& actions);
  /// `page_keys`: key and what it does, of the shown page.
  void open_sheet(const QString& page_title, const QList<QPair<QString, QString>>& page_keys);

 private:
  void add(const QString& keys, const QString& text);

  const Actions& actions_;
  QLabel* title_;
  QTableWidget* table_;
};

/// All notices since start, newest first, with their actions still usable.
class NoticeSheet : public Overlay {
  Q_OBJECT

 public:
  NoticeSheet(QWidget* window, Notices& notices);
  void open_sheet();

 private:
  Notices& notices_;
  QVBoxLayout* list_;
};

}  // namespace disco::ui
