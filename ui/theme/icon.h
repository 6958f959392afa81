// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QPixmap>
#include <QString>

#include "ui/theme/tokens.h"

namespace disco::ui {

/// A line icon of resources/icons/ui, drawn in the theme's colours at any size and device ratio. It follows a change of
/// the theme by itself. Unknown names assert in debug builds and draw nothing.
/// Normal: text2, or `ink`; active and selected: text; checked ("On"): link; disabled: text3 at half strength.
[[nodiscard]] QIcon icon(const char* name);
[[nodiscard]] QIcon icon(const char* name, Token ink);

/// One pixmap of an icon in one colour, for painting code. Cached.
[[nodiscard]] QPixmap icon_pixmap(const QString& name, const QColor& ink, int logical_size, qreal device_ratio);

}  // namespace disco::ui
