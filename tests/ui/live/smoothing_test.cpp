// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/smoothing.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace disco::ui;

namespace {

bool near(double a, double b, double tolerance = 1e-12) { return std::abs(a - b) <= tolerance * std::abs(b); }

}  // namespace

class SmoothingTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // w = 0.5 on 1, 2, 3: sums weighted 1; 1/2, 1; 1/4, 1/2, 1 over their weights.
  void average_has_no_bias_at_its_start() {
    Smoother smoother(0.5);
    QVERIFY(near(smoother.push(1), 1));
    QVERIFY(near(smoother.push(2), (0.5 * 1 + 2) / 1.5));
    QVERIFY(near(smoother.push(3), (0.25 * 1 + 0.5 * 2 + 3) / 1.75));
  }

  void long_series_equals_the_weighted_mean() {
    constexpr double weight = 0.9;
    Smoother smoother(weight);
    double shown = 0;
    double sum = 0;
    double weights = 0;
    for (int i = 0; i < 500; ++i) {
      const double value = std::sin(0.1 * i) + 2;
      shown = smoother.push(value);
      sum = sum * weight + value;
      weights = weights * weight + 1;
    }
    QVERIFY(near(shown, sum / weights));
  }

  void constants_stay_to_the_last_bit() {
    for (const double value : {0.1, 1e300, 1e-320, -7.25}) {
      Smoother smoother(0.97);
      for (int i = 0; i < 200; ++i) QCOMPARE(smoother.push(value), value);
    }
  }

  void a_step_after_a_constant_continues_from_it() {
    Smoother smoother(0.5);
    for (int i = 0; i < 100; ++i) smoother.push(4);
    QVERIFY(near(smoother.push(8), 6));
  }

  void not_finite_values_pass_and_leave_no_trace() {
    Smoother with(0.8);
    Smoother without(0.8);
    with.push(1);
    without.push(1);
    QVERIFY(std::isnan(with.push(std::numeric_limits<double>::quiet_NaN())));
    QVERIFY(std::isinf(with.push(std::numeric_limits<double>::infinity())));
    QCOMPARE(with.push(5), without.push(5));
  }

  void weight_zero_is_the_series_itself() {
    Smoother smoother(0);
    for (const double value : {3.0, -1.0, 7.5}) QCOMPARE(smoother.push(value), value);
  }

  void a_column_grows_with_its_run_and_starts_anew_after_a_cut() {
    ColumnBuilder builder;
    builder.metric("loss");
    StepRow row;
    const auto add = [&](double step, double value) {
      row.step = step;
      row.time = step;
      row.values = {value};
      builder.append(row);
    };
    for (int i = 1; i <= 10; ++i) add(i, i * i);
    SmoothedColumn column;
    column.update(builder.view(), 0, 0.5);
    const auto first = column.values();
    for (int i = 11; i <= 20; ++i) add(i, i * i);
    column.update(builder.view(), 0, 0.5);
    SmoothedColumn whole;
    whole.update(builder.view(), 0, 0.5);
    QCOMPARE(column.values(), whole.values());
    QVERIFY(std::equal(first.begin(), first.end(), whole.values().begin()));
    builder.resume(5);
    add(6, 1000);
    column.update(builder.view(), 0, 0.5);
    QCOMPARE(column.values().size(), std::size_t{6});
    QCOMPARE(column.values()[4], first[4]);
    QVERIFY(column.values()[5] > 400);
  }

  void slider_is_even_in_the_steps_that_count() {
    QCOMPARE(weight_of_position(0), 0.0);
    QVERIFY(near(weight_of_position(1), 0.999));
    QVERIFY(near(1 / (1 - weight_of_position(2.0 / 3)), 100, 1e-9));
    for (const double weight : {0.0, 0.5, 0.9, 0.99})
      QVERIFY(std::abs(weight_of_position(position_of_weight(weight)) - weight) < 1e-12);
  }
};

QTEST_GUILESS_MAIN(SmoothingTest)
#include "smoothing_test.moc"
