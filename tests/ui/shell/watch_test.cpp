// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "tests/ui/shell/run_fixture.h"
#include "ui/shell/machine_load.h"
#include "ui/shell/run_colours.h"
#include "ui/shell/run_watch.h"
#include "ui/shell/workspace_watch.h"

namespace disco::ui {

class WatchTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
  void run_follows_events();
  void run_shares_what_did_not_change();
  void run_resume_drops_what_lies_behind();
  void run_checkpoints_come_and_go();
  void run_switch_forgets_the_old_one();
  void run_folder_that_vanishes();
  void run_hands_over_at_most_25_a_second();
  void workspace_lists_and_follows();
  void workspace_shows_the_cache_first();
  void workspace_that_is_not_there();
  void colours_are_given_once_least_used_first();
  void colours_survive_a_damaged_file();
  void load_of_proc();
};

namespace {

/// The snapshot once `wanted` holds of it, or the last one there was.
template <class Watch, class Wanted>
auto wait_for(Watch& watch, Wanted wanted) {
  static_cast<void>(QTest::qWaitFor([&] { return watch.snapshot() && wanted(*watch.snapshot()); }, 5000));
  return watch.snapshot();
}

}  // namespace

void WatchTest::run_follows_events() {
  const QTemporaryDir workspace;
  const RunFixture run(workspace.path(), QStringLiteral("cartoons-1"));
  RunEvent first;
  first.batch = 64;
  run.say(first);
  run.step(1);
  RunWatch watch({});
  watch.open(run.path());
  auto snapshot = wait_for(watch, [](const RunSnapshot& s) { return s.status.step == 1; });
  QCOMPARE(snapshot->status.step, 1);
  QCOMPARE(snapshot->run->batch, 64);
  QCOMPARE(snapshot->identity->name, std::string("cartoons-1"));
  QCOMPARE(snapshot->config->budget.steps, 2960);
  QVERIFY(snapshot->progress.caught_up);
  run.step(2, 0.5);
  CommandEvent answer;
  answer.id = "c1";
  run.say(answer);
  snapshot = wait_for(watch, [](const RunSnapshot& s) { return !s.answers->empty(); });
  QCOMPARE(snapshot->last_step->loss, 0.5);
  QCOMPARE(snapshot->answers->front().id, std::string("c1"));
}

void WatchTest::run_shares_what_did_not_change() {
  const QTemporaryDir workspace;
  const RunFixture run(workspace.path(), QStringLiteral("a"));
  PredictionEvent prediction;
  prediction.step = 1;
  run.step(1);
  run.say(prediction);
  RunWatch watch({});
  watch.open(run.path());
  const auto before = wait_for(watch, [](const RunSnapshot& s) { return !s.predictions->empty(); });
  run.step(2);
  const auto after = wait_for(watch, [](const RunSnapshot& s) { return s.status.step == 2; });
  QVERIFY(before != after);
  QCOMPARE(after->predictions, before->predictions);  // the same object
  QVERIFY(after->sequence > before->sequence);
}

void WatchTest::run_resume_drops_what_lies_behind() {
  const QTemporaryDir workspace;
  const RunFixture run(workspace.path(), QStringLiteral("a"));
  for (const std::int64_t step : {100, 200, 300}) {
    run.step(step);
    PredictionEvent prediction;
    prediction.step = step;
    run.say(prediction);
  }
  ResumedEvent resumed;
  resumed.step = 200;
  run.say(resumed);
  RunWatch watch({});
  watch.open(run.path());
  const auto snapshot = wait_for(watch, [](const RunSnapshot& s) { return s.status.step == 200; });
  QCOMPARE(snapshot->predictions->size(), std::size_t{2});
  QCOMPARE(snapshot->predictions->back()->step, 200);
  QVERIFY(!snapshot->last_step);
}

