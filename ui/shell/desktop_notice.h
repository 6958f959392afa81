// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace disco::ui {

/// Asks the desktop to show a notification (org.freedesktop.Notifications), without waiting. Nothing happens where
/// there is no such service.
void show_desktop_notice(const QString& title, const QString& text);

}  // namespace disco::ui
