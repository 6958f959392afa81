// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/schedule.h"

#include <QTest>
#include <array>
#include <cmath>

#include "engine/train/budget.h"

using namespace disco;

class ScheduleTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void cosineValues();
  void edges();
  void resumeAndLongerTotal();
  void otherDecays();
  void unknownTotalDoesNotDecay();
  void budgetsInSteps();
  void minutesLeaveRoomForEvaluations();
  void usualStepIsTheMedian();
};

namespace {
double rate(std::int64_t step, std::int64_t total, std::int64_t warmup, Decay decay = Decay::cosine,
            double final_share = 0) {
  return 1e-3 * learning_rate_share({.warmup_steps = warmup, .decay = decay, .final_share = final_share}, step, total);
}
}  // namespace

void ScheduleTest::cosineValues() {
  constexpr std::array expected{.0005,     .001,  .001,      .00096194, .00085355,
                                .00069134, .0005, .00030866, .00014645, .00003806};
  for (std::size_t step = 0; step < expected.size(); ++step)
    QVERIFY2(std::abs(rate(static_cast<std::int64_t>(step), 10, 2) - expected[step]) < 5e-9,
             qPrintable(QString::number(step)));
}

void ScheduleTest::edges() {
  for (const auto& [total, warmup] : {std::pair{10, 10}, {10, 20}, {10, 0}, {1, 0}, {0, 0}}) {
    double before = 0;
    bool fell = false;
    for (std::int64_t step = 0; step < 25; ++step) {
      const double value = rate(step, total, warmup);
      QVERIFY(std::isfinite(value) && value >= 0 && value <= 1e-3 + 1e-15);
      QVERIFY2(!fell || value <= before, "it rose behind the peak");
      fell = fell || value < before;
      before = value;
    }
  }
}

void ScheduleTest::resumeAndLongerTotal() {
  QVERIFY(std::abs(rate(7, 10, 2) - .00030866) < 5e-9);
  QVERIFY(std::abs(rate(7, 20, 2) - .00082139) < 5e-9);  // the curve of the new total
}

void ScheduleTest::otherDecays() {
  QCOMPARE(rate(9, 10, 0, Decay::constant), 1e-3);
  QVERIFY(std::abs(rate(5, 10, 0, Decay::linear) - 5e-4) < 1e-12);
  QVERIFY(std::abs(rate(10, 10, 0, Decay::linear, 0.1) - 1e-4) < 1e-12);
  QVERIFY(std::abs(rate(10, 10, 0, Decay::cosine, 0.1) - 1e-4) < 1e-12);
}

void ScheduleTest::unknownTotalDoesNotDecay() {
  QCOMPARE(rate(4, 0, 10), 5e-4);
  QCOMPARE(rate(500, 0, 10), 1e-3);
}

void ScheduleTest::budgetsInSteps() {
  QCOMPARE(steps_of_budget({.steps = 7}, 4, {}), std::int64_t{7});
  QCOMPARE(steps_of_budget({.samples = 10}, 4, {}), std::int64_t{3});
  QCOMPARE(steps_of_budget({.epochs = 2}, 4, 2.5), std::int64_t{5});
  QCOMPARE(steps_of_budget({.epochs = 0.01}, 4, 2.5), std::int64_t{1});
  QCOMPARE(steps_of_budget({.epochs = 3}, 4, {}), std::int64_t{0});  // endless data has no epochs
  QCOMPARE(steps_of_budget({.minutes = 8}, 4, 2.5), std::int64_t{0});
}

void ScheduleTest::minutesLeaveRoomForEvaluations() {
  RunConfig config;
  config.evaluate.every_steps = 10;
  config.sample.every_steps = 20;
  config.checkpoint.every_steps = 100;
  // A step costs 1 + 5/10 + 2/20 + 10/100 = 1.7 s; 5 + 2 + 10 s are kept for the end.
  const MeasuredCosts costs{.step = 1, .evaluation = 5, .sample = 2, .checkpoint = 10};
  QCOMPARE(steps_that_fit(17 + 1.7 * 60 + 0.01, costs, config), std::int64_t{60});
  QCOMPARE(steps_that_fit(10, costs, config), std::int64_t{0});
  QCOMPARE(steps_that_fit(-3, costs, config), std::int64_t{0});
}

void ScheduleTest::usualStepIsTheMedian() {
  QCOMPARE(usual_seconds({1, 100, 2}), 2.0);
  QCOMPARE(usual_seconds({}), 0.0);
}

QTEST_GUILESS_MAIN(ScheduleTest)
#include "schedule_test.moc"
