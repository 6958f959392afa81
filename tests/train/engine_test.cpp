// SPDX-License-Identifier: GPL-3.0-or-later
//
// The real program from its command line to its files: a run to its end, a kill at each hook, two ranks, commands, a
// full disk and everything that a person can get wrong.
#include <sys/mount.h>

#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <cmath>
#include <csignal>
#include <fstream>

#include "engine/distributed/rank_process.h"
#include "engine/run/commands.h"
#include "engine/run/run_status.h"
#include "tests/train/engine_runs.h"

using namespace disco;
namespace fs = std::filesystem;

class EngineTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void trainsToTheEnd();
  void killedRunsResumeExactly_data();
  void killedRunsResumeExactly();
  void twoRanksAreOneRun();
  void torchrunsRanksAreOneRun();
  void pauseResumeStop();
  void abortAndTerminate();
  void endOfADeadRunIsResumed();
  void terminatedWhileEvaluating();
  void fileSizeLimitIsTold();
  void fullDiskIsTold();
  void bf16TrainsAndResumes();
  void secondEngineIsRefused();
  void badInput_data();
  void badInput();
  void configurationWithThreeMistakes();

 private:
  [[nodiscard]] std::string run(const char* name) const {
    return (folder_.path() + QLatin1Char('/')).toStdString() + name;
  }
  const std::string& uninterrupted();
  QTemporaryDir folder_;
  std::string reference_;
};

/// A run of 8 steps that nothing disturbed, made once.
const std::string& EngineTest::uninterrupted() {
  if (reference_.empty()) {
    const auto engine = Engine::call(Engine::train(run("reference")));
    if (engine.exit_code != 0) qWarning("%s", engine.errors.c_str());
    reference_ = run("reference");
  }
  return reference_;
}

void EngineTest::trainsToTheEnd() {
  const std::string folder = uninterrupted();
  QCOMPARE(last_state(folder).state, RunState::finished);
  const auto steps = all_of_kind<StepEvent>(folder);
  QCOMPARE(steps.size(), std::size_t{8});
  for (std::size_t i = 0; i < steps.size(); ++i) {
    QCOMPARE(steps[i].step, static_cast<std::int64_t>(i + 1));
    QCOMPARE(steps[i].samples, static_cast<std::int64_t>(8 * (i + 1)));
    QVERIFY(std::isfinite(steps[i].loss) && steps[i].applied);
    const StepSeconds& s = steps[i].seconds;
    const double sum = s.data + s.copy + s.forward + s.loss + s.backward + s.communication + s.optimizer + s.other;
    QVERIFY(std::abs(sum - s.total) < 1e-9 && s.other >= 0);
    QVERIFY(steps[i].memory.host > 0);
  }
  QVERIFY(std::abs(steps[0].learning_rate.at("image") - 5e-4) < 1e-12);  // warm-up of 2
  std::vector<std::int64_t> evaluated, looked;
  for (const auto& evaluation : all_of_kind<EvaluationEvent>(folder)) {
    evaluated.push_back(evaluation.step);
    QVERIFY(evaluation.metrics.contains("retrieval/image_to_text_r1"));
    QVERIFY(evaluation.metrics.contains("matching/accuracy_low"));
  }
  for (const auto& prediction : all_of_kind<PredictionEvent>(folder)) {
    looked.push_back(prediction.step);
    QCOMPARE(prediction.items.size(), std::size_t{4});
    for (const auto& item : prediction.items) {
      double sum = 0;
      for (const double probability : item.probabilities) sum += probability;
      QVERIFY(std::abs(sum - 1) < 1e-5 && item.candidates.size() == 5);
      QVERIFY(fs::exists(fs::path(folder) / item.image) && fs::exists(fs::path(folder) / item.view));
    }
  }
  QCOMPARE(evaluated, (std::vector<std::int64_t>{0, 4, 8}));
  QCOMPARE(looked, (std::vector<std::int64_t>{0, 4, 8}));
  QCOMPARE(RunFolder(folder).checkpoint_steps(), (std::vector<std::int64_t>{6, 8}));
  QCOMPARE(fs::read_symlink(fs::path(folder) / "checkpoints/latest").string(), std::string("step-00000008"));
  for (const char* name :
       {"model.safetensors", "config.json", "preprocessor_config.json", "optimizer.safetensors", "trainer.json"})
    QVERIFY2(fs::exists(fs::path(folder) / "checkpoints/latest" / name), name);
}

