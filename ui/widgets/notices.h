// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QObject>
#include <QString>
#include <functional>
#include <vector>

#include "ui/widgets/banner.h"

namespace disco::ui {

/// One thing the window tells the person. One line, at most one action.
struct Notice {
  Severity severity = Severity::info;
  QString text;
  QString action;             ///< words of the button; empty: none
  std::function<void()> act;  ///< runs on the GUI thread; stays usable from the list of notices
  QString details;            ///< raw text behind [Details] in the list
};

/// All notices since start. The stack on screen and the list in the strip are views of it. GUI thread.
class Notices : public QObject {
  Q_OBJECT

 public:
  struct Entry {
    Notice notice;
    QDateTime first;
    QDateTime last;
    int times = 1;
    int id = 0;
  };

  using QObject::QObject;
  /// Equal text and action within the list count up the newest instead of adding one.
  void post(Notice notice);
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  /// Runs the action of an entry, if it has one.
  void act(int id);

 Q_SIGNALS:
  void posted(int id);

 private:
  std::vector<Entry> entries_;
  int next_id_ = 1;
};

}  // namespace disco::ui
