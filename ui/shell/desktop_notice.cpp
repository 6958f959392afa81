// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/desktop_notice.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCall>
#include <QVariantMap>

namespace disco::ui {

void show_desktop_notice(const QString& title, const QString& text) {
  // Without this variable Qt would start a session bus of its own, and wait for it.
  if (qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS")) return;
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return;
  QDBusMessage call = QDBusMessage::createMethodCall(
      QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("/org/freedesktop/Notifications"),
      QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
  constexpr uint replaces_none = 0;
  constexpr int desktop_decides_time = -1;
  call.setArguments({QStringLiteral("DisCo Studio"), replaces_none, QStringLiteral("disco-studio"), title, text,
                     QStringList(), QVariantMap(), desktop_decides_time});
  bus.asyncCall(call);
}

}  // namespace disco::ui
