// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDBusVariant>
#include <QObject>
#include <optional>

namespace disco::ui {

/// What the desktop says about dark colours and motion, asked from the settings portal without waiting. Both are empty
/// where there is no portal, no session bus or no preference.
class DesktopAppearance : public QObject {
  Q_OBJECT

 public:
  explicit DesktopAppearance(QObject* parent = nullptr);
  [[nodiscard]] std::optional<bool> dark() const { return dark_; }
  [[nodiscard]] std::optional<bool> animations() const { return animations_; }

 Q_SIGNALS:
  void changed();

 private Q_SLOTS:
  void take(const QString& group, const QString& key, const QDBusVariant& value);

 private:
  void ask(const QString& group, const QString& key);

  std::optional<bool> dark_;
  std::optional<bool> animations_;
};

}  // namespace disco::ui
