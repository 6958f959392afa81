// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <cstdlib>

#include "engine/base/hash.h"

namespace disco {
namespace fs = std::filesystem;

/// Runs `body` in a child process; returns its wait status.
template <class Body>
int in_child(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    body();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

class FilesTest : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  fs::path at(const char* name) const { return fs::path(folder_.path().toStdString()) / name; }

 private Q_SLOTS:
  void atomicWriteReplacesTheWholeFile() {
    QVERIFY(write_atomically(at("a"), "first, and longer"));
    QVERIFY(write_atomically(at("a"), "second"));
    QCOMPARE(read_file(at("a")).value(), std::string("second"));
    QCOMPARE(std::distance(fs::directory_iterator(folder_.path().toStdString()), fs::directory_iterator{}), 1);
  }

  void aWriteThatDoesNotFitLeavesTheOldFile() {
    QVERIFY(write_atomically(at("b"), "old"));
    const int status = in_child([&] {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{1000, 1000};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      const auto outcome = write_atomically(at("b"), std::string(100000, 'x'));
      if (outcome || outcome.error().where != at("b").string()) ::_exit(1);
    });
    QCOMPARE(status, 0);
    QCOMPARE(read_file(at("b")).value(), std::string("old"));
    for (const auto& entry : fs::directory_iterator(folder_.path().toStdString()))
      QVERIFY(entry.path().string().find(".tmp-") == std::string::npos);
  }

  void oneHolderAtATime() {
    auto first = FileLock::try_acquire(at("lock"));
    QVERIFY(first && first->has_value());
    QVERIFY(FileLock::is_held(at("lock")));
    auto second = FileLock::try_acquire(at("lock"));
    QVERIFY(second && !second->has_value());
    const int status = in_child([&] { ::_exit(FileLock::is_held(at("lock")) ? 7 : 8); });
    QCOMPARE(WEXITSTATUS(status), 7);
    *first = std::nullopt;
    QVERIFY(!FileLock::is_held(at("lock")));
  }

  void askingForALockNeverTakesIt() {
    QVERIFY(!FileLock::is_held(at("asked")));
    QVERIFY(!fs::exists(at("asked")));
    auto lock = FileLock::try_acquire(at("asked"));
    QVERIFY(lock && lock->has_value());
  }

  void anIncompleteLineIsCut() {
    QVERIFY(write_atomically(at("lines"), "one\ntwo\nthr"));
    QCOMPARE(cut_incomplete_line(at("lines")).value(), std::uint64_t{3});
    QCOMPARE(read_file(at("lines")).value(), std::string("one\ntwo\n"));
    QCOMPARE(cut_incomplete_line(at("lines")).value(), std::uint64_t{0});
    QVERIFY(write_atomically(at("lines"), std::string(200000, 'x')));
    QCOMPARE(cut_incomplete_line(at("lines")).value(), std::uint64_t{200000});
  }

  void linesOfTwoProcessesDoNotMix() {
    const auto writer = [&](char letter) {
      auto file = LineAppender::open(at("shared"));
      for (int i = 0; i < 500; ++i)
        if (!file || !file->append(std::string(300, letter))) ::_exit(1);
    };
    const pid_t child = ::fork();
    if (child == 0) {
      writer('a');
      ::_exit(0);
    }
    writer('b');
    int status = 0;
    ::waitpid(child, &status, 0);
    QCOMPARE(status, 0);
    const std::string text = read_file(at("shared")).value();
    QCOMPARE(text.size(), std::size_t{2 * 500 * 301});
    for (std::size_t i = 0; i < text.size(); i += 301)
      QVERIFY(text.find_first_not_of(text[i], i) == i + 300 && text[i + 300] == '\n');
  }

  void largeFilesAreRefusedBeforeReading() {
    QVERIFY(write_atomically(at("large"), std::string(1000, 'x')));
    const auto text = read_file(at("large"), 999);
    QVERIFY(!text);
    QVERIFY(!read_file(at("missing")));
    QVERIFY(!read_file(folder_.path().toStdString()));
  }

  void killPointKillsWhereAsked() {
    const int status = in_child([] {
      ::setenv("DISCO_TEST_KILL_AT", "here:2", 1);
      kill_point("elsewhere");
      kill_point("here");
      kill_point("here");
    });
    QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  }

  void checksumOfAFileIsTheChecksumOfItsBytes() {
    const std::string text(3'000'000, 'q');
    QVERIFY(write_atomically(at("hashed"), text));
    QCOMPARE(file_hash128_hex(at("hashed")).value(), hash128_hex(std::as_bytes(std::span(text))));
    // XXH3's published value for the empty input.
    QCOMPARE(hash128_hex({}), std::string("99aa06d3014798d86001c324468d497f"));
  }
};

}  // namespace disco

QTEST_GUILESS_MAIN(disco::FilesTest)
#include "files_test.moc"
