// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/folders.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDateTime>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QMimeData>
#include <QStandardPaths>
#include <QUrl>

namespace disco::ui {
namespace {

QUrl folder_url(const QString& path) {
  return QUrl::fromLocalFile(QFileInfo(path).isDir() ? path : QFileInfo(path).absolutePath());
}

}  // namespace

void show_in_folder(const QString& path) {
  // Without this variable Qt would start a session bus of its own, and wait for it.
  if (qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS") || !QDBusConnection::sessionBus().isConnected()) {
    QDesktopServices::openUrl(folder_url(path));
    return;
  }
  QDBusMessage call = QDBusMessage::createMethodCall(
      QStringLiteral("org.freedesktop.FileManager1"), QStringLiteral("/org/freedesktop/FileManager1"),
      QStringLiteral("org.freedesktop.FileManager1"), QStringLiteral("ShowItems"));
  call.setArguments({QStringList(QUrl::fromLocalFile(path).toString()), QString()});
  auto* watcher = new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(call));
  QObject::connect(watcher, &QDBusPendingCallWatcher::finished, watcher, [watcher, path] {
    const QDBusPendingReply<> reply = *watcher;
    if (reply.isError()) QDesktopServices::openUrl(folder_url(path));
    watcher->deleteLater();
  });
}

bool holds_picture(const QMimeData* data) {
  if (data == nullptr) return false;
  if (data->hasImage()) return true;
  const QList<QUrl> urls = data->urls();
  return !urls.isEmpty() && urls.first().isLocalFile();
}

QString picture_of(const QMimeData* data) {
  if (data == nullptr) return {};
  for (const QUrl& url : data->urls())
    if (url.isLocalFile()) return url.toLocalFile();
  if (!data->hasImage()) return {};
  const QImage image = qvariant_cast<QImage>(data->imageData());
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + QStringLiteral("/pasted");
  if (image.isNull() || !QDir().mkpath(folder)) return {};
  const QString file = QStringLiteral("%1/pasted-%2.png").arg(folder).arg(QDateTime::currentMSecsSinceEpoch());
  return image.save(file) ? file : QString();
}

}  // namespace disco::ui
