// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/screenshot.h"

#include <QCoreApplication>
#include <QPixmap>
#include <cstdio>
#include <utility>

#include "ui/shell/main_window.h"
#include "ui/shell/services.h"

namespace disco::ui {
namespace {

constexpr int look_interval = 50;
constexpr int quiet_time = 400;  // ms of being settled, for queued replots and thumbnails
constexpr int patience = 60000;  // ms; then the picture is taken as it is, and the exit code says so
constexpr int exit_unknown = 2;  // no such page, tab or state, or the file cannot be written
constexpr int exit_unsettled = 3;

void complain(const QString& sentence) { std::fprintf(stderr, "disco-studio: %s\n", qPrintable(sentence)); }

}  // namespace

Screenshot::Screenshot(MainWindow& window, Services& services, ScreenshotOrder order)
    : QObject(&window), window_(window), services_(services), order_(std::move(order)) {
  window_.resize(order_.size);
  clock_.start();
  timer_.setInterval(look_interval);
  connect(&timer_, &QTimer::timeout, this, &Screenshot::look);
  QTimer::singleShot(0, this, &Screenshot::begin);
}

void Screenshot::begin() {
  if (!window_.show_page(order_.page)) {
    complain(QStringLiteral("there is no page called %1").arg(order_.page));
    QCoreApplication::exit(exit_unknown);
    return;
  }
  timer_.start();
}

bool Screenshot::settled() const {
  const auto& run = services_.run.snapshot();
  const bool run_read =
      services_.state.current_run().isEmpty() || (run && run->progress.caught_up) || (run && run->problem.has_value());
  return run_read && services_.workspace.snapshot()->complete && window_.current_page()->settled();
}

void Screenshot::look() {
  if (clock_.elapsed() > patience) {
    take();
    complain(QStringLiteral("%1 was not ready after %2 s").arg(order_.page).arg(patience / 1000));
    QCoreApplication::exit(exit_unsettled);
    return;
  }
  if (!settled()) {
    settled_since_ = -1;
    return;
  }
  if (settled_since_ < 0) {
    settled_since_ = clock_.elapsed();
    if (std::exchange(prepared_, true)) return;  // what a state sets off may unsettle the page again
    // Tabs and states are shown once there is something to show them of.
    if (!order_.tab.isEmpty() && !window_.current_page()->show_tab(order_.tab)) {
      complain(QStringLiteral("%1 has no tab called %2").arg(order_.page, order_.tab));
      QCoreApplication::exit(exit_unknown);
    } else if (!order_.state.isEmpty() && !window_.current_page()->show_state(order_.state)) {
      complain(QStringLiteral("%1 has no state called %2").arg(order_.page, order_.state));
      QCoreApplication::exit(exit_unknown);
    }
    return;
  }
  if (clock_.elapsed() - settled_since_ < quiet_time) return;
  take();
  QCoreApplication::exit(0);
}

void Screenshot::take() {
  timer_.stop();
  if (window_.grab().save(order_.file)) return;
  complain(QStringLiteral("%1 cannot be written").arg(order_.file));
  QCoreApplication::exit(exit_unknown);
}

}  // namespace disco::ui
