// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/trash.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <filesystem>

namespace disco::ui {

namespace fs = std::filesystem;

Result<TrashedFolder> move_to_workspace_trash(const QString& folder) {
  const QFileInfo info(folder);
  const QDir workspace(info.absolutePath());
  const QString trash = workspace.filePath(QStringLiteral(".trash"));
  if (!workspace.mkpath(trash))
    return failure("The trash folder cannot be made", trash.toStdString(), "Make the workspace writable");
  QString target = trash + QLatin1Char('/') + info.fileName();
  for (int number = 2; QFileInfo::exists(target); ++number)
    target = QStringLiteral("%1/%2.%3").arg(trash, info.fileName()).arg(number);
  std::error_code code;
  fs::rename(info.absoluteFilePath().toStdString(), target.toStdString(), code);
  if (code)
    return failure("The folder cannot be moved: " + code.message(), info.absoluteFilePath().toStdString(),
                   "Make the workspace writable");
  return TrashedFolder{info.absoluteFilePath(), target, true};
}

Result<TrashedFolder> move_to_trash(const QString& folder) {
  TrashedFolder trashed{QFileInfo(folder).absoluteFilePath(), {}, false};
  if (QFile::moveToTrash(trashed.original, &trashed.in_trash) && !trashed.in_trash.isEmpty()) return trashed;
  return move_to_workspace_trash(folder);
}

Result<void> restore_from_trash(const TrashedFolder& trashed) {
  if (QFileInfo::exists(trashed.original))
    return failure("Something else lies in the old place now", trashed.original.toStdString(),
                   "The run stays in " + trashed.in_trash.toStdString());
  std::error_code code;
  fs::rename(trashed.in_trash.toStdString(), trashed.original.toStdString(), code);
  if (code)
    return failure("The run cannot be moved back: " + code.message(), trashed.in_trash.toStdString(),
                   "Move it by hand to " + trashed.original.toStdString());
  // The desktop's trash keeps a note beside each thing in it.
  const QFileInfo in_trash(trashed.in_trash);
  if (!trashed.in_workspace)
    QFile::remove(in_trash.absolutePath() + QStringLiteral("/../info/") + in_trash.fileName() +
                  QStringLiteral(".trashinfo"));
  return {};
}

}  // namespace disco::ui
