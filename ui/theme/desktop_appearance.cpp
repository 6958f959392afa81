// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/desktop_appearance.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

namespace disco::ui {
namespace {

constexpr QLatin1String service("org.freedesktop.portal.Desktop");
constexpr QLatin1String object("/org/freedesktop/portal/desktop");
constexpr QLatin1String interface("org.freedesktop.portal.Settings");
constexpr QLatin1String appearance("org.freedesktop.appearance");
constexpr QLatin1String color_scheme("color-scheme");
constexpr QLatin1String gnome("org.gnome.desktop.interface");
constexpr QLatin1String enable_animations("enable-animations");

// The portal answers Read with a variant inside a variant, and the signal with a single one.
QVariant unwrapped(QVariant value) {
  while (value.canConvert<QDBusVariant>()) value = value.value<QDBusVariant>().variant();
  return value;
}

}  // namespace

DesktopAppearance::DesktopAppearance(QObject* parent) : QObject(parent) {
  // Without this variable Qt would start a session bus of its own, and wait for it.
  if (qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS")) return;
  QDBusConnection bus = QDBusConnection::sessionBus();
  if (!bus.isConnected()) return;
  bus.connect(service, object, interface, QStringLiteral("SettingChanged"), this,
              SLOT(take(QString, QString, QDBusVariant)));
  ask(appearance, color_scheme);
  ask(gnome, enable_animations);
}

void DesktopAppearance::ask(const QString& group, const QString& key) {
  QDBusMessage call = QDBusMessage::createMethodCall(service, object, interface, QStringLiteral("Read"));
  call.setArguments({group, key});
  auto* watcher = new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(call), this);
  connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, group, key](QDBusPendingCallWatcher* done) {
    const QDBusPendingReply<QDBusVariant> reply = *done;
    if (!reply.isError()) take(group, key, reply.value());
    done->deleteLater();
  });
}

void DesktopAppearance::take(const QString& group, const QString& key, const QDBusVariant& value) {
  const QVariant plain = unwrapped(QVariant::fromValue(value));
  if (group == appearance && key == color_scheme) {
    const uint preference = plain.toUInt();  // 0 none, 1 dark, 2 light
    dark_ = preference == 1 ? std::optional(true) : preference == 2 ? std::optional(false) : std::nullopt;
  } else if (group == gnome && key == enable_animations) {
    animations_ = plain.toBool();
  } else {
    return;
  }
  Q_EMIT changed();
}

}  // namespace disco::ui
