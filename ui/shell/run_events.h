// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <memory>

#include "engine/run/run_status.h"
#include "ui/shell/page.h"

namespace disco::ui {

struct WorkspaceSnapshot;

/// Tells the person when a run of the workspace ends or fails: a notice, a desktop notification while the window is not
/// in front, a dot on Runs. What a person stopped is no failure.
class RunEvents : public QObject {
  Q_OBJECT

 public:
  RunEvents(PageContext& context, QWidget* window);

 Q_SIGNALS:
  /// A run failed, died or diverged and nobody has looked at Runs since.
  void something_failed();

 private:
  void look(const std::shared_ptr<const WorkspaceSnapshot>& snapshot);
  void tell(const RunStatus& run);

  PageContext& context_;
  QWidget* window_;
  QHash<QString, ShownState> states_;
};

}  // namespace disco::ui
