// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/run_config.h"

#include <QTemporaryDir>
#include <QtTest>
#include <set>

#include "engine/base/files.h"
#include "engine/run/forecast.h"
#include "engine/run/presets.h"
#include "engine/run/settings.h"

namespace disco {
namespace {

Json valid_document() { return Json{{"budget", {{"steps", 10}}}, {"schedule", {{"warmup_steps", 2}}}}; }

std::string paths(const Problems& problems) {
  std::string text;
  for (const auto& problem : problems) text += problem.path + " ";
  return text;
}

}  // namespace

class RunConfigTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everySettingSurvivesFileAndCommandLine() {
    const Json defaults = write_json(load_config(valid_document()).config);
    for (const auto& setting : settings()) {
      QVERIFY2(!setting.label.empty(), setting.path.c_str());
      QVERIFY2(!setting.section_label.empty(), setting.path.c_str());
      const Json before = value_at(defaults, setting.path);
      QVERIFY2(!before.is_null(), setting.path.c_str());
      Json document = valid_document();
      Problems problems;
      set_from_text(document, setting.path, text_of_setting(before), problems);
      QVERIFY2(problems.empty(), paths(problems).c_str());
      const auto loaded = load_config(document);
      QVERIFY2(loaded.problems.empty() || setting.path.starts_with("budget"), paths(loaded.problems).c_str());
      QVERIFY2(value_at(write_json(loaded.config), setting.path) == before, setting.path.c_str());
    }
  }

  void pathsAndLabelsAreUnique() {
    std::set<std::string> seen;
    std::set<std::string> labels;
    for (const auto& setting : settings()) {
      QVERIFY2(seen.insert(setting.path).second, setting.path.c_str());
      QVERIFY2(labels.insert(setting.section + "/" + setting.label).second, setting.path.c_str());
    }
  }

  void threeMistakesGiveThreeProblems() {
    Json document = valid_document();
    document["optimizer"] = Json{{"learning_rate", -1}, {"weigth_decay", 0.1}};
    document["batch"] = Json{{"size", "many"}};
    const auto loaded = load_config(document);
    QCOMPARE(paths(loaded.problems), std::string("optimizer.learning_rate optimizer.weigth_decay batch.size "));
    QCOMPARE(loaded.problems[0].message(),
             std::string("optimizer.learning_rate: must be more than 0 and at most 10, is -1"));
    QCOMPARE(loaded.problems[1].hint, std::string("Did you mean optimizer.weight_decay?"));
  }

  void sizesComeFromTheArchitectureUnlessSet() {
    Json document = valid_document();
    document["model"] = Json{{"architecture", "clip-vit-b-32"}, {"clip", {{"vision", {{"layers", 3}}}}}};
    const auto loaded = load_config(document);
    QVERIFY2(loaded.problems.empty(), paths(loaded.problems).c_str());
    QCOMPARE(loaded.config.model.clip.vision.width, 768);
    QCOMPARE(loaded.config.model.clip.vision.layers, 3);
    QCOMPARE(loaded.config.model.clip.text.layers, 12);
    document["model"] = Json{{"architecture", "clip-vit-b-23"}};
    const auto wrong = load_config(document);
    QCOMPARE(paths(wrong.problems), std::string("model.architecture "));
    QCOMPARE(wrong.problems[0].hint, std::string("Did you mean clip-vit-b-32?"));
  }

  void aResolvedConfigReadsBackTheSame() {
    const auto once = load_config(valid_document()).config;
    const auto twice = load_config(write_json(once));
    QVERIFY2(twice.problems.empty(), paths(twice.problems).c_str());
    QVERIFY(write_json(once) == write_json(twice.config));
  }

  void budgetsMustBeOne() {
    QCOMPARE(paths(load_config(Json::object()).problems), std::string("budget "));
    Json document = valid_document();
    document["budget"]["minutes"] = 3;
    QCOMPARE(paths(load_config(document).problems), std::string("budget "));
    QCOMPARE(paths(load_config(Json{{"budget", {{"epochs", 2}}}}).problems), std::string("budget.epochs "));
  }

  void aBudgetReplacesThePresets() {
    Json document{{"budget", {{"minutes", 8}}}};
    Problems problems;
    set_from_text(document, "budget.steps", "40", problems);
    set_from_text(document, "budget.epochs", "0", problems);
    const auto loaded = load_config(document);
    QVERIFY(problems.empty());
    QCOMPARE(loaded.config.budget.steps, std::int64_t{40});
    QCOMPARE(loaded.config.budget.minutes, 0.0);
  }

  /// A warm-up of 10,000 in a run of 20 steps is named before the start.
  void warmUpLongerThanTheRunIsNamed() {
    const auto loaded = load_config(Json{{"budget", {{"steps", 20}}}, {"schedule", {{"warmup_steps", 10000}}}});
    QCOMPARE(paths(loaded.problems), std::string("schedule.warmup_steps "));
  }