void EngineTest::killedRunsResumeExactly_data() {
  QTest::addColumn<QString>("place");
  QTest::newRow("while writing") << QStringLiteral("checkpoint.write:2");
  QTest::newRow("before the rename") << QStringLiteral("checkpoint.fsync:2");
  QTest::newRow("behind the rename") << QStringLiteral("checkpoint.rename:2");
  QTest::newRow("before any was complete") << QStringLiteral("checkpoint.fsync:1");
}

void EngineTest::killedRunsResumeExactly() {
  QFETCH(QString, place);
  const std::string expected = fingerprint(uninterrupted(), 8);
  QVERIFY(expected.find("optimizer.safetensors") != std::string::npos);
  const std::string folder = run(QTest::currentDataTag());
  const auto killed = Engine::call(Engine::train(folder), {{QStringLiteral("DISCO_TEST_KILL_AT"), place}});
  QCOMPARE(killed.exit_code, 1);
  QVERIFY2(killed.errors.find("signal 9") != std::string::npos, killed.errors.c_str());
  QCOMPARE(last_state(folder).state, RunState::failed);
  const auto resumed =
      Engine::call({QStringLiteral("train"), QString::fromStdString(folder), QStringLiteral("--resume")});
  QVERIFY2(resumed.exit_code == 0, resumed.errors.c_str());
  QCOMPARE(fingerprint(folder, 8), expected);
  QCOMPARE(all_of_kind<ResumedEvent>(folder).size(), std::size_t{1});
}

void EngineTest::twoRanksAreOneRun() {
  const auto one =
      Engine::call(Engine::train(run("one"), {QStringLiteral("budget.steps=100"), QStringLiteral("precision=fp32")}));
  QVERIFY2(one.exit_code == 0, one.errors.c_str());
  const auto two =
      Engine::call(Engine::train(run("two"), {QStringLiteral("budget.steps=100"), QStringLiteral("precision=fp32"),
                                              QStringLiteral("distributed.local_ranks=2")}));
  QVERIFY2(two.exit_code == 0, two.errors.c_str());
  const auto a = all_of_kind<StepEvent>(run("one")), b = all_of_kind<StepEvent>(run("two"));
  QCOMPARE(a.size(), std::size_t{100});
  QCOMPARE(b.size(), a.size());
  double difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = std::max(difference, std::abs(a[i].loss - b[i].loss));
    QCOMPARE(a[i].samples, b[i].samples);
  }
  qInfo("largest difference of the losses: %g; they went from %g to %g", difference, a.front().loss, a.back().loss);
  QVERIFY(difference < 1e-4);
  const auto last = [](const std::vector<EvaluationEvent>& events) { return events.back(); };
  const auto alone = last(all_of_kind<EvaluationEvent>(run("one"))),
             shared = last(all_of_kind<EvaluationEvent>(run("two")));
  QCOMPARE(shared.samples, alone.samples);  // nothing is counted twice
}

namespace {

/// A run that goes on in the background until it is told to end.
class Background {
 public:
  explicit Background(const std::string& folder, const QStringList& more = {}) : folder_(folder) {
    process_.start(Engine::program(),
                   Engine::train(folder, QStringList{QStringLiteral("budget.steps=100000"),
                                                     QStringLiteral("evaluate.every_steps=100000"),
                                                     QStringLiteral("checkpoint.every_steps=100000")} +
                                             more));
  }
  ~Background() {
    process_.kill();
    process_.waitForFinished(5000);
  }
  bool wait_for_step(std::int64_t step) {
    return QTest::qWaitFor(
        [&] {
          const auto steps = all_of_kind<StepEvent>(folder_);
          return !steps.empty() && steps.back().step >= step;
        },
        60000);
  }
  bool wait_for_state(RunState state) {
    return QTest::qWaitFor([&] { return last_state(folder_).state == state; }, 30000);
  }
  bool ends() { return process_.state() == QProcess::NotRunning || process_.waitForFinished(20000); }
  QProcess& process() { return process_; }

