// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QWidget>
#include <vector>

namespace disco::ui {

/// Probabilities of one picture's candidates over training: a line each, the step that is looked at as a hairline. A
/// click chooses the nearest stop.
class ProbabilityChart : public QWidget {
  Q_OBJECT

 public:
  struct Line {
    QColor colour;
    bool strong = false;
    std::vector<double> values;  ///< 0…1, one a stop; NaN = not asked then
  };

  explicit ProbabilityChart(QWidget* parent = nullptr);
  void set_lines(std::vector<double> steps, std::vector<Line> lines);
  void set_stop(int stop);
  [[nodiscard]] QSize sizeHint() const override { return {360, 160}; }

 Q_SIGNALS:
  void stop_clicked(int stop);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  [[nodiscard]] QRectF plot() const;
  [[nodiscard]] double x_of(std::size_t stop) const;

  std::vector<double> steps_;
  std::vector<Line> lines_;
  int stop_ = -1;
};

}  // namespace disco::ui
