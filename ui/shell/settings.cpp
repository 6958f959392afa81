// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/settings.h"

namespace disco::ui {
namespace {

constexpr int write_delay = 400;
const QLatin1String view_group("view/");

}  // namespace

Settings::Settings(const QString& file, QObject* parent)
    : QObject(parent),
      store_(file.isEmpty()
                 ? std::make_unique<QSettings>(QStringLiteral("disco-studio"), QStringLiteral("disco-studio"))
                 : std::make_unique<QSettings>(file, QSettings::IniFormat)) {
  write_timer_.setSingleShot(true);
  write_timer_.setInterval(write_delay);
  connect(&write_timer_, &QTimer::timeout, this, [this] { store_->sync(); });
}

Settings::~Settings() { store_->sync(); }

QVariant Settings::view(const QString& key, const QVariant& fallback) const {
  return store_->value(view_group + key, fallback);
}

void Settings::set_view(const QString& key, const QVariant& value) {
  if (store_->value(view_group + key) == value) return;
  store_->setValue(view_group + key, value);
  // Not restarted while running: a slider that is dragged for a minute is still saved twice a second.
  if (!write_timer_.isActive()) write_timer_.start();
}

QVariant Settings::value(const QString& name, const QVariant& fallback) const { return store_->value(name, fallback); }

void Settings::set_value(const QString& name, const QVariant& value) {
  if (store_->contains(name) && store_->value(name) == value) return;
  store_->setValue(name, value);
  if (!write_timer_.isActive()) write_timer_.start();
  Q_EMIT changed(name);
}

}  // namespace disco::ui
