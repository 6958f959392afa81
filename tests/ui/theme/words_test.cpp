// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/words.h"

#include <QDir>
#include <QTest>
#include <limits>

#include "ui/theme/english_plurals.h"

namespace disco::ui {

class WordsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
  void counts();
  void numbers();
  void short_numbers();
  void exponents();
  void percents();
  void durations_data();
  void durations();
  void ago();
  void memory();
  void files();
  void german();
  void paths();
  void plurals();
};

namespace {

/// Text as one would type it: a plain space stands for the no-break space of units.
QString plain(QString text) { return text.replace(words::no_break_space, QLatin1Char(' ')); }

}  // namespace

void WordsTest::counts() {
  QCOMPARE(words::count(0), QStringLiteral("0"));
  QCOMPARE(words::count(1240), QStringLiteral("1,240"));
  QCOMPARE(words::count(-1000000), words::true_minus + QStringLiteral("1,000,000"));
}

void WordsTest::numbers() {
  QCOMPARE(words::number(0.6823, 3), QStringLiteral("0.682"));
  QCOMPARE(words::number(-0.031, 3), words::true_minus + QStringLiteral("0.031"));
  QCOMPARE(words::number(-0.0004, 3), QStringLiteral("0.000"));  // no minus nothing
  QCOMPARE(words::number(std::numeric_limits<double>::quiet_NaN(), 2), QStringLiteral("NaN"));
  QCOMPARE(words::number(-std::numeric_limits<double>::infinity(), 2), words::true_minus + QStringLiteral("∞"));
}

void WordsTest::short_numbers() {
  QCOMPARE(words::short_number(0.68234), QStringLiteral("0.682"));
  QCOMPARE(words::short_number(1.2149), QStringLiteral("1.21"));
  QCOMPARE(words::short_number(14.28), QStringLiteral("14.3"));
  QCOMPARE(words::short_number(0.99996), QStringLiteral("1.00"));
  QCOMPARE(words::short_number(12400), QStringLiteral("12,400"));
  QCOMPARE(words::short_number(0), QStringLiteral("0"));
  QCOMPARE(words::short_number(0.0000213), QStringLiteral("2.13e-5"));
}

void WordsTest::exponents() {
  QCOMPARE(words::exponent(0.001), QStringLiteral("1e-3"));
  QCOMPARE(words::exponent(0.00025), QStringLiteral("2.5e-4"));
  QCOMPARE(words::exponent(0.01), QStringLiteral("0.01"));
  QCOMPARE(words::exponent(-0.00025), words::true_minus + QStringLiteral("2.5e-4"));
}

void WordsTest::percents() {
  QCOMPARE(words::percent(0.714), QStringLiteral("71.4") + words::no_break_space + QLatin1Char('%'));
  QCOMPARE(plain(words::percent(1, 0)), QStringLiteral("100 %"));
}

void WordsTest::durations_data() {
  QTest::addColumn<double>("seconds");
  QTest::addColumn<QString>("text");
  QTest::newRow("nothing") << 0.0 << QStringLiteral("0 s");
  QTest::newRow("negative") << -3.0 << QStringLiteral("0 s");
  QTest::newRow("milliseconds") << 0.038 << QStringLiteral("38 ms");
  QTest::newRow("small") << 0.0042 << QStringLiteral("4.2 ms");
  QTest::newRow("third") << 0.327 << QStringLiteral("0.3 s");
  QTest::newRow("seconds") << 45.2 << QStringLiteral("45 s");
  QTest::newRow("almost a minute") << 59.7 << QStringLiteral("1 min");
  QTest::newRow("minutes") << 276.0 << QStringLiteral("4 min 36 s");
  QTest::newRow("whole minutes") << 480.0 << QStringLiteral("8 min");
  QTest::newRow("hours") << 7500.0 << QStringLiteral("2 h 5 min");
  QTest::newRow("days") << 3 * 86400.0 + 4 * 3600 << QStringLiteral("3 d 4 h");
}