 private:
  std::string folder_;
  QProcess process_;
};

Engine steer(const char* verb, const std::string& folder) {
  return Engine::call({QStringLiteral("run"), QString::fromLatin1(verb), QString::fromStdString(folder)});
}

}  // namespace

void EngineTest::pauseResumeStop() {
  const std::string folder = run("steered");
  Background background(folder);
  QVERIFY(background.wait_for_step(3));
  QCOMPARE(steer("resume", folder).exit_code, 1);  // it is not paused
  QCOMPARE(steer("pause", folder).exit_code, 0);
  QVERIFY(background.wait_for_state(RunState::paused));
  const auto paused_at = last_state(folder).step;
  QCOMPARE(RunFolder(folder).checkpoint_steps().back(), paused_at);
  // The workers are gone: only the supervisor is left, which holds the lock.
  QVERIFY(QTest::qWaitFor(
      [&] {
        QProcess children;
        children.start(QStringLiteral("pgrep"),
                       {QStringLiteral("-P"), QString::number(background.process().processId())});
        children.waitForFinished();
        return children.readAllStandardOutput().trimmed().isEmpty();
      },
      5000));
  QVERIFY(RunFolder(folder).lock_holder().has_value());
  QCOMPARE(summarise_run(folder).state, ShownState::paused);
  QCOMPARE(steer("checkpoint", folder).exit_code, 1);  // nothing to save while paused
  QCOMPARE(steer("resume", folder).exit_code, 0);
  QVERIFY(background.wait_for_step(paused_at + 2));
  QCOMPARE(all_of_kind<ResumedEvent>(folder).back().step, paused_at);
  QCOMPARE(steer("checkpoint", folder).exit_code, 0);
  QCOMPARE(steer("stop", folder).exit_code, 0);
  QVERIFY(background.ends());
  QCOMPARE(background.process().exitCode(), 0);
  QCOMPARE(last_state(folder).state, RunState::stopped);
  QCOMPARE(RunFolder(folder).checkpoint_steps().back(), last_state(folder).step);
  QVERIFY(!RunFolder(folder).lock_holder().has_value());
  QCOMPARE(steer("stop", folder).exit_code, 1);  // nobody there any more
  for (const auto& command : all_of_kind<CommandEvent>(folder)) QVERIFY(!command.id.empty());
}

void EngineTest::abortAndTerminate() {
  const std::string folder = run("aborted");
  {
    Background background(folder, {QStringLiteral("distributed.local_ranks=2")});
    QVERIFY(background.wait_for_step(2));
    QCOMPARE(steer("abort", folder).exit_code, 0);
    QVERIFY(background.ends());
    QCOMPARE(last_state(folder).state, RunState::stopped);
    QVERIFY(RunFolder(folder).checkpoint_steps().empty());
  }
  const std::string second = run("terminated");
  Background background(second);
  QVERIFY(background.wait_for_step(2));
  ::kill(static_cast<pid_t>(background.process().processId()), SIGTERM);
  QVERIFY(background.ends());
  QCOMPARE(background.process().exitCode(), 0);
  QCOMPARE(last_state(second).state, RunState::stopped);
  QCOMPARE(RunFolder(second).checkpoint_steps().back(), last_state(second).step);
}

