// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "engine/base/error.h"

namespace disco::ui {

/// Where a trashed folder went, to bring it back.
struct TrashedFolder {
  QString original;
  QString in_trash;
  bool in_workspace = false;  ///< the desktop has no trash here: it lies in workspace/.trash
};

/// Moves a folder into the desktop's trash, or into `.trash` beside it where there is none. Any thread.
[[nodiscard]] Result<TrashedFolder> move_to_trash(const QString& folder);

/// Moves a folder into `.trash` beside it; what move_to_trash does without a desktop's trash.
[[nodiscard]] Result<TrashedFolder> move_to_workspace_trash(const QString& folder);

/// Brings it back. Refuses when something lies in its old place meanwhile.
[[nodiscard]] Result<void> restore_from_trash(const TrashedFolder& trashed);

}  // namespace disco::ui
