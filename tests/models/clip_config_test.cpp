// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/clip/clip_config.h"

#include <QTest>
#include <set>

using namespace disco;
using namespace disco::models;

class ClipConfigTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void architectures_areValidAndDistinct() {
    std::set<std::string_view> ids;
    for (const Architecture& architecture : architectures()) {
      QVERIFY(ids.insert(architecture.id).second);
      QVERIFY(validate(architecture.config, "x").has_value());
      QVERIFY(find_architecture(architecture.id) == &architecture);
      QVERIFY(!architecture.label.empty() && !architecture.help.empty());
    }
    QVERIFY(find_architecture("clip-tiny") != nullptr);
    QVERIFY(find_architecture("none") == nullptr);
  }

  void parameterCounts_areThePublishedOnes() {
    QCOMPARE(count_parameters(find_architecture("clip-vit-b-32")->config).total(), std::int64_t{151'277'313});
    QCOMPARE(count_parameters(find_architecture("clip-vit-b-16")->config).total(), std::int64_t{149'620'737});
    QCOMPARE(count_parameters(find_architecture("clip-vit-l-14")->config).total(), std::int64_t{427'616'513});
  }

  void huggingface_roundTrip() {
    for (const Architecture& architecture : architectures()) {
      ClipConfig config = architecture.config;
      config.quick_gelu = true;
      const auto again = clip_config_from_huggingface(clip_config_to_huggingface(config), "config.json");
      QVERIFY2(again.has_value(), again ? "" : again.error().message().c_str());
      QVERIFY(*again == config);
    }
  }

  void oldConfig_readsTheEndTokenRight() {
    const auto config = clip_config_from_huggingface(
        Json::parse(R"({"model_type": "clip", "text_config": {"eos_token_id": 2, "bos_token_id": 0},
                        "vision_config_dict": {"patch_size": 16}, "text_config_dict": null, "other": 1})"),
        "config.json");
    QVERIFY(config.has_value());
    QCOMPARE(config->text.end_id, 49407);
    QCOMPARE(config->vision.patch_size, 16);
    QVERIFY(config->quick_gelu);
  }

  void everySetting_hasItsOwnLabelAndHelp() {
    std::set<std::string_view> labels;
    const auto look = [&](const auto& f) {
      QVERIFY2(labels.insert(f.meta.label).second, std::string(f.meta.label).c_str());
      QVERIFY2(f.meta.help.size() > 10, std::string(f.meta.label).c_str());
    };
    for_each_field<ClipConfig>(look);
    for_each_field<ClipVisionConfig>(look);
    for_each_field<ClipTextConfig>(look);
    QCOMPARE(labels.size(), std::size_t{17});
  }

  void badConfig_isNamed_data() {
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("problem");
    QTest::newRow("type") << R"({"model_type": "bert"})"
                          << "model_type";
    QTest::newRow("heads") << R"({"model_type": "clip", "vision_config": {"num_attention_heads": 7}})"
                           << "The width of the vision tower";
    QTest::newRow("zero heads") << R"({"model_type": "clip", "text_config": {"num_attention_heads": 0}})"
                                << "The text tower needs";
    QTest::newRow("patch") << R"({"model_type": "clip", "vision_config": {"patch_size": 500}})"
                           << "The patch size";
    QTest::newRow("zero patch") << R"({"model_type": "clip", "vision_config": {"patch_size": 0}})"
                                << "The patch size";
    QTest::newRow("huge") << R"({"model_type": "clip", "vision_config": {"hidden_size": 100000000}})"
                          << "hidden_size must be";
    QTest::newRow("text") << R"({"model_type": "clip", "text_config": {"vocab_size": "many"}})"
                          << "vocab_size must be";
    QTest::newRow("activation") << R"({"model_type": "clip", "text_config": {"hidden_act": "relu"}})"
                                << "hidden_act must be";
    QTest::newRow("epsilon") << R"({"model_type": "clip", "text_config": {"layer_norm_eps": 0.1}})"
                             << "layer_norm_eps must be";
    QTest::newRow("mixed") << R"({"model_type": "clip", "text_config": {"hidden_act": "gelu"}})"
                           << "hidden_act differs";
    QTest::newRow("list") << "[]"
                          << "model_type";
  }
  void badConfig_isNamed() {
    QFETCH(QString, json);
    QFETCH(QString, problem);
    const auto result = clip_config_from_huggingface(Json::parse(json.toStdString()), "config.json");
    QVERIFY(!result.has_value());
    QVERIFY2(result.error().what.starts_with(problem.toStdString()), result.error().what.c_str());
    QVERIFY(result.error().where.starts_with("config.json"));
  }
};

QTEST_GUILESS_MAIN(ClipConfigTest)
#include "clip_config_test.moc"
