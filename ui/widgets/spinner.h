// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QWidget>

namespace disco::ui {

/// A turning ring with words beside it ("Reading the first pictures…"). Invisible for the first 300 ms after start(),
/// so that quick work does not flash; keeps its place in the layout meanwhile.
class Spinner : public QWidget {
  Q_OBJECT

 public:
  explicit Spinner(QWidget* parent = nullptr);
  void start(const QString& words);
  /// As soon as a total is known the ring fills instead of turning.
  void set_progress(double share, const QString& words);
  void stop();
  [[nodiscard]] bool running() const { return running_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void timerEvent(QTimerEvent* event) override;

 private:
  QString words_;
  QElapsedTimer clock_;
  double share_ = -1;
  int timer_ = 0;
  bool running_ = false;
};

}  // namespace disco::ui
