// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/distributed/launcher.h"

#include <sys/wait.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>

#include "engine/distributed/rendezvous.h"

using namespace disco;
using namespace std::chrono_literals;

namespace {

LaunchOptions shell(const QTemporaryDir& folder, int ranks, const std::string& script) {
  LaunchOptions options;
  options.command = {"/bin/sh", "-c", script};
  options.ranks = ranks;
  options.log = folder.path().toStdString() + "/engine.log";
  options.grace = 500ms;
  options.environment = {{"FOLDER", folder.path().toStdString()}};
  return options;
}

std::string content(const QTemporaryDir& folder, const char* name) {
  std::ifstream file(folder.path().toStdString() + "/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Runs or waits to be reaped; a process that has ended but that nobody has waited for does not count.
bool is_alive(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(stat, line)) return false;
  return line.substr(line.rfind(')') + 2, 1) != "Z";
}

bool wait_until(const std::function<bool()>& condition, std::chrono::milliseconds limit = 10s) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(10ms);
  }
  return true;
}

/// A supervisor in a process of its own, which signals can be sent to.
pid_t supervise_in_child(const LaunchOptions& options) {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  const Result<LaunchOutcome> outcome = launch_ranks(options);
  _exit(!outcome ? 99 : outcome->ok() ? (outcome->asked_to_stop ? 10 : 0) : 20 + outcome->rank);
}

int exit_code_of(pid_t pid) {
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace

class LauncherTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void ranks_know_their_place();
  void one_rank_is_enough();
  void exit_code_names_the_rank();
  void signal_names_the_rank();
  void deaf_ranks_are_killed();
  void a_rank_that_stands_still_is_to_blame();
  void lines_are_logged_whole();
  void a_stop_is_passed_on_once();
  void ranks_die_with_the_supervisor();
  void a_missing_program_is_named();
  void rendezvous_names_the_bad_variable();
  void own_address_needs_no_name();
};

void LauncherTest::ranks_know_their_place() {
  const QTemporaryDir folder;
  const Result<LaunchOutcome> outcome = launch_ranks(shell(
      folder, 3,
      R"(echo "$RANK $LOCAL_RANK $WORLD_SIZE $MASTER_ADDR $MASTER_PORT ${DISCO_MASTER_SOCKET:+socket}" > $FOLDER/$RANK)"));
  QVERIFY(outcome && outcome->ok());
  QCOMPARE(outcome->described(), std::string("finished"));
  std::string port;
  for (int rank = 0; rank < 3; ++rank) {
    std::istringstream words(content(folder, std::to_string(rank).c_str()));
    int own = -1, local = -1, size = 0, own_port = 0;
    std::string address, socket;
    words >> own >> local >> size >> address >> own_port >> socket;
    QCOMPARE(own, rank);
    QCOMPARE(local, rank);
    QCOMPARE(size, 3);
    QCOMPARE(address, std::string("127.0.0.1"));
    QVERIFY(own_port > 0);
    if (rank == 0) port = std::to_string(own_port);
    QCOMPARE(std::to_string(own_port), port);
    QCOMPARE(socket, std::string(rank == 0 ? "socket" : ""));
  }
}

void LauncherTest::one_rank_is_enough() {
  const QTemporaryDir folder;
  const Result<LaunchOutcome> outcome = launch_ranks(shell(folder, 1, "echo last words >&2; exit 7"));
  QVERIFY(outcome.has_value());
  QCOMPARE(outcome->exit_code, 7);
  QCOMPARE(outcome->last_lines, std::vector<std::string>{"last words"});
}

