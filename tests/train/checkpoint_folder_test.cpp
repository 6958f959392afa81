// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/checkpoint_folder.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/train/event_log.h"

using namespace disco;
namespace fs = std::filesystem;

class CheckpointFolderTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    fs::create_directories(root() / "checkpoints");
  }
  // First: the children must be the first to look at the hook's variable.
  void killAtEachHookLeavesTheOldOne_data();
  void killAtEachHookLeavesTheOldOne();
  void completeAndVerified();
  void damageIsNamed();
  void fileSizeLimitLeavesTheOldOne();
  void rotationKeepsLastAndBestByNumber();
  void sameStepAgainReplaces();
  void linksFollow();
  void lostEventDoesNotSpoilTheNext();

 private:
  [[nodiscard]] fs::path root() const { return folder_->path().toStdString(); }
  [[nodiscard]] RunFolder run() const { return RunFolder(root()); }
  Result<std::int64_t> save(std::int64_t step, const std::string& content = "weights") const {
    return write_checkpoint(run(), step, {{"m", 0.5}}, [&](const fs::path& into) -> Result<void> {
      DISCO_CHECK(write_atomically(into / "model.safetensors", content));
      return write_atomically(into / "trainer.json", "{}");
    });
  }
  std::unique_ptr<QTemporaryDir> folder_;
};

void CheckpointFolderTest::completeAndVerified() {
  const auto bytes = save(120);
  QVERIFY2(bytes, bytes ? "" : bytes.error().message().c_str());
  QCOMPARE(*bytes, std::int64_t{9});
  const auto manifest = verify_checkpoint(run().checkpoint_path(120));
  QVERIFY2(manifest, manifest ? "" : manifest.error().message().c_str());
  QCOMPARE(manifest->step, std::int64_t{120});
  QCOMPARE(manifest->files.size(), std::size_t{2});
  QCOMPARE(manifest->metrics.at("m"), 0.5);
  QVERIFY(fs::exists(root() / "checkpoints/step-00000120/manifest.json"));
}

void CheckpointFolderTest::damageIsNamed() {
  QVERIFY(save(1));
  const fs::path weights = run().checkpoint_path(1) / "model.safetensors";
  QVERIFY(write_atomically(weights, "weightz"));  // same size
  auto manifest = verify_checkpoint(run().checkpoint_path(1));
  QVERIFY(!manifest);
  QVERIFY(manifest.error().message().find("model.safetensors") != std::string::npos);
  QVERIFY(write_atomically(weights, "short"));
  QVERIFY(verify_checkpoint(run().checkpoint_path(1)).error().message().find("5 bytes instead of 7") !=
          std::string::npos);
  fs::remove(weights);
  QVERIFY(verify_checkpoint(run().checkpoint_path(1)).error().what == "is missing");
}

void CheckpointFolderTest::killAtEachHookLeavesTheOldOne_data() {
  QTest::addColumn<QString>("hook");
  QTest::addColumn<bool>("complete");
  QTest::newRow("write") << "checkpoint.write" << false;
  QTest::newRow("fsync") << "checkpoint.fsync" << false;
  QTest::newRow("rename") << "checkpoint.rename" << true;
}

void CheckpointFolderTest::killAtEachHookLeavesTheOldOne() {
  QFETCH(QString, hook);
  QFETCH(bool, complete);
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("DISCO_TEST_KILL_AT", (hook.toStdString() + ":2").c_str(), 1);
    static_cast<void>(save(1));
    static_cast<void>(save(2));
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  const std::vector<std::int64_t> expected = complete ? std::vector<std::int64_t>{1, 2} : std::vector<std::int64_t>{1};
  QCOMPARE(run().checkpoint_steps(), expected);
  for (const auto step : expected) QVERIFY(verify_checkpoint(run().checkpoint_path(step)));
  remove_stale_checkpoints(run());
  for (const auto& entry : fs::directory_iterator(root() / "checkpoints"))
    QVERIFY2(!entry.path().string().ends_with(".tmp"), entry.path().c_str());
}

void CheckpointFolderTest::fileSizeLimitLeavesTheOldOne() {
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    if (!save(1)) ::_exit(1);
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto failed = save(2, std::string(5000, 'x'));
    if (failed) ::_exit(2);
    ::_exit(failed.error().message().find("larger than allowed") == std::string::npos ? 3 : 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  QCOMPARE(WEXITSTATUS(status), 0);
  QCOMPARE(run().checkpoint_steps(), std::vector<std::int64_t>{1});
  QVERIFY(verify_checkpoint(run().checkpoint_path(1)));
  QCOMPARE(std::distance(fs::directory_iterator(root() / "checkpoints"), fs::directory_iterator()), std::ptrdiff_t{1});
}

void CheckpointFolderTest::rotationKeepsLastAndBestByNumber() {
  for (const std::int64_t step : {9, 10, 100000, 99999}) QVERIFY(save(step));
  fs::create_directories(root() / "checkpoints/handpicked");
  const auto removed = rotate_checkpoints(run(), 2, 9);
  QCOMPARE(checkpoint_in_run(run(), 10), std::string("checkpoints/step-00000010"));
  QCOMPARE(removed, std::vector<std::string>{checkpoint_in_run(run(), 10)});
  QCOMPARE(run().checkpoint_steps(), (std::vector<std::int64_t>{9, 99999, 100000}));
  QVERIFY(fs::exists(root() / "checkpoints/handpicked"));
}

void CheckpointFolderTest::sameStepAgainReplaces() {
  QVERIFY(save(5));
  QVERIFY(save(5, "others!"));
  QVERIFY(verify_checkpoint(run().checkpoint_path(5)));
  QCOMPARE(*read_file(run().checkpoint_path(5) / "model.safetensors"), std::string("others!"));
  QCOMPARE(std::distance(fs::directory_iterator(root() / "checkpoints"), fs::directory_iterator()), std::ptrdiff_t{1});
}

void CheckpointFolderTest::linksFollow() {
  for (const std::int64_t step : {1, 2}) {
    QVERIFY(save(step));
    QVERIFY(link_checkpoint(run(), "latest", step));
  }
  QCOMPARE(fs::read_symlink(root() / "checkpoints/latest").string(), std::string("step-00000002"));
  QCOMPARE(run().checkpoint_steps(), (std::vector<std::int64_t>{1, 2}));
}

void CheckpointFolderTest::lostEventDoesNotSpoilTheNext() {
  const fs::path path = root() / "events.jsonl";
  QVERIFY(write_atomically(path, "{\"kind\":\"heartbeat\"}\n{\"kind\":\"sta"));  // killed in the middle of a line
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    auto log = EventLog::open(path);
    if (!log) ::_exit(1);
    const rlimit limit{60, RLIM_INFINITY}, none{RLIM_INFINITY, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    (*log)->warn("first", std::string(200, 'x'), 1);
    ::setrlimit(RLIMIT_FSIZE, &none);
    (*log)->warn("second", "y", 2);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  QCOMPARE(WEXITSTATUS(status), 0);
  const std::string text = *read_file(path);
  QCOMPARE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t{2});
  const auto last = parse_event(text.substr(text.find('\n') + 1, text.size() - text.find('\n') - 2));
  QVERIFY(last && *last);
  QCOMPARE(std::get<WarningEvent>(**last).code, std::string("second"));
}

QTEST_GUILESS_MAIN(CheckpointFolderTest)
#include "checkpoint_folder_test.moc"