  void aMissingFolderIsNamed() {
    Json document = valid_document();
    document["data"] = Json{{"source", "folder"}, {"path", "/nowhere/at/all"}};
    const auto loaded = load_config(document);
    QCOMPARE(paths(loaded.problems), std::string("data.path "));
    QVERIFY(loaded.problems[0].what.find("/nowhere/at/all") != std::string::npos);
  }

  void durationsTakeUnits() {
    Json document = Json::object();
    Problems problems;
    set_from_text(document, "budget.minutes", "90 s", problems);
    QVERIFY(problems.empty());
    QCOMPARE(load_config(document).config.budget.minutes, 1.5);
    set_from_text(document, "budget.minuts", "3", problems);
    QCOMPARE(problems.at(0).hint, std::string("Did you mean budget.minutes?"));
  }

  /// The file that version 1 wrote must always be readable.
  void storedFilesOfOldVersionsLoad() {
    const auto loaded = load_config_file(std::string(QT_TESTCASE_SOURCEDIR) + "/config-v1.json");
    QVERIFY2(loaded && loaded->problems.empty(),
             loaded ? paths(loaded->problems).c_str() : loaded.error().message().c_str());
    QCOMPARE(loaded->config.optimizer.learning_rate, 0.002);
    QCOMPARE(loaded->config.data.source, DataKind::table);
    Json newer = valid_document();
    newer["schema_version"] = config_schema_version + 1;
    QCOMPARE(paths(load_config(newer).problems), std::string("schema_version "));
  }

  void differencesAreTheCommandLine() {
    const Json base = write_json(load_config(valid_document()).config);
    Json changed = base;
    put_at(changed, "optimizer.learning_rate", 0.25);
    put_at(changed, "model.clip.text.layers", 3);
    const auto diff = differences(base, changed);
    QCOMPARE(diff.size(), std::size_t{2});
    Json rebuilt = base;
    Problems problems;
    for (const auto& [path, value] : diff) set_from_text(rebuilt, path, text_of_setting(value), problems);
    QVERIFY(problems.empty() && rebuilt == changed);
  }

  void presetsAreValid() {
    qputenv("DISCO_RESOURCES", QByteArray(QT_TESTCASE_SOURCEDIR) + "/../../resources");
    const auto all = presets();
    QVERIFY2(all && all->size() >= 3, all ? "too few" : all.error().message().c_str());
    QCOMPARE(all->front().id, std::string("cartoons"));
    for (const auto& preset : *all) {
      auto loaded = load_config(preset.config);
      std::erase_if(loaded.problems, [](const Problem& p) { return p.path == "data.path"; });  // the person's choice
      QVERIFY2(loaded.problems.empty(), (preset.id + ": " + paths(loaded.problems)).c_str());
      QVERIFY(!preset.label.empty() && !preset.help.empty());
    }
    const auto missing = find_preset("cartoon");
    QVERIFY(!missing && missing.error().hint == "Did you mean cartoons?");
    qunsetenv("DISCO_RESOURCES");
  }

  void relevanceFollowsTheDocument() {
    const auto& all = settings();
    const auto column =
        std::find_if(all.begin(), all.end(), [](const Setting& s) { return s.path == "data.image_column"; });
    QVERIFY(column != all.end());
    QVERIFY(!is_relevant(*column, Json::object()));
    QVERIFY(is_relevant(*column, Json{{"data", {{"source", "table"}}}}));
    QVERIFY(!is_relevant(*column, Json{{"data", {{"source", "folder"}}}}));
  }

  void theSchemaNamesEverything() {
    const Json all = schema();
    QVERIFY(all["settings"].size() == settings().size());
    for (const char* kind :
         {"run", "state", "step", "evaluation", "prediction", "progress", "checkpoint", "warning", "heartbeat"})
      QVERIFY2(all["events"].contains(kind), kind);
    QVERIFY(all["events"]["step"]["seconds"]["fields"].contains("communication"));
    QCOMPARE(all["command"]["command"]["choices"].size(), std::size_t{7});
  }

  /// Weights, gradients and moments are exact: 16 bytes a parameter.
  void forecastCountsParametersExactly() {
    auto config = load_config(valid_document()).config;
    const auto f = forecast(config);
    QCOMPARE(f.weights + f.gradients + f.optimizer, 16 * models::count_parameters(config.model.clip).total());
    QCOMPARE(f.total, f.weights + f.gradients + f.optimizer + f.activations + f.loss + f.program);
    config.batch.size *= 2;
    QVERIFY(forecast(config).activations == 2 * f.activations);
    const auto fitting = largest_batch_that_fits(config, f.total);
    QVERIFY(fitting && *fitting == config.batch.size / 2);
    QVERIFY(!largest_batch_that_fits(config, 1000));
  }
};

}  // namespace disco

QTEST_GUILESS_MAIN(disco::RunConfigTest)
#include "run_config_test.moc"
