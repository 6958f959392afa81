// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/run_words.h"

#include <QTest>

#include "ui/shell/command_palette.h"
#include "ui/theme/words.h"

Q_DECLARE_METATYPE(disco::RunStatus)

namespace disco::ui {

class RunWordsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
  void sentences_data();
  void sentences();
  void shares();
  void palette_scores();
};

void RunWordsTest::sentences_data() {
  QTest::addColumn<RunStatus>("status");
  QTest::addColumn<QString>("sentence");
  const auto row = [](const char* name, RunStatus status, const char* sentence) {
    QTest::newRow(name) << status << QString::fromUtf8(sentence);
  };
  RunStatus base;
  base.step = 1240;
  base.total_steps = 2960;
  base.step_seconds = 0.1605;
  RunStatus s = base;
  s.state = ShownState::running;
  row("running", s, "Step 1,240 of 2,960 · 42 % · 4 min 36 s left");
  s.budget_minutes = 8;
  s.running_seconds = 204;
  row("budget in minutes", s, "Step 1,240 of 2,960 · 42 % · 3 min 24 s of 8 min");
  s.total_steps = 0;
  row("budget in minutes, steps not known", s, "Step 1,240 · 3 min 24 s of 8 min");
  s = base;
  s.state = ShownState::starting;
  s.phase = "reading data";
  s.phase_done = 41200;
  s.phase_total = 100000;
  row("starting", s, "Starting: reading pictures, 41,200 of 100,000.");
  s.phase = "building model";
  s.phase_total = 0;
  row("building", s, "Starting: building the model.");
  s = base;
  s.state = ShownState::evaluating;
  s.phase_done = 640;
  s.phase_total = 1000;
  row("evaluating", s, "Evaluating: 640 of 1,000 pictures.");
  s = base;
  s.state = ShownState::paused;
  row("paused", s, "Paused at step 1,240. Memory is given back; Resume goes on exactly here.");
  s.state = ShownState::stalled;
  s.seconds_since_step = 45;
  s.step_seconds = 0.3;
  s.phase_detail = "Waiting for data: reading shard-0007.tar";
  row("stalled", s, "No step for 45 s; usually 0.3 s. Waiting for data: reading shard-0007.tar.");
  s.step_seconds = 0;
  row("stalled before the first step", s, "No step for 45 s. Waiting for data: reading shard-0007.tar.");
  s = base;
  s.state = ShownState::diverged;
  s.not_finite_step = 2103;
  s.saved_step = 2000;
  row("diverged", s, "Loss is not finite since step 2,103. The step was not applied; checkpoint 2,000 is healthy.");
  s = base;
  s.state = ShownState::finished;
  s.running_seconds = 482;
  s.best_metric = "matching/accuracy";
  s.best_value = 0.714;
  s.best_step = 2800;
  row("finished", s, "Finished in 8 min 2 s. Best accuracy 71.4 % at step 2,800.");
  s = base;
  s.state = ShownState::stopped;
  s.saved_step = 1240;
  row("stopped", s, "Stopped at step 1,240 and saved.");
  s.saved_step = 1200;
  row("stopped without saving", s, "Stopped at step 1,240. Saved up to step 1,200.");
  s = base;
  s.state = ShownState::failed;
  s.reason = "Not enough memory: step 412 needed 3.1 GiB more than was free";
  s.hint = "Use a smaller batch";
  row("failed", s, "Not enough memory: step 412 needed 3.1 GiB more than was free. Use a smaller batch.");
  s = base;
  s.state = ShownState::died;
  s.reason = "The engine ended by signal 9";
  s.saved_step = 1200;
  row("died", s, "The engine ended by signal 9 after step 1,240. Saved up to step 1,200.");
  s.state = ShownState::unreadable;
  s.reason = "run.json is damaged at line 3";
  row("unreadable", s, "run.json is damaged at line 3. Nothing in the folder was changed.");
}

void RunWordsTest::sentences() {
  QFETCH(RunStatus, status);
  QFETCH(QString, sentence);
  QCOMPARE(run_sentence(status).replace(words::no_break_space, QLatin1Char(' ')), sentence);
}

void RunWordsTest::shares() {
  RunStatus status;
  status.state = ShownState::running;
  QVERIFY(run_share(status) < 0);
  status.step = 50;
  status.total_steps = 200;
  QCOMPARE(run_share(status), 0.25);
  status.step = 300;
  QCOMPARE(run_share(status), 1.0);
  status.total_steps = 0;
  status.budget_minutes = 8;
  status.running_seconds = 240;
  QCOMPARE(run_share(status), 0.5);
}

void RunWordsTest::palette_scores() {
  const QString text = QStringLiteral("Save checkpoint");
  QVERIFY(palette_score(QString(), text) > 0);
  QVERIFY(palette_score(QStringLiteral("save ch"), text) > 0);
  QVERIFY(palette_score(QStringLiteral("ch sa"), text) > 0);
  QCOMPARE(palette_score(QStringLiteral("save x"), text), 0);
  QVERIFY(palette_score(QStringLiteral("save"), text) > palette_score(QStringLiteral("point"), text));
}

}  // namespace disco::ui

QTEST_GUILESS_MAIN(disco::ui::RunWordsTest)
#include "run_words_test.moc"
