// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/number.h"

#include <QtTest>
#include <clocale>

namespace disco {

class NumberTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void readsWhatPeopleType_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("value");
    QTest::newRow("point") << QStringLiteral("0.001") << 0.001;
    QTest::newRow("comma") << QStringLiteral("0,001") << 0.001;
    QTest::newRow("exponent") << QStringLiteral("1e-3") << 0.001;
    QTest::newRow("negative exponent form") << QStringLiteral("-2.5E+2") << -250.0;
    QTest::newRow("plus") << QStringLiteral("+4") << 4.0;
    QTest::newRow("groups") << QStringLiteral("1 000") << 1000.0;
    QTest::newRow("minutes") << QStringLiteral("8 min") << 480.0;
    QTest::newRow("GiB") << QStringLiteral("2 GiB") << 2147483648.0;
    QTest::newRow("MB") << QStringLiteral("512MB") << 512e6;
    QTest::newRow("k") << QStringLiteral("12k") << 12000.0;
    QTest::newRow("percent") << QStringLiteral("40 %") << 0.4;
  }
  void readsWhatPeopleType() {
    QFETCH(QString, text);
    QFETCH(double, value);
    const auto number = parse_number(text.toStdString());
    QVERIFY(number.has_value());
    QCOMPARE(*number, value);
  }

  void refusesWhatIsNoNumber() {
    for (const char* text : {"", "abc", "1.2.3", "1,2,3", "5 parsecs", "--1", "1e", "nan", "inf", "0x10"})
      QVERIFY2(!parse_number(text), text);
  }

  void minutesAreTheDefaultUnitOfDurations() {
    QCOMPARE(parse_minutes("8").value(), 8.0);
    QCOMPARE(parse_minutes("90 s").value(), 1.5);
    QCOMPARE(parse_minutes("1,5 h").value(), 90.0);
    QVERIFY(!parse_minutes("3 GiB"));
  }

  void wordsForPeople() {
    QCOMPARE(grouped_text(999), std::string("999"));
    QCOMPARE(grouped_text(1234567), std::string("1,234,567"));
    QCOMPARE(grouped_text(-100000), std::string("-100,000"));
    QCOMPARE(duration_text(-1), std::string("0 s"));
    QCOMPARE(duration_text(59.6), std::string("1 min 0 s"));
    QCOMPARE(duration_text(375), std::string("6 min 15 s"));
    QCOMPARE(duration_text(7380), std::string("2 h 3 min"));
  }

  void localeTouchesNothing() {
    if (!std::setlocale(LC_ALL, "de_DE.UTF-8")) std::setlocale(LC_ALL, "C.UTF-8");
    QCOMPARE(parse_number("1.5").value(), 1.5);
    QCOMPARE(number_text(1.5), std::string("1.5"));
    QCOMPARE(number_text(1e-7), std::string("1e-07"));
    std::setlocale(LC_ALL, "C");
  }
};

}  // namespace disco

QTEST_GUILESS_MAIN(disco::NumberTest)
#include "number_test.moc"
