// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSettings>
#include <QString>
#include <QTimer>
#include <QVariant>
#include <memory>

namespace disco::ui {

/// A setting of the program: its key is written once, next to its default.
template <class T>
struct SettingKey {
  const char* name;
  T fallback;
};

namespace keys {
inline constexpr SettingKey<int> theme_mode{"appearance/theme", 0};  ///< Theme::Mode
inline constexpr SettingKey<int> text_percent{"appearance/text_percent", 100};
inline constexpr SettingKey<bool> less_motion{"appearance/less_motion", false};
inline const SettingKey<QString> workspace{"workspace/folder", {}};     ///< empty: ~/DisCo runs
inline const SettingKey<QString> engine_program{"engine/program", {}};  ///< empty: found by itself
inline constexpr SettingKey<int> serve_threads{"engine/serve_threads", 1};
inline constexpr SettingKey<bool> notify_ends{"notifications/run_ends", true};
inline constexpr SettingKey<bool> close_explained{"window/close_explained", false};
inline constexpr SettingKey<double> smoothing{"plots/smoothing", 0.9};
inline const SettingKey<QString> current_run{"window/current_run", {}};
}  // namespace keys

/// Settings and view state of the program, on disk within a second of a change so that they survive a kill. GUI thread.
class Settings : public QObject {
  Q_OBJECT

 public:
  /// The person's own file, or `file` (an INI file) for tests and screenshots.
  explicit Settings(const QString& file = {}, QObject* parent = nullptr);
  ~Settings() override;

  template <class T>
  [[nodiscard]] T get(const SettingKey<T>& key) const {
    return value(QString::fromLatin1(key.name), QVariant::fromValue(key.fallback)).template value<T>();
  }
  template <class T>
  void set(const SettingKey<T>& key, const T& value) {
    set_value(QString::fromLatin1(key.name), QVariant::fromValue(value));
  }
  template <class T>
  void restore(const SettingKey<T>& key) {
    set(key, key.fallback);
  }

  /// View state of a page ("live/x_axis"); any QVariant that QSettings can store.
  [[nodiscard]] QVariant view(const QString& key, const QVariant& fallback = {}) const;
  void set_view(const QString& key, const QVariant& value);

 Q_SIGNALS:
  /// A setting (not view state) has another value; the name as in its key.
  void changed(const QString& name);

 private:
  [[nodiscard]] QVariant value(const QString& name, const QVariant& fallback) const;
  void set_value(const QString& name, const QVariant& value);

  std::unique_ptr<QSettings> store_;
  QTimer write_timer_;
};

}  // namespace disco::ui
