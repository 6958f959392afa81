// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/run_folder.h"

#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest>

namespace disco {
namespace fs = std::filesystem;

class RunFolderTest : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  fs::path at(const char* name) const { return fs::path(folder_.path().toStdString()) / name; }
  static RunConfig config() { return load_config(Json{{"budget", {{"steps", 1000}}}}).config; }

 private Q_SLOTS:
  void aRunIsReadBackAsItWasMade() {
    RunIdentity identity;
    identity.id = "abc";
    identity.name = "cartoons-1";
    identity.command = {"disco-engine", "train"};
    const auto folder = RunFolder::create(at("cartoons-1"), identity, config());
    QVERIFY2(folder.has_value(), folder ? "" : folder.error().message().c_str());
    QCOMPARE(folder->identity().value().command.size(), std::size_t{2});
    QVERIFY(write_json(folder->config().value().config) == write_json(config()));
    QVERIFY(folder->rename("better name"));
    QCOMPARE(folder->identity().value().name, std::string("better name"));
    QVERIFY(!folder->rename(""));
  }

  void nothingIsOverwritten() {
    QVERIFY(RunFolder::create(at("taken"), {}, config()));
    const auto again = RunFolder::create(at("taken"), {}, config());
    QVERIFY(!again && again.error().what == "there is a run already");
    fs::create_directories(at("full") / "photos");
    QVERIFY(!RunFolder::create(at("full"), {}, config()));
    QVERIFY(fs::exists(at("full") / "photos"));
  }

  void aSecondEngineIsToldWhoHoldsTheRun() {
    const auto folder = RunFolder::create(at("locked"), {}, config());
    auto lock = folder->lock();
    QVERIFY(lock.has_value());
    QCOMPARE(folder->lock_holder().value().process, static_cast<int>(::getpid()));
    const auto second = folder->lock();
    QVERIFY(!second);
    QVERIFY(second.error().what.find("process " + std::to_string(::getpid()) + " on this computer") !=
            std::string::npos);
    { const FileLock released = std::move(*lock); }
    QVERIFY(!folder->lock_holder());
  }

  /// "step-9" is older than "step-10", whatever the alphabet says, and only complete ones count.
  void checkpointsAreOrderedByNumber() {
    const auto folder = RunFolder::create(at("steps"), {}, config());
    for (const char* name :
         {"step-00000009", "step-00000010", "step-100000000", "step-7.tmp", "handpicked", "step-", "step-x"}) {
      fs::create_directories(folder->checkpoints_path() / name);
      QVERIFY(write_atomically(folder->checkpoints_path() / name / "manifest.json", "{}"));
    }
    fs::create_directories(folder->checkpoint_path(500));  // no manifest: not complete
    const std::vector<std::int64_t> right{9, 10, 100000000};
    QVERIFY(folder->checkpoint_steps() == right);
    QCOMPARE(folder->checkpoint_path(1200).filename().string(), std::string("step-00001200"));
  }

  void namesCountOn() {
    for (const char* name : {"cartoons-1", "cartoons-9", "cartoons-10", "cartoons-x", "stamps-40"})
      fs::create_directories(at("names") / name);
    QCOMPARE(free_run_name(at("names"), "cartoons"), std::string("cartoons-11"));
    QCOMPARE(free_run_name(at("names"), "bridge"), std::string("bridge-1"));
    QCOMPARE(free_run_name(at("nowhere"), "a"), std::string("a-1"));
  }
};

}  // namespace disco

QTEST_GUILESS_MAIN(disco::RunFolderTest)
#include "run_folder_test.moc"
