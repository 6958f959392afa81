// SPDX-License-Identifier: GPL-3.0-or-later
//
// Real ranks: this program starts itself through the launcher, once a rank, and the ranks meet over Gloo.
#include <torch/types.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "engine/distributed/communicator.h"
#include "engine/distributed/launcher.h"
#include "engine/distributed/rendezvous.h"

using namespace disco;
using namespace std::chrono_literals;

namespace {

constexpr const char* kScene = "DISCO_TEST_SCENE";
constexpr const char* kFolder = "DISCO_TEST_FOLDER";

/// Waits until the ranks other than 1 have said that they are there.
void wait_for_survivors() {
  const std::filesystem::path folder = std::getenv(kFolder);
  while (!std::filesystem::exists(folder / "0") || !std::filesystem::exists(folder / "2")) {
    std::this_thread::sleep_for(10ms);
  }
}

/// What a rank does in each scene; rank 1 is the one that misbehaves. Survivors are deaf to SIGTERM, so that they must
/// find out for themselves, as they would without our launcher.
int act(const std::string& scene) {
  std::signal(SIGTERM, SIG_IGN);
  const Result<Rendezvous> place = rendezvous_from_environment();
  if (!place) return 40;
  const bool bad = place->rank == 1;
  std::ofstream(std::filesystem::path(std::getenv(kFolder)) / std::to_string(place->rank)) << "here";
  if (scene == "dies before meeting" && bad) {
    wait_for_survivors();
    std::raise(SIGKILL);
  }
  Result<std::unique_ptr<Communicator>> communicator = communicator_from_environment(scene == "all well" ? 60s : 3s);
  if (!communicator) {
    std::fprintf(stderr, "%s\n", communicator.error().message().c_str());
    return 41;
  }
  try {
    at::Tensor number = at::full({1}, (*communicator)->rank() + 1, at::kDouble);
    (*communicator)->all_reduce(number, Reduce::sum);
    if (number.item<double>() != 6) return 42;
    if (scene == "stands still" && bad) std::raise(SIGSTOP);
    if (scene == "dies while others wait" && bad) {
      std::this_thread::sleep_for(500ms);
      std::raise(SIGKILL);
    }
    (*communicator)->barrier();
  } catch (const CommunicationError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 43;
  }
  if (place->rank != 0) std::this_thread::sleep_for(300ms);  // rank 0, which keeps the meeting point, leaves first
  return 0;
}

struct Played {
  LaunchOutcome outcome;
  std::string log;
  qint64 milliseconds = 0;
};

Played play(const char* scene) {
  const QTemporaryDir folder;
  LaunchOptions options;
  options.command = {"/proc/self/exe"};
  options.ranks = 3;
  options.log = folder.path().toStdString() + "/engine.log";
  options.environment = {{kScene, scene}, {kFolder, folder.path().toStdString()}};
  options.grace = 60s;
  QElapsedTimer timer;
  timer.start();
  Played played;
  Result<LaunchOutcome> outcome = launch_ranks(options);
  if (outcome) {
    played.outcome = *outcome;
  } else {
    played.log = outcome.error().message();
    played.outcome.exit_code = 99;
  }
  played.milliseconds = timer.elapsed();
  std::ifstream file(options.log);
  std::ostringstream text;
  text << file.rdbuf();
  played.log += text.str();
  return played;
}

}  // namespace

class RankProcessesTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void a_normal_end_is_quiet();
  void death_before_meeting();
  void death_while_others_wait();
  void a_rank_that_stands_still();
};

void RankProcessesTest::a_normal_end_is_quiet() {
  const Played played = play("all well");
  QVERIFY2(played.outcome.ok(), played.log.c_str());
  QVERIFY2(played.log.find("closed") == std::string::npos, played.log.c_str());
}

void RankProcessesTest::death_before_meeting() {
  const Played played = play("dies before meeting");
  QCOMPARE(played.outcome.rank, 1);
  QCOMPARE(played.outcome.signal, SIGKILL);
  QVERIFY2(played.log.find("rank 0 of 3 could not connect") != std::string::npos, played.log.c_str());
  QVERIFY2(played.log.find("rank 2 of 3 could not connect") != std::string::npos, played.log.c_str());
  QVERIFY(played.milliseconds < 30'000);
}

void RankProcessesTest::death_while_others_wait() {
  const Played played = play("dies while others wait");
  QCOMPARE(played.outcome.rank, 1);
  QCOMPARE(played.outcome.signal, SIGKILL);
  QVERIFY2(played.log.find("another rank is gone") != std::string::npos, played.log.c_str());
  QVERIFY(played.milliseconds < 30'000);
}

void RankProcessesTest::a_rank_that_stands_still() {
  const Played played = play("stands still");
  QCOMPARE(played.outcome.rank, 1);
  QVERIFY(played.outcome.was_stopped);
  QVERIFY2(played.log.find("could not finish a barrier") != std::string::npos, played.log.c_str());
  QVERIFY(played.milliseconds < 30'000);
}

int main(int argc, char** argv) {
  if (const char* scene = std::getenv(kScene)) return act(scene);
  const QCoreApplication application(argc, argv);
  RankProcessesTest test;
  return QTest::qExec(&test, argc, argv);
}

#include "rank_processes_test.moc"
