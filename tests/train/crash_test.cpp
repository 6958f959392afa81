// SPDX-License-Identifier: GPL-3.0-or-later
//
// kill -9 at random moments, twenty times: whatever an engine was doing then, going on ends with the same weights,
// moments and random state, bit for bit, as a run that nothing disturbed.
#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QFile>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "tests/train/engine_runs.h"

using namespace disco;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t steps = 24;
constexpr int kills = 20;

QStringList settings() {
  return {QStringLiteral("budget.steps=%1").arg(steps), QStringLiteral("checkpoint.every_steps=2"),
          QStringLiteral("evaluate.every_steps=7"), QStringLiteral("sample.every_steps=5")};
}

/// SHA-256 of the weights, of the moments, and of what random numbers are drawn from (seed, positions, budget, data) at
/// the last step. The time that was trained for is the one thing that may differ.
QByteArrayList hashes(const std::string& run) {
  const fs::path folder = RunFolder(run).checkpoint_path(steps);
  QByteArrayList found;
  for (const char* name : {"model.safetensors", "optimizer.safetensors"}) {
    QFile file(QString::fromStdString((folder / name).string()));
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!file.open(QIODevice::ReadOnly) || !hash.addData(&file)) return {};
    found << hash.result().toHex();
  }
  const auto text = read_file(folder / "trainer.json");
  auto state = text ? parse_json(*text, "trainer.json") : tl::unexpected(text.error());
  if (!state) return {};
  state->erase("trained_seconds");
  const std::string random = state->dump();
  return found << QCryptographicHash::hash({random.data(), static_cast<qsizetype>(random.size())},
                                           QCryptographicHash::Sha256)
                      .toHex();
}

/// The only rank of a supervisor, 0 while there is none.
pid_t rank_of(qint64 supervisor) {
  QFile children(QStringLiteral("/proc/%1/task/%1/children").arg(supervisor));
  return children.open(QIODevice::ReadOnly) ? children.readAll().trimmed().split(' ').front().toInt() : 0;
}

/// Whether a process has ended; nobody may have fetched its exit status yet.
bool ended(pid_t process) {
  QFile command(QStringLiteral("/proc/%1/cmdline").arg(process));
  return !command.open(QIODevice::ReadOnly) || command.readAll().isEmpty();
}

/// Sends SIGKILL after `moment` ms to the supervisor (which takes the rank with it) or to the rank alone; false when
/// the engine had come to its end before. Returns when nothing of the engine is left.
bool kill_after(const QStringList& arguments, int moment, bool rank_alone) {
  QProcess engine;
  engine.start(Engine::program(), arguments);
  if (!engine.waitForStarted() || engine.waitForFinished(moment)) return false;
  const pid_t rank = rank_of(engine.processId());
  ::kill(rank_alone && rank > 0 ? rank : static_cast<pid_t>(engine.processId()), SIGKILL);
  engine.waitForFinished();
  while (rank > 0 && !ended(rank)) QTest::qWait(1);
  return engine.exitStatus() == QProcess::CrashExit || engine.exitCode() != 0;
}

}  // namespace

class CrashTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void twentyKillsChangeNothing();
};

void CrashTest::twentyKillsChangeNothing() {
  QTemporaryDir folder;
  const auto run_named = [&](const QString& name) { return folder.filePath(name).toStdString(); };
  QElapsedTimer timer;
  timer.start();
  const auto whole = Engine::call(Engine::train(run_named(QStringLiteral("whole")), settings()));
  QVERIFY2(whole.exit_code == 0, whole.errors.c_str());
  const int length = static_cast<int>(timer.elapsed());
  const QByteArrayList expected = hashes(run_named(QStringLiteral("whole")));
  QCOMPARE(expected.size(), 3);

  const QByteArray given = qgetenv("DISCO_TEST_SEED");
  const quint32 seed = given.isEmpty() ? QRandomGenerator::global()->generate() : given.toUInt();
  qInfo("moments are drawn with DISCO_TEST_SEED=%u from 0 to %d ms", seed, length);
  QRandomGenerator random(seed);
  int killed = 0, kept = 0;
  for (int number = 0; killed < kills; ++number) {
    QVERIFY2(number < 5 * kills, "runs end before they can be killed");
    const std::string run = run_named(QStringLiteral("killed-%1").arg(number));
    const QStringList resume{QStringLiteral("train"), QString::fromStdString(run), QStringLiteral("--resume")};
    // One history: started, killed and gone on with until a session comes to its end.
    while (killed < kills) {
      const bool begun = RunFolder(run).exists();
      if (!kill_after(begun ? resume : Engine::train(run, settings()), random.bounded(length), random.bounded(4) == 0))
        break;
      ++killed;
      if (RunFolder(run).exists() && !RunFolder(run).checkpoint_steps().empty()) ++kept;
    }
    const auto last = Engine::call(RunFolder(run).exists() ? resume : Engine::train(run, settings()));
    QVERIFY2(last.exit_code == 0, last.errors.c_str());
    QCOMPARE(last_state(run).state, RunState::finished);
    QCOMPARE(hashes(run), expected);
  }
  qInfo("%d kills, %d of them with a checkpoint to go on from; %s", killed, kept, expected.join(' ').constData());
  QVERIFY2(kept > 0, "every kill came before the first checkpoint");
}

QTEST_GUILESS_MAIN(CrashTest)
#include "crash_test.moc"