/// Two processes with torchrun's variables are the two ranks of one run, equal to two ranks of our own launcher.
void EngineTest::torchrunsRanksAreOneRun() {
  const auto own = Engine::call(Engine::train(run("own"), {QStringLiteral("distributed.local_ranks=2")}));
  QVERIFY2(own.exit_code == 0, own.errors.c_str());
  const QString port = QString::number(open_master_socket()->port);  // free, and free again now
  std::array<QProcess, 2> ranks;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
    variables.insert(QStringLiteral("RANK"), QString::number(rank));
    variables.insert(QStringLiteral("LOCAL_RANK"), QString::number(rank));
    variables.insert(QStringLiteral("WORLD_SIZE"), QStringLiteral("2"));
    variables.insert(QStringLiteral("LOCAL_WORLD_SIZE"), QStringLiteral("2"));
    variables.insert(QStringLiteral("MASTER_ADDR"), QStringLiteral("127.0.0.1"));
    variables.insert(QStringLiteral("MASTER_PORT"), port);
    ranks[rank].setProcessEnvironment(variables);
    ranks[rank].start(Engine::program(), Engine::train(run("torchrun")));
  }
  for (QProcess& rank : ranks) {
    QVERIFY(rank.waitForFinished(60000));
    QVERIFY2(rank.exitCode() == 0, rank.readAllStandardError().constData());
  }
  QCOMPARE(last_state(run("torchrun")).state, RunState::finished);
  QCOMPARE(all_of_kind<StepEvent>(run("torchrun")).size(), std::size_t{8});
  QCOMPARE(all_of_kind<RunEvent>(run("torchrun")).back().ranks, 2);
  QCOMPARE(fingerprint(run("torchrun"), 8), fingerprint(run("own"), 8));
}

/// `run resume` takes up a run whose engine was killed, and one that was stopped, in a process of its own.
void EngineTest::endOfADeadRunIsResumed() {
  const std::string folder = run("dead");
  {
    Background background(folder, {QStringLiteral("checkpoint.every_steps=5")});
    QVERIFY(background.wait_for_step(7));
    background.process().kill();
    QVERIFY(background.ends());
  }
  QVERIFY(QTest::qWaitFor([&] { return summarise_run(folder).state == ShownState::died; }));
  const auto saved = RunFolder(folder).checkpoint_steps().back();
  const auto resumed = steer("resume", folder);
  QVERIFY2(resumed.exit_code == 0, resumed.errors.c_str());
  QCOMPARE(resumed.out, "Goes on from step " + std::to_string(saved) + "\n");
  const auto stepped_on = [&](std::int64_t from) {
    return QTest::qWaitFor(
        [&] {
          const auto steps = all_of_kind<StepEvent>(folder);
          return all_of_kind<ResumedEvent>(folder).back().step == from && steps.back().step > from + 1;
        },
        30000);
  };
  QVERIFY(stepped_on(saved));
  QCOMPARE(steer("stop", folder).exit_code, 0);
  const auto nobody_holds_it = [&] { return !RunFolder(folder).lock_holder().has_value(); };
  QVERIFY(QTest::qWaitFor(nobody_holds_it, 20000));
  const auto stopped = last_state(folder);
  QCOMPARE(stopped.state, RunState::stopped);
  QCOMPARE(RunFolder(folder).checkpoint_steps().back(), stopped.step);
  QCOMPARE(steer("resume", folder).out, "Goes on from step " + std::to_string(stopped.step) + "\n");
  QVERIFY(stepped_on(stopped.step));
  QCOMPARE(steer("stop", folder).exit_code, 0);
  QVERIFY(QTest::qWaitFor(nobody_holds_it, 20000));
  QVERIFY(last_state(folder).step > stopped.step);
}

/// An evaluation is broken off: the run saves where it is and ends.
void EngineTest::terminatedWhileEvaluating() {
  const std::string folder = run("evaluating");
  Background background(folder, {QStringLiteral("evaluate.every_steps=3"), QStringLiteral("evaluate.pictures=1000"),
                                 QStringLiteral("evaluate.batch=2")});
  QVERIFY(QTest::qWaitFor(
      [&] {
        const auto state = last_state(folder);
        return state.state == RunState::evaluating && state.step == 3;
      },
      60000));
  ::kill(static_cast<pid_t>(background.process().processId()), SIGTERM);
  QVERIFY(background.ends());
  QCOMPARE(background.process().exitCode(), 0);
  QCOMPARE(last_state(folder).state, RunState::stopped);
  QCOMPARE(last_state(folder).step, std::int64_t{3});
  QCOMPARE(RunFolder(folder).checkpoint_steps(), (std::vector<std::int64_t>{3}));
  for (const auto& evaluation : all_of_kind<EvaluationEvent>(folder)) QVERIFY(evaluation.step < 3);
}

