// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace disco::ui {

class Theme;

/// The one style sheet of the program, for containers and text by their `role` property; controls are drawn by the
/// style.
[[nodiscard]] QString make_sheet(const Theme& theme);

}  // namespace disco::ui
