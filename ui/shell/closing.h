// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/page.h"

namespace disco::ui {

/// Whether the window may close. With live runs it explains, the first time only, that training goes on, and offers to
/// stop and save them.
[[nodiscard]] bool may_close(PageContext& context, QWidget* window);

}  // namespace disco::ui
