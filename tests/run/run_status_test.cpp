// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/run_status.h"

#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <csignal>
#include <fstream>

#include "engine/base/clock.h"
#include "engine/run/run_folder.h"

namespace disco {
namespace fs = std::filesystem;

class RunStatusTest : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  int made_ = 0;

  RunFolder new_run() {
    RunIdentity identity;
    identity.id = identity.name = "run-" + std::to_string(++made_);
    identity.created = wall_seconds();
    identity.host = host_name();
    return RunFolder::create(fs::path(folder_.path().toStdString()) / identity.name, identity,
                             load_config(Json{{"budget", {{"steps", 2000}}}}).config)
        .value();
  }
  static void say(const RunFolder& run, const Event& event) {
    std::ofstream(run.events_path(), std::ios::app) << event_line(event) << "\n";
  }
  static StepEvent step(std::int64_t number, double loss = 1) {
    StepEvent event;
    event.time = wall_seconds();
    event.step = number;
    event.loss = loss;
    event.seconds.total = 0.25;
    return event;
  }
  static StateEvent state(RunState value, std::int64_t at = 0) { return {wall_seconds(), value, at, "", ""}; }

 private Q_SLOTS:
  void aNewRunIsStartingUntilItsGraceIsOver() {
    auto run = new_run();
    QCOMPARE(summarise_run(run.root()).state, ShownState::starting);
    auto identity = run.identity().value();
    identity.created -= 3600;
    QVERIFY(write_atomically(run.identity_path(), write_json(identity).dump()));
    const auto status = summarise_run(run.root());
    QCOMPARE(status.state, ShownState::died);
    QCOMPARE(status_sentence(status), std::string("The engine never started. Nothing was saved."));
  }

  void aRunThatIsHeldIsRunning() {
    auto run = new_run();
    const auto lock = run.lock();
    say(run, state(RunState::running));
    say(run, step(500));
    const auto status = summarise_run(run.root());
    QCOMPARE(status.state, ShownState::running);
    QCOMPARE(status_sentence(status), std::string("Step 500 of 2,000 · 25 % · 6 min 15 s left"));
    QVERIFY(is_live(status.state));
  }

  /// kill -9 of whoever holds the lock: never "running" again.
  void aKilledEngineHasDied() {
    auto run = new_run();
    int ready[2];
    QCOMPARE(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      const auto lock = run.lock();
      const char byte = 1;
      if (::write(ready[1], &byte, 1) != 1) ::_exit(1);
      ::pause();
    }
    char byte = 0;
    QCOMPARE(::read(ready[0], &byte, 1), ssize_t{1});
    say(run, state(RunState::running));
    say(run, step(1240));
    QCOMPARE(summarise_run(run.root()).state, ShownState::running);
    QCOMPARE(summarise_run(run.root()).process, static_cast<int>(child));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    fs::create_directories(run.checkpoint_path(1200));
    QVERIFY(write_atomically(run.checkpoint_path(1200) / "manifest.json", "{}"));
    const auto status = summarise_run(run.root());
    QCOMPARE(status.state, ShownState::died);
    QCOMPARE(status_sentence(status),
             std::string("The engine ended without a last word after step 1,240. Saved up to step 1,200."));
  }

  void endsAreShownAsTheyWere() {
    auto run = new_run();
    say(run, step(2000));
    say(run, EvaluationEvent{
                 wall_seconds(), 1800, 1, 100, {{"matching/accuracy", 0.7136}}, "matching/accuracy", 0.7136, 1800});
    say(run, HeartbeatEvent{wall_seconds(), "training", 2000, 2000, 482, 0});
    say(run, state(RunState::finished, 2000));
    QCOMPARE(status_sentence(summarise_run(run.root())),
             std::string("Finished in 8 min 2 s. Best matching/accuracy 71.4 % at step 1,800."));
    say(run, state(RunState::stopped, 2000));
    QCOMPARE(summarise_run(run.root()).state, ShownState::stopped);
    say(run, StateEvent{wall_seconds(), RunState::failed, 2000, "Not enough memory", "Use a smaller batch."});
    QCOMPARE(status_sentence(summarise_run(run.root())), std::string("Not enough memory"));
    say(run, ResumedEvent{wall_seconds(), 1000, "checkpoints/step-00001000", {}});
    QCOMPARE(summarise_run(run.root()).step, std::int64_t{1000});
  }

