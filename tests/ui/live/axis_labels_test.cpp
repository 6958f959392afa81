// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/axis_labels.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace disco::ui;

namespace {

QString texts(const std::vector<AxisLabel>& labels) {
  QStringList result;
  for (const AxisLabel& label : labels) result.append(label.text);
  return result.join(QLatin1Char('|'));
}

}  // namespace

class AxisLabelsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void round_values() {
    QCOMPARE(texts(linear_labels(-0.2, 5.2)), QStringLiteral("0|2|4"));
    QCOMPARE(texts(linear_labels(0, 1)), QStringLiteral("0|0.5|1.0"));
    QCOMPARE(texts(linear_labels(0, 1e-3)), QStringLiteral("0|5e-4|1e-3"));
    QCOMPARE(texts(linear_labels(0, 1e6)), QStringLiteral("0|500k|1.0M"));
    QCOMPARE(texts(linear_labels(0, 2400)), QStringLiteral("0|500|1000|1500|2000"));
  }

  void never_more_than_five_for_any_range() {
    const double infinity = std::numeric_limits<double>::infinity();
    const double values[] = {-infinity, -1e308, -1e300, -1,    -1e-320, 0,       1e-320,
                             1e-300,    0.1,    1,      1.001, 1e15,    1.7e308, infinity};
    for (const double low : values)
      for (const double high : values) {
        QVERIFY(linear_labels(low, high).size() <= 5);
        QVERIFY(log_labels(low, high).size() <= 9);
        QVERIFY(duration_labels(low, high).size() <= 6);
      }
    QVERIFY(linear_labels(1, 1).empty());
    QVERIFY(linear_labels(std::nan(""), 1).empty());
    // Two neighbouring doubles: nothing between them to label, and no endless loop.
    QVERIFY(linear_labels(1e15, std::nextafter(1e15, 2e15)).size() <= 5);
  }

  void labels_are_short_and_true() {
    for (const auto& [low, high] : {std::pair{0.0, 0.07}, {3.1, 3.4}, {0.0, 123456.0}, {-5.0, 5.0}, {0.0, 0.00012}})
      for (const AxisLabel& label : linear_labels(low, high)) {
        QVERIFY2(label.text.size() <= 6, qPrintable(label.text));
        QVERIFY(label.at >= low - 1e-9 && label.at <= high + 1e-9);
      }
  }

  void log_axis_has_powers_of_ten() {
    QCOMPARE(texts(log_labels(0.5, 200)), QStringLiteral("1|10|100"));
    QCOMPARE(texts(log_labels(0.6, 4)), QStringLiteral("1|2"));
    QVERIFY(log_labels(0, 10).empty());
    QVERIFY(log_labels(-1, 10).empty());
  }

  void durations_are_said_in_their_unit() {
    QCOMPARE(texts(duration_labels(0, 480)), QStringLiteral("0|2\u00A0min|4\u00A0min|6\u00A0min|8\u00A0min"));
  }
};

QTEST_GUILESS_MAIN(AxisLabelsTest)
#include "axis_labels_test.moc"
