// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <limits>

#include "engine/evaluate/matching.h"
#include "engine/evaluate/retrieval.h"

using namespace disco;

class MetricsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void tiesAreSharedWhateverTheOrder();
  void severalRightAnswersShareATie();
  void notFiniteIsAMiss();
  void directionsAndDepths();
  void fewerAnswersThanDepth();
  void wilson();
  void matchingCountsByKind();
  void softmaxIsStable();
};

namespace {
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

double hit(std::vector<float> scores, std::vector<std::int64_t> right, std::int64_t k) {
  return rank_of_right(scores, right).hit(k);
}
}  // namespace

void MetricsTest::tiesAreSharedWhateverTheOrder() {
  // A collapsed model: ten answers, all scores equal. R@1 is 10 % and R@5 is 50 %, wherever the right one stands.
  const std::vector<float> equal(10, 0.5F);
  for (std::int64_t right = 0; right < 10; ++right) {
    QCOMPARE(hit(equal, {right}, 1), 0.1);
    QVERIFY(std::abs(hit(equal, {right}, 5) - 0.5) < 1e-12);
    QCOMPARE(hit(equal, {right}, 10), 1.0);
  }
  // Two better ones, then a tie of two: places left 0, 1, 2 of k = 2, 3, 4.
  const std::vector<float> partly{9, 8, 5, 5, 1};
  QCOMPARE(hit(partly, {3}, 2), 0.0);
  QCOMPARE(hit(partly, {3}, 3), 0.5);
  QCOMPARE(hit(partly, {3}, 4), 1.0);
}

void MetricsTest::severalRightAnswersShareATie() {
  // 4 tied, 2 of them right: one place misses with 2/4, two places with 2/4 * 1/3.
  const std::vector<float> equal(4, 0.0F);
  QVERIFY(std::abs(hit(equal, {0, 1}, 1) - 0.5) < 1e-12);
  QVERIFY(std::abs(hit(equal, {0, 1}, 2) - (1 - 1.0 / 6)) < 1e-12);
  QCOMPARE(hit(equal, {0, 1}, 3), 1.0);
}

void MetricsTest::notFiniteIsAMiss() {
  QCOMPARE(hit({not_a_number, 0.1F, 0.2F}, {0}, 3), 0.0);
  QVERIFY(!rank_of_right(std::vector<float>{not_a_number, not_a_number}, std::vector<std::int64_t>{1}).finite);
  // A NaN among the wrong ones is not better; one NaN of two right ones leaves the other.
  QCOMPARE(hit({not_a_number, 0.1F, 0.2F}, {2}, 1), 1.0);
  QCOMPARE(hit({not_a_number, 0.1F, 0.2F}, {0, 2}, 1), 1.0);
  RecallCounter counter(3);
  counter.add(rank_of_right(std::vector<float>{not_a_number, 1, 2}, std::vector<std::int64_t>{0}));
  counter.add(rank_of_right(std::vector<float>{0, 1, 2}, std::vector<std::int64_t>{2}));
  std::map<std::string, double> metrics;
  counter.report("x", metrics);
  QCOMPARE(metrics.at("x_r1"), 0.5);
  QCOMPARE(metrics.at("x_not_finite"), 1.0);
}

void MetricsTest::directionsAndDepths() {
  // Two pictures with five captions each (0-4 and 5-9); the five best for picture 0 are captions 9, 3, 8, 7, 6.
  std::vector<float> scores(10, 0.0F);
  float score = 1.0F;
  for (const std::size_t caption : {9U, 3U, 8U, 7U, 6U}) scores[caption] = (score -= 0.1F);
  const auto outcome = rank_of_right(scores, std::vector<std::int64_t>{0, 1, 2, 3, 4});
  QCOMPARE(outcome.hit(1), 0.0);
  QCOMPARE(outcome.hit(5), 1.0);
}

void MetricsTest::fewerAnswersThanDepth() {
  RecallCounter counter(3);
  counter.add(rank_of_right(std::vector<float>{3, 2, 1}, std::vector<std::int64_t>{2}));
  std::map<std::string, double> metrics;
  counter.report("t", metrics);
  QCOMPARE(metrics.size(), std::size_t{2});
  QCOMPARE(metrics.at("t_r1"), 0.0);
  QCOMPARE(metrics.at("t_r3"), 1.0);  // k is the number of answers, and the key says so
}

void MetricsTest::wilson() {
  // Closed form with z = 1.959964; 80 of 100 gives the well-known 0.7112 to 0.8666.
  const Interval interval = wilson_interval(80, 100);
  QVERIFY(std::abs(interval.low - 0.71117) < 5e-5);
  QVERIFY(std::abs(interval.high - 0.86663) < 5e-5);
  const Interval none = wilson_interval(0, 10);
  QCOMPARE(none.low, 0.0);
  QVERIFY(std::abs(none.high - 0.27753) < 5e-5);  // z^2 / (n + z^2)
  QCOMPARE(wilson_interval(0, 0).high, 1.0);
}

void MetricsTest::matchingCountsByKind() {
  const std::vector<std::string> differs{"", "subject", "object", "count", "side"};
  MatchingCounter counter;
  counter.add(std::vector<float>{5, 4, 3, 2, 1}, differs, 0);
  counter.add(std::vector<float>{4, 5, 3, 2, 4}, differs, 0);  // subject wins, side ties
  counter.add(std::vector<float>{not_a_number, 1, 1, 1, 1}, differs, 0);
  MatchingCounter other;
  other.add(std::vector<float>{1, 1, 1, 1, 1}, differs, 0);
  counter.merge(other.counts());
  std::map<std::string, double> metrics;
  counter.report(metrics);
  QVERIFY(std::abs(metrics.at("matching/accuracy") - 1.2 / 4) < 1e-12);
  QVERIFY(std::abs(metrics.at("matching/subject") - 1.5 / 4) < 1e-12);
  QVERIFY(std::abs(metrics.at("matching/side") - 2.0 / 4) < 1e-12);
  QVERIFY(metrics.at("matching/accuracy_low") < 0.3 && metrics.at("matching/accuracy_high") > 0.3);
}

void MetricsTest::softmaxIsStable() {
  const auto shares = softmax(std::vector<float>{1000, 1000, 1000 - std::log(2.0F)});
  QVERIFY(std::abs(shares[0] - 0.4) < 1e-4);
  QVERIFY(std::abs(shares[2] - 0.2) < 1e-4);
}

QTEST_GUILESS_MAIN(MetricsTest)
#include "metrics_test.moc"
