// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "ui/live/columns.h"
#include "ui/theme/qcustomplot.h"

namespace disco::ui {

struct AxisLabel {
  double at = 0;
  QString text;
};

/// At most five labels of round values in [low, high], short enough for the gutter ("0.25", "12k", "1e-3"). Bounded for
/// every range: empty, reversed, not finite, or narrower than doubles can divide. Labels are at least `least` apart: 1
/// for what is counted.
[[nodiscard]] std::vector<AxisLabel> linear_labels(double low, double high, double least = 0);
/// Powers of ten in [low, high], at most five; 1-2-5 steps where the range holds less than two powers.
[[nodiscard]] std::vector<AxisLabel> log_labels(double low, double high);
/// Durations for the relative axis ("30 s", "5 min", "2 h") and clock times or dates for the wall axis.
[[nodiscard]] std::vector<AxisLabel> duration_labels(double low, double high);
[[nodiscard]] std::vector<AxisLabel> wall_labels(double low, double high);

/// Gives a QCustomPlot axis these labels. `unit` is what a drawn 1 stands for.
class ShortTicker : public QCPAxisTicker {
 public:
  enum class Kind { linear, count, log, duration, wall };
  void set_kind(Kind kind) { kind_ = kind; }
  void set_unit(double unit) { unit_ = unit; }
  void generate(const QCPRange& range, const QLocale& locale, QChar format, int precision, QVector<double>& ticks,
                QVector<double>* sub_ticks, QVector<QString>* labels) override;

 private:
  Kind kind_ = Kind::linear;
  double unit_ = 1;
};

/// The kind of labels an x axis has.
[[nodiscard]] ShortTicker::Kind kind_of(XAxis axis);
/// An x value in words: "step 1,240", "79,360 pictures", "4 min 36 s", "14:02:11".
[[nodiscard]] QString x_words(XAxis axis, double x);

}  // namespace disco::ui
