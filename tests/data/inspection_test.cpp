// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/inspection.h"

#include <QtTest>
#include <filesystem>
#include <fstream>

#include "engine/base/files.h"
#include "engine/base/json.h"
#include "engine/data/cartoons/write_cartoons.h"
#include "engine/data/decode/decode.h"
#include "engine/data/encode.h"
#include "engine/data/loader_bench.h"
#include "tests/data/letters.h"

namespace disco::data {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, std::string_view content) { std::ofstream(path, std::ios::binary) << content; }

LoaderOptions options_with(int context_length) {
  LoaderOptions options;
  options.batch_size = 8;
  options.threads = 1;
  options.preprocess = models::clip_preprocess(32);
  options.tokenizer = std::make_shared<test::Letters>();
  options.context_length = context_length;
  options.negatives = 2;
  return options;
}

class InspectionTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void a_report_covers_every_picture() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    const auto add = [&](const char* name, const std::string& bytes, const char* caption) {
      write(root / name, bytes);
      write((root / name).replace_extension(".txt"), caption);
    };
    add("a.png", *encode_png(models::filled_image(10, 20, 1, 2, 3)), "four");
    add("b.jpg", *encode_png(models::filled_image(30, 40, 1, 2, 3)), "four");  // a PNG, whatever its name
    add("c.jpg", *encode_jpeg(models::filled_image(50, 60, 1, 2, 3)), "fünf!");
    const std::string png = *encode_png(models::filled_image(300, 300, 9, 9, 9));
    add("cut.png", png.substr(0, png.size() / 2), "a longer caption");
    add("page.png", "<html></html>", "x");
    const auto source = open_path(root.string());
    QVERIFY(source.has_value());
    const DataReport report = inspect(**source);
    QCOMPARE(report.looked_at, std::int64_t{5});
    QCOMPARE(report.source.used, std::int64_t{5});
    QCOMPARE(report.formats.size(), std::size_t{2});
    QCOMPARE(report.formats[0].format, std::string("PNG"));
    QCOMPARE(report.formats[0].count, std::int64_t{2});
    QCOMPARE(report.width.smallest, 10.0);
    QCOMPARE(report.width.middle, 30.0);
    QCOMPARE(report.height.largest, 60.0);
    QCOMPARE(report.caption_characters.smallest, 1.0);
    QCOMPARE(report.caption_characters.middle, 4.0);
    QCOMPARE(report.caption_characters.largest, 16.0);
    QCOMPARE(report.distinct_captions, std::int64_t{4});
    QCOMPARE(report.unreadable.size(), std::size_t{2});
    QCOMPARE(report.captions.front(), std::string("four"));
    QVERIFY(write_json(report).dump().find("\"looked_at\":5") != std::string::npos);
    // Headers alone do not show that a file is cut off.
    QCOMPARE(inspect(**source, {.decode = false, .progress = {}}).unreadable.size(), std::size_t{1});
  }

  void written_cartoons_are_a_data_set() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    cartoons::WriteCartoonsOptions options;
    options.count = 12;
    options.seed = 5;
    options.size = 128;
    const auto written = cartoons::write_cartoons(root / "train", options);
    if (!written && written.error().what.find("Noto Color Emoji") != std::string::npos) QSKIP("no emoji font");
    QVERIFY2(written.has_value(), written ? "" : written.error().message().c_str());
    QVERIFY(!cartoons::write_cartoons(root / "train", options).has_value());
    const auto source = open_path((root / "train").string());
    const auto table = open_path((root / "train/captions.csv").string());
    QVERIFY(source.has_value() && table.has_value());
    QCOMPARE(*(*source)->size(), std::int64_t{12});
    QCOMPARE(*(*table)->size(), std::int64_t{12});
    QCOMPARE(inspect(**source).width.middle, 128.0);
    // The same scene as the endless source composes, caption for caption and pixel for pixel.
    const auto endless = open_path("cartoons", {}, {.seed = 5, .picture_size = 128});
    const auto composed = (*endless)->read(7);
    const auto read_back = (*table)->read(7);
    QCOMPARE(read_back->captions, composed->captions);
    QCOMPARE((*source)->read(7)->captions.front(), composed->captions.front());
    QVERIFY(decode(std::get<Bytes>(read_back->picture))->image == std::get<models::Image>(composed->picture));

    options.split = cartoons::Split::kHeldOut;
    QVERIFY(cartoons::write_cartoons(root / "held", options).has_value());
    const auto lines = QByteArray::fromStdString(*read_file(root / "held/scenes.jsonl")).trimmed().split('\n');
    QCOMPARE(lines.size(), 12);
    for (const QByteArray& line : lines) {
      const Json scene = Json::parse(line.toStdString());
      QCOMPARE(scene["candidates"].size(), std::size_t{5});
      QCOMPARE(scene["differs"][scene["correct"].get<std::size_t>()].get<std::string>(), std::string());
      QVERIFY(scene["candidates"][scene["correct"].get<std::size_t>()] == scene["captions"][0]);
    }
  }

  void a_preview_is_what_training_gets() {
    const auto endless = open_path("cartoons", {}, {.seed = 5, .picture_size = 48});
    if (!endless) QSKIP("the emoji font is not installed");
    auto options = options_with(200);
    options.augment = {.smallest_crop = 0.6, .flip = true};
    auto shown = preview(**endless, options, 8);
    QCOMPARE(shown.size(), std::size_t{8});
    auto loader = Loader::create(*endless, options);
    const auto next = loader->next();
    const Batch& batch = **next;
    for (std::size_t i = 0; i < 8; ++i) {
      QCOMPARE(shown[i].id, batch.ids[i]);
      QVERIFY(!shown[i].cut);
      QCOMPARE(shown[i].negatives.size(), std::size_t{2});
      QCOMPARE(shown[i].token_texts.size(), shown[i].tokens.size());
      std::vector<float> pixels(3 * 32 * 32);
      models::normalize_chw(shown[i].view, options.preprocess, pixels.data());
      QVERIFY(std::equal(pixels.begin(), pixels.end(),
                         batch.pixels.begin() + static_cast<std::ptrdiff_t>(i * pixels.size())));
      const auto row = batch.tokens.begin() + static_cast<std::ptrdiff_t>(i) * batch.length;
      QVERIFY(std::equal(shown[i].tokens.begin(), shown[i].tokens.end(), row));
    }
    const auto exact = static_cast<int>(shown[0].tokens.size());
    QVERIFY(!preview(**endless, options_with(exact), 1)[0].cut);
    shown = preview(**endless, options_with(exact - 1), 1);
    QVERIFY(shown[0].cut);
    QCOMPARE(shown[0].tokens.back(), 2);
  }

  void the_bench_counts_what_it_loads() {
    const auto endless = open_path("cartoons", {}, {.seed = 5, .picture_size = 32});
    if (!endless) QSKIP("the emoji font is not installed");
    const auto speed = measure_loader(*endless, options_with(77), 0.2);
    QVERIFY(speed.has_value());
    QVERIFY(speed->samples > 0 && speed->samples % 8 == 0 && speed->seconds >= 0.2);
    QVERIFY(std::abs(speed->samples_per_second * speed->seconds - static_cast<double>(speed->samples)) < 1e-6);
    QVERIFY(speed->read > 0 && speed->text > 0);
    QCOMPARE(speed->bad, std::int64_t{0});
  }
};

}  // namespace
}  // namespace disco::data

QTEST_GUILESS_MAIN(disco::data::InspectionTest)
#include "inspection_test.moc"