void WatchTest::run_checkpoints_come_and_go() {
  const QTemporaryDir workspace;
  const RunFixture run(workspace.path(), QStringLiteral("a"));
  for (const std::int64_t step : {100, 200, 300}) {
    CheckpointEvent event;
    event.step = step;
    event.path = "checkpoints/step-" + std::to_string(step);
    event.best = step != 300;
    if (step == 300) event.removed = {"checkpoints/step-100"};
    run.say(event);
  }
  RunWatch watch({});
  watch.open(run.path());
  const auto snapshot = wait_for(watch, [](const RunSnapshot& s) { return s.progress.lines == 3; });
  QCOMPARE(snapshot->checkpoints->size(), std::size_t{2});
  QCOMPARE(snapshot->checkpoints->front().step, 200);
  QVERIFY(snapshot->checkpoints->front().best);
  QVERIFY(!snapshot->checkpoints->back().best);
}

void WatchTest::run_switch_forgets_the_old_one() {
  const QTemporaryDir workspace;
  const RunFixture one(workspace.path(), QStringLiteral("one"));
  const RunFixture two(workspace.path(), QStringLiteral("two"));
  one.step(7);
  two.step(3);
  RunWatch watch({});
  watch.open(one.path());
  wait_for(watch, [](const RunSnapshot& s) { return s.status.step == 7; });
  QSignalSpy updated(&watch, &RunWatch::updated);
  watch.open(two.path());
  QVERIFY(!watch.snapshot());
  QCOMPARE(updated.count(), 1);
  const auto snapshot = wait_for(watch, [](const RunSnapshot& s) { return s.status.step > 0; });
  QCOMPARE(snapshot->status.step, 3);
  watch.open({});
  QVERIFY(!watch.snapshot());
}

void WatchTest::run_folder_that_vanishes() {
  const QTemporaryDir workspace;
  const RunFixture run(workspace.path(), QStringLiteral("a"));
  run.step(5);
  RunWatch watch({});
  watch.open(run.path());
  wait_for(watch, [](const RunSnapshot& s) { return s.status.step == 5; });
  std::filesystem::rename(run.path(), run.path().string() + "-away");
  auto snapshot = wait_for(watch, [](const RunSnapshot& s) { return s.problem.has_value(); });
  QVERIFY(snapshot->problem);
  QVERIFY(snapshot->problem->where.ends_with("a/events.jsonl"));
  QCOMPARE(snapshot->status.step, 5);  // everything else is as last read
  std::filesystem::rename(run.path().string() + "-away", run.path());
  watch.refresh();
  snapshot = wait_for(watch, [](const RunSnapshot& s) { return !s.problem; });
  QVERIFY(!snapshot->problem);
}

void WatchTest::run_hands_over_at_most_25_a_second() {
  const QTemporaryDir workspace;
  const RunFixture run(workspace.path(), QStringLiteral("a"));
  RunWatch watch({});
  watch.open(run.path());
  QSignalSpy updated(&watch, &RunWatch::updated);
  QElapsedTimer clock;
  clock.start();
  for (std::int64_t step = 1; clock.elapsed() < 1000; ++step) {
    run.step(step);
    QTest::qWait(1);
  }
  // Counted over what really passed, so that a slow machine makes it no easier to fail.
  QVERIFY2(updated.count() <= 2 + 25 * (clock.elapsed() + 40) / 1000, qPrintable(QString::number(updated.count())));
  QVERIFY(updated.count() >= 2);
}

void WatchTest::workspace_lists_and_follows() {
  const QTemporaryDir workspace;
  const RunFixture old(workspace.path(), QStringLiteral("old"), 1000);
  const RunFixture young(workspace.path(), QStringLiteral("young"), 2000);
  old.state(RunState::finished);
  young.state(RunState::stopped);
  QDir(workspace.path()).mkdir(QStringLiteral("no run"));
  WorkspaceWatch watch;
  watch.open(workspace.path());
  auto snapshot = wait_for(watch, [](const WorkspaceSnapshot& s) { return s.complete; });
  QCOMPARE(snapshot->runs.size(), std::size_t{2});
  QCOMPARE(snapshot->runs.front().name, std::string("young"));
  QCOMPARE(snapshot->find(old.qpath())->state, ShownState::finished);
  QCOMPARE(snapshot->live(), 0);
  young.state(RunState::failed, 12, "Not enough memory");
  std::filesystem::remove_all(old.path());
  watch.refresh();
  snapshot = wait_for(watch, [](const WorkspaceSnapshot& s) { return s.complete && s.runs.size() == 1; });
  QCOMPARE(snapshot->runs.size(), std::size_t{1});
  QCOMPARE(snapshot->runs.front().state, ShownState::failed);
  QCOMPARE(snapshot->runs.front().reason, std::string("Not enough memory"));
}

