// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <optional>

#include "engine/run/forecast.h"
#include "engine/run/run_config.h"

namespace disco::ui {

/// What the engine's own checks say about a draft, and what it would need.
struct CheckedConfig {
  Json overlay;
  RunConfig config;
  Problems problems;
  Forecast forecast;
  std::optional<int> batch_that_fits;  ///< set when the forecast does not fit and a smaller batch would
  std::int64_t bytes_of_batch_that_fits = 0;
};

/// load_config, validate and the forecast for one document. Any thread.
[[nodiscard]] CheckedConfig check_config(const Json& overlay);

/// Checks the newest document 250 ms after the last change, on a thread of its own.
class FormCheck : public QObject {
  Q_OBJECT

 public:
  explicit FormCheck(QObject* parent = nullptr);
  ~FormCheck() override;
  /// Asks for a check; a newer question replaces one that waits.
  void ask(const Json& overlay);
  /// Whether an answer is still to come.
  [[nodiscard]] bool pending() const { return answered_ != asked_; }
  /// Checks at once what waits, on this thread: for Start, which must not run ahead of the check.
  void finish();

 Q_SIGNALS:
  void checked(const CheckedConfig& result);

 private:
  void start();
  void take(int question, const CheckedConfig& result);

  QTimer delay_;
  QThreadPool worker_;
  Json overlay_;
  int asked_ = 0;
  int answered_ = 0;
};

}  // namespace disco::ui