void WordsTest::durations() {
  QFETCH(double, seconds);
  QFETCH(QString, text);
  QCOMPARE(plain(words::duration(seconds)), text);
}

void WordsTest::ago() {
  const QDateTime now(QDate(2026, 11, 30), QTime(22, 0));  // a Monday
  QCOMPARE(words::ago(now.addSecs(-3), now), QStringLiteral("now"));
  QCOMPARE(words::ago(now.addSecs(-45), now), QStringLiteral("45 s ago"));
  QCOMPARE(words::ago(now.addSecs(-12 * 60 - 20), now), QStringLiteral("12 min ago"));
  QCOMPARE(words::ago(now.addSecs(-3 * 3600), now), QStringLiteral("3 h ago"));
  QCOMPARE(words::ago(QDateTime(QDate(2026, 11, 29), QTime(14, 31)), now), QStringLiteral("yesterday 14:31"));
  QCOMPARE(words::ago(QDateTime(QDate(2026, 11, 27), QTime(9, 12)), now), QStringLiteral("Fri 09:12"));
  QCOMPARE(words::ago(QDateTime(QDate(2026, 3, 1), QTime(9, 12)), now), QStringLiteral("3/1/26"));
  QCOMPARE(words::ago(QDateTime(), now), QStringLiteral("–"));
  // A clock of another computer that runs ahead is "now", not in the future.
  QCOMPARE(words::ago(now.addSecs(90), now), QStringLiteral("now"));
}

void WordsTest::memory() {
  constexpr double gib = 1024.0 * 1024 * 1024;
  QCOMPARE(plain(words::memory(1.31 * gib)), QStringLiteral("1.31 GiB"));
  QCOMPARE(plain(words::memory(0.5 * gib)), QStringLiteral("0.5 GiB"));
  QCOMPARE(plain(words::memory(92 * 1024.0 * 1024)), QStringLiteral("92 MiB"));
  QCOMPARE(plain(words::memory_of(3.1 * gib, 24 * gib)), QStringLiteral("3.1 of 24 GiB"));
}

void WordsTest::files() {
  QCOMPARE(plain(words::file_size(580'000'000)), QStringLiteral("580 MB"));
  QCOMPARE(plain(words::file_size(1'234'000'000)), QStringLiteral("1.23 GB"));
  QCOMPARE(plain(words::file_size_of(210'000'000, 580'000'000)), QStringLiteral("210 of 580 MB"));
}

void WordsTest::german() {
  QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
  QCOMPARE(words::count(1240), QStringLiteral("1.240"));
  QCOMPARE(plain(words::percent(0.714)), QStringLiteral("71,4 %"));
  QCOMPARE(words::exponent(0.00025), QStringLiteral("2,5e-4"));
}

void WordsTest::paths() {
  QCOMPARE(words::path(QDir::homePath() + QStringLiteral("/DisCo runs")), QStringLiteral("~/DisCo runs"));
  QCOMPARE(words::path(QDir::homePath() + QStringLiteral("x")), QDir::homePath() + QStringLiteral("x"));
  QCOMPARE(words::dotted({QStringLiteral("a"), {}, QStringLiteral("b")}), QStringLiteral("a · b"));
}

void WordsTest::plurals() {
  EnglishPlurals english;
  QCoreApplication::installTranslator(&english);
  const auto counted = [](int n) { return QCoreApplication::translate("x", "%n run(s)", nullptr, n); };
  QCOMPARE(counted(1), QStringLiteral("1 run"));
  QCOMPARE(counted(4), QStringLiteral("4 runs"));
  QCOMPARE(QCoreApplication::translate("x", "file(s)"), QStringLiteral("file(s)"));  // not counted
  QCOMPARE(QCoreApplication::translate("x", "%n running", nullptr, 2), QStringLiteral("2 running"));
}

}  // namespace disco::ui

QTEST_GUILESS_MAIN(disco::ui::WordsTest)
#include "words_test.moc"