void WatchTest::workspace_shows_the_cache_first() {
  const QTemporaryDir workspace;
  const RunFixture run(workspace.path(), QStringLiteral("kept"));
  run.state(RunState::finished);
  {
    WorkspaceWatch watch;
    watch.open(workspace.path());
    wait_for(watch, [](const WorkspaceSnapshot& s) { return s.complete; });
  }  // stores the cache at its end
  WorkspaceWatch watch;
  std::vector<std::shared_ptr<const WorkspaceSnapshot>> seen;
  connect(&watch, &WorkspaceWatch::updated, this, [&seen](const auto& snapshot) { seen.push_back(snapshot); });
  watch.open(workspace.path());
  wait_for(watch, [](const WorkspaceSnapshot& s) { return s.complete; });
  QVERIFY(seen.size() >= 3);
  QVERIFY(seen.at(1)->from_cache);
  QCOMPARE(seen.at(1)->runs.front().name, std::string("kept"));
  QVERIFY(!seen.back()->from_cache);
}

void WatchTest::workspace_that_is_not_there() {
  const QTemporaryDir parent;
  WorkspaceWatch watch;
  watch.open(parent.filePath(QStringLiteral("new")));
  auto snapshot = wait_for(watch, [](const WorkspaceSnapshot& s) { return s.complete; });
  QVERIFY(!snapshot->problem);  // made when the first run starts
  QVERIFY(snapshot->runs.empty());
  QFile file(parent.filePath(QStringLiteral("file")));
  QVERIFY(file.open(QIODevice::WriteOnly));
  watch.open(file.fileName());
  snapshot = wait_for(watch, [](const WorkspaceSnapshot& s) { return s.complete; });
  QVERIFY(snapshot->problem);
  QCOMPARE(QString::fromStdString(snapshot->problem->where), file.fileName());
}

void WatchTest::colours_are_given_once_least_used_first() {
  const QTemporaryDir workspace;
  RunColours colours;
  colours.open(workspace.path());
  for (int i = 0; i < 10; ++i) QCOMPARE(colours.number(QStringLiteral("run %1").arg(i)), i);
  QCOMPARE(colours.number(QStringLiteral("run 3")), 3);
  QCOMPARE(colours.number(QStringLiteral("run 10")), 10);  // the first colour again, dashed
  RunColours again;
  again.open(workspace.path());
  QCOMPARE(again.number(QStringLiteral("run 10")), 10);
  QCOMPARE(again.number(QStringLiteral("run 11")), 11);
}

void WatchTest::colours_survive_a_damaged_file() {
  const QTemporaryDir workspace;
  QFile file(workspace.filePath(QStringLiteral(".disco-studio.json")));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("{\"colours\": {\"a\": -4, \"b\": \"x\", \"c\": 2");
  file.close();
  RunColours colours;
  colours.open(workspace.path());
  QCOMPARE(colours.number(QStringLiteral("a")), 0);
}

void WatchTest::load_of_proc() {
  const auto ticks = parse_cpu_ticks("cpu  100 20 30 800 50 0 5 7 0 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
  QVERIFY(ticks);
  QCOMPARE(ticks->busy, std::uint64_t{162});
  QCOMPARE(ticks->total, std::uint64_t{1012});
  QVERIFY(!parse_cpu_ticks("intr 1 2 3"));
  QVERIFY(!parse_cpu_ticks("cpu  1 2"));
  Load load;
  QVERIFY(parse_memory("MemTotal:       1000 kB\nMemFree: 10 kB\nMemAvailable:    400 kB\n", load));
  QCOMPARE(load.memory_total, std::int64_t{1024000});
  QCOMPARE(load.memory_used, std::int64_t{614400});
  QVERIFY(!parse_memory("MemFree: 10 kB\n", load));
}

}  // namespace disco::ui

QTEST_GUILESS_MAIN(disco::ui::WatchTest)
#include "watch_test.moc"
