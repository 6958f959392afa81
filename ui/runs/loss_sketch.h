// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <filesystem>
#include <vector>

namespace disco::ui {

/// A step of a run and its loss.
struct LossPoint {
  double step = 0;
  double loss = 0;
};

/// About `points` losses spread evenly over an event file, read at as many places of it, so that a file of any size
/// takes milliseconds. Ascending by step; not finite ones are left out. Any thread.
[[nodiscard]] std::vector<LossPoint> sketch_losses(const std::filesystem::path& events, int points);

/// A small curve of the loss without axes.
class LossSketch : public QWidget {
  Q_OBJECT

 public:
  explicit LossSketch(QWidget* parent = nullptr);
  void set_points(std::vector<LossPoint> points);
  [[nodiscard]] QSize sizeHint() const override { return {160, 36}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<LossPoint> points_;
};

}  // namespace disco::ui