  void aHungTrainerDoesNotLookAlive() {
    auto run = new_run();
    const auto lock = run.lock();
    say(run, state(RunState::running));
    say(run, step(10));
    say(run, HeartbeatEvent{wall_seconds(), "waiting for data", 10, 2000, 60, 45});
    QCOMPARE(summarise_run(run.root()).state, ShownState::stalled);
  }

  /// No step was taken yet, so there is none to miss: a batch of the first evaluation takes its time.
  void theFirstEvaluationIsNoStall() {
    auto run = new_run();
    const auto lock = run.lock();
    say(run, state(RunState::running));
    say(run, HeartbeatEvent{wall_seconds(), "building model", 0, 2000, 0, 45});
    say(run, state(RunState::evaluating));
    QCOMPARE(summarise_run(run.root()).state, ShownState::evaluating);
    say(run, ProgressEvent{wall_seconds(), "evaluating", 256, 1000, "held-out pictures"});
    say(run, HeartbeatEvent{wall_seconds(), "evaluating", 0, 2000, 60, 60});
    auto status = summarise_run(run.root());
    QCOMPARE(status.state, ShownState::evaluating);
    QCOMPARE(status_sentence(status), std::string("Evaluating: 256 of 1,000 pictures"));
    say(run, HeartbeatEvent{wall_seconds(), "evaluating", 0, 2000, 200, 150});
    status = summarise_run(run.root());
    QCOMPARE(status.state, ShownState::stalled);
    QCOMPARE(status_sentence(status), std::string("No step for 2 min 30 s. Phase: evaluating."));
  }

  void modelsHaveTheNameOfTheForm() {
    QCOMPARE(summarise_run(new_run().root()).model, std::string("CLIP tiny"));
    QCOMPARE(summarise_run(new_run().root()).data, std::string("Built-in cartoons"));
  }

  void lossesThatAreNotFiniteAreNamedFromTheFirst() {
    auto run = new_run();
    const auto lock = run.lock();
    say(run, state(RunState::running));
    say(run, step(100));
    say(run, step(101, std::nan("")));
    say(run, step(102, std::nan("")));
    auto status = summarise_run(run.root());
    QCOMPARE(status.state, ShownState::diverged);
    QCOMPARE(status.not_finite_step.value(), std::int64_t{101});
    say(run, step(103));
    QCOMPARE(summarise_run(run.root()).state, ShownState::running);
  }

  void damageIsToldAndChangesNothing() {
    auto run = new_run();
    QVERIFY(write_atomically(run.identity_path(), "{\n\"id\": \"x\",\n]"));
    const auto status = summarise_run(run.root());
    QCOMPARE(status.state, ShownState::unreadable);
    QVERIFY(status.reason.find("run.json") != std::string::npos && status.reason.find("line 3") != std::string::npos);
  }

  /// The best value lies far in front of the end of a long file.
  void longRunsAreSummarisedFromTheirEnds() {
    auto run = new_run();
    std::ofstream file(run.events_path());
    file << event_line(RunEvent{1, "n", "CLIP tiny", "Cartoons", 1, 0, 0, 64, 63, 9000, 1, 1}) << "\n";
    file << event_line(EvaluationEvent{2, 5, 1, 1, {}, "matching/accuracy", 0.5, 5}) << "\n";
    for (int i = 1; i <= 4000; ++i) file << event_line(step(i)) << "\n";
    file.close();
    QVERIFY(fs::file_size(run.events_path()) > 1000000);
    const auto status = summarise_run(run.root());
    QCOMPARE(status.step, std::int64_t{4000});
    QCOMPARE(status.total_steps, std::int64_t{9000});
    QCOMPARE(status.best_value.value(), 0.5);
    QCOMPARE(status.model, std::string("CLIP tiny"));
  }

  void aWorkspaceListsItsRunsNewestFirst() {
    const auto runs = list_runs(folder_.path().toStdString());
    QVERIFY(runs && static_cast<int>(runs->size()) == made_);
    for (std::size_t i = 1; i < runs->size(); ++i) QVERIFY((*runs)[i - 1].created >= (*runs)[i].created);
    QVERIFY(list_runs("/nowhere/at/all").value().empty());
  }
};

}  // namespace disco

QTEST_GUILESS_MAIN(disco::RunStatusTest)
#include "run_status_test.moc"
