// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/form_check.h"

namespace disco::ui {

namespace {
constexpr int typing_pause_milliseconds = 250;
}

CheckedConfig check_config(const Json& overlay) {
  CheckedConfig result;
  result.overlay = overlay;
  LoadedConfig loaded = load_config(overlay);
  result.config = loaded.config;
  result.problems = std::move(loaded.problems);
  // A forecast of sizes that do not fit together means nothing.
  if (!result.problems.empty()) return result;
  result.forecast = forecast(result.config);
  if (result.forecast.available > 0 && result.forecast.total > result.forecast.available) {
    result.batch_that_fits = largest_batch_that_fits(result.config, result.forecast.available);
    if (result.batch_that_fits) {
      RunConfig smaller = result.config;
      smaller.batch.size = *result.batch_that_fits;
      result.bytes_of_batch_that_fits = forecast(smaller).total;
    }
  }
  return result;
}

FormCheck::FormCheck(QObject* parent) : QObject(parent) {
  worker_.setMaxThreadCount(1);
  delay_.setSingleShot(true);
  delay_.setInterval(typing_pause_milliseconds);
  connect(&delay_, &QTimer::timeout, this, &FormCheck::start);
}

FormCheck::~FormCheck() { worker_.waitForDone(); }

void FormCheck::ask(const Json& overlay) {
  overlay_ = overlay;
  ++asked_;
  delay_.start();
}

void FormCheck::start() {
  worker_.start([this, question = asked_, overlay = overlay_] {
    const CheckedConfig result = check_config(overlay);
    QMetaObject::invokeMethod(this, [this, question, result] { take(question, result); });
  });
}

void FormCheck::finish() {
  if (!pending()) return;
  delay_.stop();
  take(asked_, check_config(overlay_));
}

void FormCheck::take(int question, const CheckedConfig& result) {
  if (question != asked_ || question == answered_) return;
  answered_ = question;
  Q_EMIT checked(result);
}

}  // namespace disco::ui
