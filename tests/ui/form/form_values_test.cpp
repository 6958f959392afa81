// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "ui/form/field_editor.h"

namespace disco::ui {

/// Numbers and budgets as people type them.
class FormValuesTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void number_isReadAsTyped_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("unit");
    QTest::addColumn<QString>("json");
    QTest::newRow("whole") << "256"
                           << "pictures"
                           << "256";
    QTest::newRow("point") << "0.001"
                           << ""
                           << "0.001";
    QTest::newRow("comma") << "0,001"
                           << ""
                           << "0.001";
    QTest::newRow("exponent") << "1e-3"
                              << ""
                              << "0.001";
    QTest::newRow("negative") << "-0.5"
                              << ""
                              << "-0.5";
    QTest::newRow("thousands") << "12k"
                               << "steps"
                               << "12000";
    QTest::newRow("own unit") << "100 steps"
                              << "steps"
                              << "100";
    QTest::newRow("seconds in minutes") << "90 s"
                                        << "min"
                                        << "1.5";
    QTest::newRow("minutes in seconds") << "5 min"
                                        << "s"
                                        << "300";
    QTest::newRow("mebibytes bare") << "256"
                                    << "MiB"
                                    << "256";
    QTest::newRow("mebibytes named") << "256 MiB"
                                     << "MiB"
                                     << "256";
    QTest::newRow("gibibytes in mebibytes") << "2 GiB"
                                            << "MiB"
                                            << "2048";
    QTest::newRow("largest seed") << "18446744073709551615"
                                  << ""
                                  << "18446744073709551615";
    QTest::newRow("nonsense stays text") << "fast"
                                         << ""
                                         << "\"fast\"";
    QTest::newRow("nothing stays text") << ""
                                        << ""
                                        << "\"\"";
  }
  void number_isReadAsTyped() {
    QFETCH(QString, text);
    QFETCH(QString, unit);
    QFETCH(QString, json);
    QCOMPARE(QString::fromStdString(number_from_text(text, unit.toStdString()).dump()), json);
  }

  void budget_isReadAsTyped_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("key");
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("shown");
    QTest::newRow("minutes") << "8 min"
                             << "minutes" << 8.0 << "8 min";
    QTest::newRow("hours") << "2 h"
                           << "minutes" << 120.0 << "2 h";
    QTest::newRow("seconds") << "90 s"
                             << "minutes" << 1.5 << "1.5 min";
    QTest::newRow("steps") << "500 steps"
                           << "steps" << 500.0 << "500 steps";
    QTest::newRow("one step") << "1 step"
                              << "steps" << 1.0 << "1 step";
    QTest::newRow("thousands") << "20k pictures"
                               << "samples" << 20000.0 << "20000 pictures";
    QTest::newRow("samples") << "640 samples"
                             << "samples" << 640.0 << "640 pictures";
    QTest::newRow("epochs") << "1,5 epochs"
                            << "epochs" << 1.5 << "1.5 epochs";
  }
  void budget_isReadAsTyped() {
    QFETCH(QString, text);
    QFETCH(QString, key);
    QFETCH(double, value);
    QFETCH(QString, shown);
    const Json budget = budget_from_text(text);
    for (const auto& [name, amount] : budget.items())
      QCOMPARE(amount.get<double>(), name == key.toStdString() ? value : 0.0);
    QCOMPARE(budget_text(budget), shown);
  }

  void budget_thatIsNone_staysAsTyped() {
    QCOMPARE(budget_text(budget_from_text(QStringLiteral("soon"))), QStringLiteral("soon"));
    QCOMPARE(budget_text(budget_from_text(QStringLiteral("500"))), QStringLiteral("500"));
    QCOMPARE(budget_text(Json{{"steps", 10}, {"minutes", 8}}), QStringLiteral("8 min + 10 steps"));
  }

  void arrowKeys_stepInTheSecondDigit() {
    QCOMPARE(stepped(0.001, 1, false), 0.0011);
    QCOMPARE(stepped(0.001, -1, false), 0.00099);
    QCOMPARE(stepped(256, 1, true), 270.0);
    QCOMPARE(stepped(7, -1, true), 6.0);
    QCOMPARE(stepped(0, 1, true), 1.0);
  }
};

}  // namespace disco::ui

QTEST_GUILESS_MAIN(disco::ui::FormValuesTest)
#include "form_values_test.moc"