void EngineTest::fileSizeLimitIsTold() {
  // 1 MiB is less than the token table takes: no checkpoint can be written, events can.
  const std::string folder = run("limited");
  QStringList arguments{QStringLiteral("-c"), QStringLiteral("ulimit -f 1024; exec \"$@\""), QStringLiteral("sh"),
                        Engine::program()};
  arguments += Engine::train(folder);
  QProcess process;
  process.start(QStringLiteral("bash"), arguments);
  QVERIFY(process.waitForFinished(60000));
  QCOMPARE(process.exitCode(), 1);
  const auto state = last_state(folder);
  QCOMPARE(state.state, RunState::failed);
  QVERIFY2(state.reason.find("larger than allowed") != std::string::npos, state.reason.c_str());
  QVERIFY(RunFolder(folder).checkpoint_steps().empty());
  std::int64_t told = 0;
  for (const auto& warning : all_of_kind<WarningEvent>(folder)) told += warning.code == "checkpoint_failed" ? 1 : 0;
  QCOMPARE(told, std::int64_t{3});  // steps 3, 6 and 8: the run went on after the first two
  QCOMPARE(all_of_kind<StepEvent>(folder).size(), std::size_t{8});
}

/// A disk that has room for one checkpoint (20 MB) and not for a second beside it.
void EngineTest::fullDiskIsTold() {
  const std::string disk = run("disk"), folder = disk + "/run";
  QVERIFY(fs::create_directory(disk));
  if (::mount("disco-test", disk.c_str(), "tmpfs", 0, "size=30m") != 0)
    QSKIP("mounting a small disk needs root (CAP_SYS_ADMIN)");
  const auto unmount = qScopeGuard([&] { ::umount2(disk.c_str(), MNT_DETACH); });
  const auto full = Engine::call(Engine::train(folder));
  QCOMPARE(full.exit_code, 1);
  const auto state = last_state(folder);
  QCOMPARE(state.state, RunState::failed);
  QVERIFY2(state.reason.find("the disk is full") != std::string::npos, state.reason.c_str());
  QVERIFY2(state.reason.find(disk) != std::string::npos, state.reason.c_str());
  QVERIFY2(full.errors.find("the disk is full") != std::string::npos, full.errors.c_str());
  QCOMPARE(all_of_kind<StepEvent>(folder).size(), std::size_t{8});  // the run went on past step 6
  QCOMPARE(RunFolder(folder).checkpoint_steps(), (std::vector<std::int64_t>{3}));
  for (const auto& entry : fs::directory_iterator(fs::path(folder) / "checkpoints"))
    QVERIFY2(!entry.path().string().ends_with(".tmp"), entry.path().c_str());
  // With room again it goes on from step 3 to the same end.
  QCOMPARE(::mount("disco-test", disk.c_str(), "tmpfs", MS_REMOUNT, "size=200m"), 0);
  const auto resumed =
      Engine::call({QStringLiteral("train"), QString::fromStdString(folder), QStringLiteral("--resume")});
  QVERIFY2(resumed.exit_code == 0, resumed.errors.c_str());
  QCOMPARE(all_of_kind<ResumedEvent>(folder).back().step, std::int64_t{3});
  QCOMPARE(fingerprint(folder, 8), fingerprint(uninterrupted(), 8));
}

/// Half the precision in the networks: learns, and goes on bit for bit too.
void EngineTest::bf16TrainsAndResumes() {
  const QStringList bf16{QStringLiteral("precision=bf16")};
  const auto whole = Engine::call(Engine::train(run("bf16"), bf16));
  QVERIFY2(whole.exit_code == 0, whole.errors.c_str());
  const auto steps = all_of_kind<StepEvent>(run("bf16"));
  QCOMPARE(steps.size(), std::size_t{8});
  for (const auto& step : steps) QVERIFY(step.applied && std::isfinite(step.loss));
  // It is another arithmetic than fp32, and near it.
  const double fp32 = all_of_kind<StepEvent>(uninterrupted()).front().loss;
  QVERIFY(steps.front().loss != fp32 && std::abs(steps.front().loss - fp32) < 0.02 * fp32);
  const auto killed = Engine::call(Engine::train(run("bf16-killed"), bf16),
                                   {{QStringLiteral("DISCO_TEST_KILL_AT"), QStringLiteral("checkpoint.fsync:2")}});
  QCOMPARE(killed.exit_code, 1);
  const auto resumed =
      Engine::call({QStringLiteral("train"), QString::fromStdString(run("bf16-killed")), QStringLiteral("--resume")});
  QVERIFY2(resumed.exit_code == 0, resumed.errors.c_str());
  QCOMPARE(all_of_kind<ResumedEvent>(run("bf16-killed")).back().step, std::int64_t{3});
  QCOMPARE(fingerprint(run("bf16-killed"), 8), fingerprint(run("bf16"), 8));
}

