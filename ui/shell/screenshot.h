// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QSize>
#include <QString>
#include <QTimer>

namespace disco::ui {

class MainWindow;
class Services;

/// What `disco-studio --screenshot` was asked for.
struct ScreenshotOrder {
  QString page;
  QString file;
  QString tab;
  QString state;  ///< "", "empty", "loading" or "error"
  QSize size{1280, 800};
};

/// Shows a page, waits until everything on it is drawn, writes the PNG and ends the program.
class Screenshot : public QObject {
  Q_OBJECT

 public:
  Screenshot(MainWindow& window, Services& services, ScreenshotOrder order);

 private:
  void begin();
  void look();
  [[nodiscard]] bool settled() const;
  void take();

  MainWindow& window_;
  Services& services_;
  ScreenshotOrder order_;
  QTimer timer_;
  QElapsedTimer clock_;
  qint64 settled_since_ = -1;
  bool prepared_ = false;  ///< tab and state were shown
};

}  // namespace disco::ui
