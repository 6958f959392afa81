// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <filesystem>

#include "engine/base/json.h"
#include "engine/run/serve_protocol.h"
#include "tests/train/engine_runs.h"

using namespace disco;
namespace fs = std::filesystem;

/// The real `disco-engine serve`, asked by JSON lines.
class ServeTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void answersCarryTheirId();
  void ranksCaptionsAsPredictDoes();
  void previewNeedsNoModel();
  void measureTellsProgress();
  void nonsenseIsAnErrorAndNotTheEnd();
  void endsWhenStdinCloses();

 private:
  /// Sends a question and returns the lines up to its answer.
  std::vector<Json> ask(const Json& question) {
    process_.write(QByteArray::fromStdString(question.dump() + "\n"));
    std::vector<Json> lines;
    while (QTest::qWaitFor([&] { return process_.canReadLine(); }, 60000)) {
      lines.push_back(*parse_json(process_.readLine().toStdString(), "answer"));
      if (lines.back()["kind"] != "progress") break;
    }
    return lines;
  }
  [[nodiscard]] Json small_config() const { return *parse_json(*read_file(run_ + "/config.json"), "config"); }

  QTemporaryDir folder_;
  std::string run_;
  std::string picture_;
  QProcess process_;
};

void ServeTest::initTestCase() {
  run_ = folder_.path().toStdString() + "/run";
  const auto trained = Engine::call(Engine::train(run_, {QStringLiteral("budget.steps=3")}));
  QVERIFY2(trained.exit_code == 0, trained.errors.c_str());
  for (const auto& entry : fs::directory_iterator(run_ + "/samples"))
    if (entry.path().string().find("-view") == std::string::npos) picture_ = entry.path().string();
  process_.start(Engine::program(), {QStringLiteral("serve")});
  QVERIFY(process_.waitForStarted());
}

void ServeTest::answersCarryTheirId() {
  auto early = ask({{"id", "a"}, {"kind", "rank"}, {"image", picture_}, {"captions", {"x"}}});
  QCOMPARE(early.back()["kind"].get<std::string>(), std::string("error"));  // nothing is loaded yet
  QCOMPARE(early.back()["id"].get<std::string>(), std::string("a"));
  auto loaded = ask({{"id", 7}, {"kind", "load"}, {"model", run_}});
  QCOMPARE(loaded.back()["kind"].get<std::string>(), std::string("load"));
  QCOMPARE(loaded.back()["id"].get<int>(), 7);
  QCOMPARE(loaded.back()["image_size"].get<int>(), 32);
  QCOMPARE(loaded.back()["family"].get<std::string>(), std::string("clip"));
}

void ServeTest::ranksCaptionsAsPredictDoes() {
  const std::string much =
      "a cat and a dog and a cat and a dog and a cat and a dog and a cat and a dog and a cat and a very last cow";
  const Json answer = ask({{"id", 1}, {"kind", "rank"}, {"image", picture_}, {"captions", {"a cat", much}}}).back();
  QCOMPARE(answer["kind"].get<std::string>(), std::string("rank"));
  const auto shares = answer["probabilities"].get<std::vector<double>>();
  QVERIFY(std::abs(shares[0] + shares[1] - 1) < 1e-6);
  QCOMPARE(answer["tokens"].get<std::vector<int>>(), (std::vector<int>{4, 32}));
  QCOMPARE(answer["cut"][0].get<std::string>(), std::string());
  QCOMPARE(answer["cut"][1].get<std::string>(), std::string("cow"));  // word 31 of 30 that fit
  QVERIFY(fs::exists(answer["view"].get<std::string>()));
  const auto predicted =
      Engine::call({QStringLiteral("predict"), QStringLiteral("--model"), QString::fromStdString(run_),
                    QStringLiteral("--image"), QString::fromStdString(picture_), QStringLiteral("--caption"),
                    QStringLiteral("a cat"), QString::fromStdString(much), QStringLiteral("--json")});
  QVERIFY2(predicted.exit_code == 0, predicted.errors.c_str());
  const Json other = *parse_json(predicted.out, "predict");
  QVERIFY(std::abs(other[0]["probabilities"][0].get<double>() - shares[0]) < 1e-6);
}

void ServeTest::previewNeedsNoModel() {
  const Json answer = ask({{"id", 2}, {"kind", "preview"}, {"config", small_config()}, {"count", 3}}).back();
  QCOMPARE(answer["kind"].get<std::string>(), std::string("preview"));
  QCOMPARE(answer["samples"].size(), std::size_t{3});
  for (const auto& sample : answer["samples"]) {
    QVERIFY(fs::exists(sample["image"].get<std::string>()));
    QVERIFY(sample["tokens"].size() > 3);
    QVERIFY(!sample["caption"].get<std::string>().empty());
  }
}

void ServeTest::measureTellsProgress() {
  const auto lines = ask({{"id", 3}, {"kind", "measure"}, {"config", small_config()}, {"steps", 2}});
  QVERIFY(lines.size() > 1);
  QCOMPARE(lines.front()["kind"].get<std::string>(), std::string("progress"));
  QCOMPARE(lines.back()["kind"].get<std::string>(), std::string("measure"));
  QVERIFY(lines.back()["step_seconds"].get<double>() > 0);
  QVERIFY(lines.back()["peak_bytes"].get<std::int64_t>() > 1'000'000);
}

void ServeTest::nonsenseIsAnErrorAndNotTheEnd() {
  process_.write("{not json\n");
  QVERIFY(QTest::qWaitFor([&] { return process_.canReadLine(); }, 10000));
  QVERIFY(process_.readLine().contains("error"));
  for (const Json& question : {Json{{"id", 4}, {"kind", "load"}, {"model", "/nowhere"}},
                               Json{{"id", 5}, {"kind", "rank"}, {"image", "/nowhere.png"}, {"captions", {"a"}}},
                               Json{{"id", 6}, {"kind", "rank"}, {"image", picture_}, {"captions", Json::array()}},
                               Json{{"id", 7}, {"kind", "preview"}, {"config", {{"batch", {{"size", "x"}}}}}},
                               Json{{"id", 8}, {"kind", "dance"}}}) {
    const Json answer = ask(question).back();
    QCOMPARE(answer["kind"].get<std::string>(), std::string("error"));
    QCOMPARE(answer["id"].get<int>(), question["id"].get<int>());
    QVERIFY(!answer["what"].get<std::string>().empty());
  }
  QCOMPARE(
      ask({{"id", 9}, {"kind", "rank"}, {"image", picture_}, {"captions", {"a"}}}).back()["kind"].get<std::string>(),
      std::string("rank"));
}

void ServeTest::endsWhenStdinCloses() {
  process_.closeWriteChannel();
  QVERIFY(process_.waitForFinished(10000));
  QCOMPARE(process_.exitCode(), 0);
}

QTEST_GUILESS_MAIN(ServeTest)
#include "serve_test.moc"