void EngineTest::secondEngineIsRefused() {
  const std::string folder = run("held");
  Background background(folder);
  QVERIFY(background.wait_for_step(1));
  const auto second =
      Engine::call({QStringLiteral("train"), QString::fromStdString(folder), QStringLiteral("--resume")});
  QCOMPARE(second.exit_code, 1);
  QVERIFY2(second.errors.find("held by another engine") != std::string::npos, second.errors.c_str());
  const auto again = Engine::call(Engine::train(folder));
  QCOMPARE(again.exit_code, 1);
  QVERIFY2(again.errors.find("run already") != std::string::npos, again.errors.c_str());
  QCOMPARE(steer("abort", folder).exit_code, 0);
  QVERIFY(background.ends());
}

void EngineTest::badInput_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<int>("code");
  QTest::addColumn<QString>("message");
  const QString missing = folder_.path() + QStringLiteral("/missing");
  const QString empty = folder_.path() + QStringLiteral("/empty");
  QDir().mkpath(empty);
  const auto with_folder = [&](const QString& name, const QString& data) {
    return Engine::train(run(name.toLatin1().constData()),
                         {QStringLiteral("data.source=folder"), QStringLiteral("data.path=") + data});
  };
  QTest::newRow("no such folder") << with_folder(QStringLiteral("b1"), missing) << 2 << missing;
  QTest::newRow("no pictures") << with_folder(QStringLiteral("b2"), empty) << 1 << empty;
  QTest::newRow("unknown preset") << QStringList{QStringLiteral("train"), QString::fromStdString(run("b3")),
                                                 QStringLiteral("--preset"), QStringLiteral("cartons")}
                                  << 1 << QStringLiteral("cartoons");
  QTest::newRow("nothing to resume") << QStringList{QStringLiteral("train"), missing, QStringLiteral("--resume")} << 1
                                     << QStringLiteral("no run");
  QTest::newRow("not a run") << QStringList{QStringLiteral("run"), QStringLiteral("show"), empty} << 1
                             << QStringLiteral("run.json");
  QTest::newRow("no subcommand") << QStringList{} << 2 << QStringLiteral("subcommand");
  QTest::newRow("no model")
      << QStringList{QStringLiteral("predict"), QStringLiteral("--model"), missing,
                     QStringLiteral("--image"), QStringLiteral("x.png"),   QStringLiteral("--caption"),
                     QStringLiteral("a")}
      << 1 << missing;
}

void EngineTest::badInput() {
  QFETCH(QStringList, arguments);
  QFETCH(int, code);
  QFETCH(QString, message);
  const auto engine = Engine::call(arguments);
  QCOMPARE(engine.exit_code, code);
  QVERIFY2(engine.errors.find(message.toStdString()) != std::string::npos, engine.errors.c_str());
}

void EngineTest::configurationWithThreeMistakes() {
  const std::string file = run("mistakes.json");
  std::ofstream(file)
      << R"({"optimizer": {"lr": 1, "learning_rate": -1}, "batch": {"size": "many"}, "budget": {"steps": 5}})";
  const auto engine = Engine::call({QStringLiteral("train"), QString::fromStdString(run("b9")),
                                    QStringLiteral("--config"), QString::fromStdString(file)});
  QCOMPARE(engine.exit_code, 2);
  for (const char* path : {"optimizer.lr", "optimizer.learning_rate", "batch.size"})
    QVERIFY2(engine.errors.find(path) != std::string::npos, engine.errors.c_str());
  QVERIFY(!fs::exists(run("b9")));
}

QTEST_GUILESS_MAIN(EngineTest)
#include "engine_test.moc"
