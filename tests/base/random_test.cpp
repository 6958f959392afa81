// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/random.h"

#include <QtTest>
#include <array>
#include <cmath>
#include <numeric>

namespace disco {

class RandomTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyPartOfTheKeyCounts() {
    const auto first = [](std::uint64_t seed, std::uint64_t epoch, std::uint64_t index, std::string_view purpose) {
      return Draw(seed, epoch, index, purpose).next();
    };
    const std::uint64_t base = first(1, 0, 0, "crop");
    QCOMPARE(base, first(1, 0, 0, "crop"));
    QVERIFY(base != first(2, 0, 0, "crop"));
    QVERIFY(base != first(1, 1, 0, "crop"));
    QVERIFY(base != first(1, 0, 1, "crop"));
    QVERIFY(base != first(1, 0, 0, "flip"));
    QVERIFY(first(1, 2, 3, "x") != first(3, 2, 1, "x"));
  }

  /// Chi-square over 10 cells of the first draw of 100,000 neighbouring keys: 9 degrees of freedom, 99.9 % below 27.9.
  void neighbouringKeysAreIndependent() {
    std::array<int, 10> cells{};
    for (std::uint64_t index = 0; index < 100000; ++index) ++cells[Draw(5, 0, index, "p").below(10)];
    double chi = 0;
    for (const int cell : cells) chi += std::pow(cell - 10000.0, 2) / 10000.0;
    QVERIFY2(chi < 27.9, qPrintable(QString::number(chi)));
  }

  void uniformStaysInRange() {
    Draw draw(1, 2, 3, "u");
    double sum = 0;
    for (int i = 0; i < 10000; ++i) {
      const double value = draw.uniform(2, 4);
      QVERIFY(value >= 2 && value < 4);
      sum += value;
    }
    QVERIFY(std::abs(sum / 10000 - 3) < 0.03);  // five standard errors
  }

  void shuffleKeepsEveryItem() {
    std::vector<int> items(100);
    std::iota(items.begin(), items.end(), 0);
    auto shuffled = items;
    Draw(1, 0, 0, "s").shuffle(shuffled);
    QVERIFY(shuffled != items);
    std::sort(shuffled.begin(), shuffled.end());
    QCOMPARE(shuffled, items);
  }
};

}  // namespace disco

QTEST_GUILESS_MAIN(disco::RandomTest)
#include "random_test.moc"
