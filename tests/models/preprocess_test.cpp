// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/image/preprocess.h"

#include <QTest>
#include <cmath>

#include "models/checkpoint/safetensors.h"
#include "tests/reference/golden.h"

using namespace disco;
using namespace disco::models;

namespace {

Image grey(int width, int height, const std::vector<int>& values) {
  Image image{.width = width, .height = height, .rgb = {}};
  for (const int value : values) image.rgb.insert(image.rgb.end(), 3, static_cast<std::uint8_t>(value));
  return image;
}

std::vector<int> reds(const Image& image) {
  std::vector<int> values;
  for (std::size_t i = 0; i < image.rgb.size(); i += 3) values.push_back(image.rgb[i]);
  return values;
}

Image transposed(const Image& image) {
  Image out = filled_image(image.height, image.width, 0, 0, 0);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      for (int c = 0; c < 3; ++c) out.row(x)[y * 3 + c] = image.row(y)[x * 3 + c];
  return out;
}

Image to_image(const TensorEntry& entry) {
  Image image{.width = static_cast<int>(entry.shape[1]), .height = static_cast<int>(entry.shape[0]), .rgb = {}};
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(entry.data.data());
  image.rgb.assign(bytes, bytes + entry.data.size());
  return image;
}

}  // namespace

class PreprocessTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void resize_knownValues() {
    std::vector<int> dot(81, 0);
    dot[40] = 255;
    QCOMPARE(reds(resize(grey(9, 9, dot), 3, 3, Interpolation::bicubic)),
             (std::vector<int>{0, 0, 0, 0, 27, 0, 0, 0, 0}));
    std::vector<int> stripes;
    for (int i = 0; i < 16; ++i) stripes.push_back(i % 2 * 255);
    QCOMPARE(reds(resize(grey(16, 1, stripes), 4, 1, Interpolation::bicubic)), (std::vector<int>{118, 129, 126, 137}));
    std::vector<int> edge(16, 0);
    std::fill(edge.begin() + 8, edge.end(), 255);
    QCOMPARE(reds(resize(grey(16, 1, edge), 4, 1, Interpolation::bicubic)), (std::vector<int>{0, 19, 236, 255}));
  }

  void resizedSize_truncatesTheLongerSide() {
    const auto preprocess = clip_preprocess(224);
    QCOMPARE(resized_size(645, 730, preprocess), (std::array{224, 253}));
    QCOMPARE(resized_size(480, 641, preprocess), (std::array{224, 299}));
    QCOMPARE(resized_size(333, 500, preprocess), (std::array{224, 336}));
    QCOMPARE(resized_size(231, 323, preprocess), (std::array{224, 313}));
    QCOMPARE(resized_size(730, 645, preprocess), (std::array{253, 224}));
  }

  void crop_offsetIsRoundedHalfToEven() {
    // 645 x 730 becomes 224 x 253: 14.5 rows are cut off above, and the even neighbour is 14.
    Image image = filled_image(645, 730, 0, 0, 0);
    for (int y = 0; y < 730; ++y)
      for (int x = 0; x < 645 * 3; ++x) image.row(y)[x] = static_cast<std::uint8_t>(y / 3);
    const auto preprocess = clip_preprocess(224);
    const Image whole = resize(image, 224, 253, Interpolation::bicubic);
    const Image view = resize_and_crop(image, preprocess);
    QCOMPARE(view.height, 224);
    for (int y = 0; y < 224; ++y) QVERIFY(std::equal(view.row(y), view.row(y) + 224 * 3, whole.row(y + 14)));
  }

  void landscapeIsTransposedPortrait() {
    Image image = filled_image(200, 97, 0, 0, 0);
    for (std::size_t i = 0; i < image.rgb.size(); ++i) {
      const double x = static_cast<double>(i / 3 % 200);
      const double y = static_cast<double>(i / 600);
      image.rgb[i] =
          static_cast<std::uint8_t>(128 + 100 * std::sin(x / 9) * std::cos(y / 7 + static_cast<double>(i % 3)));
    }
    for (int size : {16, 64, 97, 150}) {
      const Image upright = resize_and_crop(transposed(image), clip_preprocess(size));
      const Image turned = transposed(resize_and_crop(image, clip_preprocess(size)));
      int worst = 0;  // the passes are rounded in the other order, and the filter can double a half
      for (std::size_t i = 0; i < upright.rgb.size(); ++i)
        worst = std::max(worst, std::abs(upright.rgb[i] - turned.rgb[i]));
      QVERIFY2(worst <= 2, qPrintable(QString::number(worst)));
    }
  }

  void extremeRatios_costNoMemory() {
    const Image line = filled_image(30000, 1, 10, 20, 30);
    for (const Image& image : {line, transposed(line), filled_image(1, 1, 10, 20, 30)})
      QCOMPARE(resize_and_crop(image, clip_preprocess(224)), filled_image(224, 224, 10, 20, 30));
  }

  void longestSide_isPaddedWithBlack() {
    ImagePreprocess preprocess = clip_preprocess(8);
    preprocess.mode = ResizeMode::longest;
    const Image view = resize_and_crop(filled_image(16, 6, 200, 200, 200), preprocess);
    QCOMPARE(view.height, 8);
    for (int y = 0; y < 8; ++y) QCOMPARE(int(view.row(y)[0]), y >= 2 && y < 5 ? 200 : 0);
  }

  void squash_takesEverything() {
    ImagePreprocess preprocess = clip_preprocess(4);
    preprocess.mode = ResizeMode::squash;
    std::vector<int> stripes;
    for (int i = 0; i < 16; ++i) stripes.push_back(i < 8 ? 0 : 255);
    const Image view = resize_and_crop(grey(16, 1, stripes), preprocess);
    QCOMPARE(int(view.row(3)[0]), 0);
    QCOMPARE(int(view.row(0)[9]), 255);
  }

  void normalize_isPlanarAndExact() {
    Image image = filled_image(2, 1, 0, 128, 255);
    image.rgb[3] = 255;
    std::vector<float> out(6);
    const auto preprocess = clip_preprocess(224);
    normalize_chw(image, preprocess, out.data());
    const auto right = [&](int value, std::size_t c) {
      return (static_cast<double>(value) / 255 - preprocess.mean[c]) / preprocess.std[c];
    };
    const std::vector<double> expected = {right(0, 0),   right(255, 0), right(128, 1),
                                          right(128, 1), right(255, 2), right(255, 2)};
    for (std::size_t i = 0; i < 6; ++i) QVERIFY(std::abs(out[i] - expected[i]) < 1e-6);
  }

  void huggingface_roundTrip() {
    ImagePreprocess preprocess = clip_preprocess(288);
    preprocess.resize = 300;
    preprocess.interpolation = Interpolation::bilinear;
    for (const ResizeMode mode : {ResizeMode::shortest, ResizeMode::longest, ResizeMode::squash}) {
      preprocess.mode = mode;
      const auto again = preprocess_from_huggingface(preprocess_to_huggingface(preprocess), "here");
      QVERIFY2(again.has_value(), again ? "" : again.error().message().c_str());
      QVERIFY(*again == preprocess);
    }
  }

  void huggingface_oldAndOdd_data() {
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("problem");
    QTest::newRow("numbers") << R"({"size": 224, "crop_size": 224, "do_center_crop": true, "resample": 3})"
                             << "";
    QTest::newRow("unknown keys") << R"({"size": {"shortest_edge": 224}, "feature_extractor_type": "x"})"
                                  << "";
    QTest::newRow("not square") << R"({"size": {"height": 2, "width": 3}})"
                                << "size must be";
    QTest::newRow("huge") << R"({"size": {"shortest_edge": 1000000}})"
                          << "size must be";
    QTest::newRow("nearest") << R"({"size": 224, "resample": 0})"
                             << "resample must be";
    QTest::newRow("text") << R"({"size": "large"})"
                          << "size must be";
    QTest::newRow("mean") << R"({"image_mean": [1, 2]})"
                          << "image_mean must be";
    QTest::newRow("std") << R"({"image_std": [1, 2, 0]})"
                         << "image_std must be";
    QTest::newRow("list") << "[]"
                          << "must be a JSON object";
    QTest::newRow("do_resize") << R"({"do_resize": false})"
                               << "do_resize";
  }
  void huggingface_oldAndOdd() {
    QFETCH(QString, json);
    QFETCH(QString, problem);
    const auto result = preprocess_from_huggingface(Json::parse(json.toStdString()), "file");
    QCOMPARE(result.has_value(), problem.isEmpty());
    if (result)
      QVERIFY(*result == clip_preprocess(224));
    else
      QVERIFY2(result.error().what.starts_with(problem.toStdString()), result.error().what.c_str());
  }

  void everyByteIsPillows() {
    if (!testing::has_reference_libraries()) QSKIP("the cached Python environment is missing");
    const auto file = SafetensorsFile::open(testing::golden(QStringLiteral("resize_golden.py")) / "resize.safetensors");
    QVERIFY(file.has_value());
    int compared = 0;
    for (const TensorEntry& entry : file->entries()) {
      const QStringList parts = QString::fromStdString(entry.name).split(u'.');
      if (parts[1] == QStringLiteral("in")) continue;
      const Image in = to_image(*file->find((parts[0] + QStringLiteral(".in")).toStdString()));
      const Image right = to_image(entry);
      const Image ours = parts[1] == QStringLiteral("view") ? resize_and_crop(in, clip_preprocess(parts[2].toInt()))
                                                            : resize(in, parts[3].toInt(), parts[4].toInt(),
                                                                     *from_id<Interpolation>(parts[2].toStdString()));
      QVERIFY2(ours == right, entry.name.c_str());
      ++compared;
    }
    QCOMPARE(compared, 13 * (2 * 6 + 3));
  }
};

QTEST_GUILESS_MAIN(PreprocessTest)
#include "preprocess_test.moc"
