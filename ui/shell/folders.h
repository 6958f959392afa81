// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QMimeData;

namespace disco::ui {

/// Opens a folder in the file manager, with the file or folder selected where the desktop can do that.
void show_in_folder(const QString& path);

/// Whether pasted or dropped data hold a picture or the path of a local file.
[[nodiscard]] bool holds_picture(const QMimeData* data);
/// A local file with that picture; a picture without a file is stored in the cache first. Empty when there is none.
[[nodiscard]] QString picture_of(const QMimeData* data);

}  // namespace disco::ui