void LauncherTest::exit_code_names_the_rank() {
  const QTemporaryDir folder;
  QElapsedTimer timer;
  timer.start();
  const Result<LaunchOutcome> outcome =
      launch_ranks(shell(folder, 3, "[ $RANK = 1 ] && { echo broken >&2; exit 3; }; exec sleep 60"));
  QVERIFY(outcome && !outcome->ok());
  QCOMPARE(outcome->rank, 1);
  QCOMPARE(outcome->exit_code, 3);
  QCOMPARE(outcome->described(), std::string("rank 1 failed with exit code 3"));
  QCOMPARE(outcome->last_lines, std::vector<std::string>{"broken"});
  QVERIFY(timer.elapsed() < 30'000);  // the others did not sleep to their end
}

void LauncherTest::signal_names_the_rank() {
  const QTemporaryDir folder;
  const Result<LaunchOutcome> outcome = launch_ranks(shell(folder, 2, "[ $RANK = 0 ] && kill -9 $$; exec sleep 60"));
  QVERIFY(outcome && !outcome->ok());
  QCOMPARE(outcome->rank, 0);
  QCOMPARE(outcome->signal, SIGKILL);
  QVERIFY(outcome->described().find("rank 0 was ended by signal 9") == 0);
}

void LauncherTest::deaf_ranks_are_killed() {
  const QTemporaryDir folder;
  const Result<LaunchOutcome> outcome =
      launch_ranks(shell(folder, 2,
                         "trap '' TERM; echo $$ > $FOLDER/$RANK; [ $RANK = 1 ] && { sleep 0.3; exit 4; };"
                         "while :; do sleep 0.1; done"));
  QVERIFY(outcome.has_value());
  QCOMPARE(outcome->rank, 1);
  QCOMPARE(outcome->exit_code, 4);
  QVERIFY(!is_alive(std::stoi(content(folder, "0"))));
}

void LauncherTest::a_rank_that_stands_still_is_to_blame() {
  const QTemporaryDir folder;
  const Result<LaunchOutcome> outcome =
      launch_ranks(shell(folder, 2, "[ $RANK = 1 ] && kill -STOP $$; sleep 0.5; exit 5"));
  QVERIFY(outcome && !outcome->ok());
  QCOMPARE(outcome->rank, 1);
  QVERIFY(outcome->was_stopped);
  QVERIFY(outcome->described().find("rank 1 stood still") == 0);
}

void LauncherTest::lines_are_logged_whole() {
  const QTemporaryDir folder;
  std::vector<std::string> seen;
  // Written in pieces, and the last line without its end.
  LaunchOptions options = shell(folder, 2, "printf 'one ' >&2; sleep 0.2; printf 'line\\n\\nrank %s' $RANK >&2");
  options.on_line = [&](int rank, std::string_view line) { seen.push_back(std::to_string(rank) + std::string(line)); };
  const Result<LaunchOutcome> outcome = launch_ranks(options);
  QVERIFY(outcome && outcome->ok());
  std::sort(seen.begin(), seen.end());
  QCOMPARE(seen, (std::vector<std::string>{"0", "0one line", "0rank 0", "1", "1one line", "1rank 1"}));
  QCOMPARE(outcome->last_lines, (std::vector<std::string>{"one line", "", "rank 0"}));
  std::istringstream log(content(folder, "engine.log"));
  std::string line;
  int count = 0;
  const QRegularExpression shape(
      QStringLiteral("^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[0-9.]*Z \\[[01]\\] (one line|rank [01]|)$"));
  for (; std::getline(log, line); ++count) QVERIFY2(shape.match(QString::fromStdString(line)).hasMatch(), line.c_str());
  QCOMPARE(count, 6);
}

void LauncherTest::a_stop_is_passed_on_once() {
  const QTemporaryDir folder;
  const pid_t supervisor =
      supervise_in_child(shell(folder, 2,
                               "trap 'echo asked >> $FOLDER/asked$RANK' TERM; echo up > $FOLDER/up$RANK;"
                               "until [ -s $FOLDER/asked$RANK ]; do sleep 0.05; done; i=0; while [ $i -lt 10 ]; do "
                               "sleep 0.05; i=$((i+1)); done; exit 0"));
  QVERIFY(wait_until([&] { return !content(folder, "up0").empty() && !content(folder, "up1").empty(); }));
  kill(supervisor, SIGINT);
  std::this_thread::sleep_for(200ms);
  kill(supervisor, SIGTERM);
  QCOMPARE(exit_code_of(supervisor), 10);  // asked to stop, and all ended well
  QCOMPARE(content(folder, "asked0"), std::string("asked\n"));
  QCOMPARE(content(folder, "asked1"), std::string("asked\n"));
}

void LauncherTest::ranks_die_with_the_supervisor() {
  const QTemporaryDir folder;
  const pid_t supervisor = supervise_in_child(shell(folder, 2, "echo $$ > $FOLDER/$RANK; exec sleep 60"));
  QVERIFY(wait_until([&] { return content(folder, "0").ends_with('\n') && content(folder, "1").ends_with('\n'); }));
  const pid_t first = std::stoi(content(folder, "0")), second = std::stoi(content(folder, "1"));
  QVERIFY(is_alive(first) && is_alive(second));
  kill(supervisor, SIGKILL);
  QCOMPARE(exit_code_of(supervisor), -SIGKILL);
  QVERIFY(wait_until([&] { return !is_alive(first) && !is_alive(second); }));
}

void LauncherTest::a_missing_program_is_named() {
  const QTemporaryDir folder;
  LaunchOptions options = shell(folder, 2, "");
  options.command = {"/no/such/program"};
  const Result<LaunchOutcome> outcome = launch_ranks(options);
  QVERIFY(!outcome.has_value());
  QCOMPARE(outcome.error().where, std::string("/no/such/program"));
}

void LauncherTest::rendezvous_names_the_bad_variable() {
  for (const char* name : {"RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT"}) qunsetenv(name);
  const Result<Rendezvous> alone = rendezvous_from_environment();
  QVERIFY(alone && alone->world_size == 1 && alone->rank == 0);

  qputenv("WORLD_SIZE", "2");
  QCOMPARE(rendezvous_from_environment().error().where, std::string("RANK"));
  qputenv("RANK", "2");
  QCOMPARE(rendezvous_from_environment().error().where, std::string("RANK"));
  qputenv("RANK", "1");
  QCOMPARE(rendezvous_from_environment().error().where, std::string("MASTER_ADDR"));
  qputenv("MASTER_ADDR", "127.0.0.1");
  qputenv("MASTER_PORT", "70000");
  QCOMPARE(rendezvous_from_environment().error().where, std::string("MASTER_PORT"));
  qputenv("MASTER_PORT", "29511");
  const Result<Rendezvous> place = rendezvous_from_environment();
  QVERIFY(place.has_value());
  QCOMPARE(place->rank, 1);
  QCOMPARE(place->world_size, 2);
  QCOMPARE(int{place->master_port}, 29511);
  QVERIFY(!place->master_socket.has_value());
  QVERIFY(!place->launcher_listens);
  qputenv("LOCAL_RANK", "1");
  qputenv("LOCAL_WORLD_SIZE", "1");  // fewer than its rank says
  QCOMPARE(rendezvous_from_environment().error().where, std::string("LOCAL_WORLD_SIZE"));
  qputenv("LOCAL_WORLD_SIZE", "2");
  qputenv("TORCHELASTIC_USE_AGENT_STORE", "True");
  qputenv("TORCHELASTIC_RESTART_COUNT", "3");
  const Result<Rendezvous> torchrun = rendezvous_from_environment();
  QVERIFY(torchrun && torchrun->launcher_listens);
  QCOMPARE(torchrun->attempt, 3);
  QCOMPARE(torchrun->local_size, 2);
  for (const char* name : {"RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT",
                           "TORCHELASTIC_USE_AGENT_STORE", "TORCHELASTIC_RESTART_COUNT"})
    qunsetenv(name);
}

void LauncherTest::own_address_needs_no_name() {
  QCOMPARE(*address_towards("127.0.0.1"), std::string("127.0.0.1"));
  QVERIFY(address_towards("no-such-host.invalid").error().where.find("no-such-host.invalid") != std::string::npos);
}

QTEST_GUILESS_MAIN(LauncherTest)
#include "launcher_test.moc"
