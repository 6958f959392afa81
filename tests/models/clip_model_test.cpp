// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/clip/clip_model.h"

#include <torch/torch.h>

#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "engine/base/files.h"
#include "engine/base/resources.h"
#include "models/registry.h"
#include "tests/reference/golden.h"

using namespace disco;
using namespace disco::models;
using torch::Tensor;
using Tensors = std::map<std::string, Tensor>;

namespace {

const char* const kCases[] = {"gelu", "quick_gelu", "one_layer"};

/// A case of clip_golden.py: the model with its weights, and what open_clip made of them.
struct Golden {
  std::shared_ptr<ClipModel> model;
  Tensors tensors;

  ModelInputs inputs(torch::ScalarType type) const {
    return {.images = tensors.at("images").to(type),
            .tokens = tensors.at("tokens"),
            .extra_tokens = tensors.at("extra_tokens")};
  }
};

Tensors with_prefix(const Tensors& tensors, const std::string& prefix) {
  Tensors found;
  for (const auto& [name, tensor] : tensors)
    if (name.starts_with(prefix)) found[name.substr(prefix.size())] = tensor;
  return found;
}

Golden load_golden(const char* name, torch::ScalarType type) {
  const auto folder = testing::golden(QStringLiteral("clip_golden.py"));
  ClipConfig config;
  Problems problems;
  const std::string file(name);
  read_json(Json::parse(*read_file(folder / (file + ".json"))), config, "", problems);
  if (!problems.empty()) qFatal("%s", to_error(problems, file).message().c_str());
  Golden golden;
  golden.tensors = *load_tensors(folder / (file + ".safetensors"));
  golden.model = std::make_shared<ClipModel>(config, InputContract{});
  const auto report = golden.model->load_huggingface(with_prefix(golden.tensors, "weight."), file);
  if (!report) qFatal("%s", report.error().message().c_str());
  if (!report->unexpected.empty()) qFatal("unexpected %s", report->unexpected.front().c_str());
  golden.model->to(type);
  return golden;
}

/// CLIP's loss with extra texts as further columns of image-to-text.
Tensor clip_loss(const Features& features, const Tensor& log_scale) {
  const Tensor scale = log_scale.exp();
  const Tensor target = torch::arange(features.image.size(0));
  const Tensor columns = features.extra.defined() ? torch::cat({features.text, features.extra}) : features.text;
  return (torch::nn::functional::cross_entropy(scale * features.image.mm(columns.t()), target) +
          torch::nn::functional::cross_entropy(scale * features.text.mm(features.image.t()), target)) /
         2;
}

double largest(const Tensor& tensor) { return tensor.numel() == 0 ? 0 : tensor.abs().max().item<double>(); }

/// The largest error as a share of what is allowed for it.
double error_share(const Tensor& ours, const Tensor& right, double allowed) {
  if (ours.sizes() != right.sizes()) return 1e9;
  const double error = largest(ours.to(torch::kDouble) - right.to(torch::kDouble)) / allowed;
  return std::isfinite(error) ? error : 1e9;
}

Tensors to_map(const NamedTensors& tensors) { return Tensors(tensors.begin(), tensors.end()); }

void compare_with_open_clip(const char* name, torch::ScalarType type) {
  const Golden golden = load_golden(name, type);
  const Features features = golden.model->encode(golden.inputs(type));
  const Tensor loss = clip_loss(features, golden.model->log_scale());
  loss.backward();
  const std::pair<const char*, Tensor> outputs[] = {
      {"image", features.image}, {"text", features.text}, {"extra", features.extra}, {"loss", loss}};
  for (const auto& [key, output] : outputs) {
    const Tensor& right = golden.tensors.at(key);
    const double share = error_share(output.detach(), right, 1e-5 * largest(right));
    QVERIFY2(share <= 1, qPrintable(QString::fromLatin1(key) + QStringLiteral(": %1 of the allowed error").arg(share)));
  }
  const Tensors right = with_prefix(golden.tensors, "gradient.");
  const Tensors ours = to_map(golden.model->huggingface_gradients());
  QCOMPARE(ours.size(), right.size());
  double largest_gradient = 0;
  for (const auto& [key, gradient] : right) largest_gradient = std::max(largest_gradient, largest(gradient));
  for (const auto& [key, gradient] : right) {
    QVERIFY2(ours.contains(key), key.c_str());
    const double share =
        error_share(ours.at(key), gradient, 1e-4 * std::max(largest(gradient), 1e-3 * largest_gradient));
    QVERIFY2(share <= 1, (key + ": " + std::to_string(share) + " of the allowed error").c_str());
  }
}

ClipConfig small_config() {
  ClipConfig config = find_architecture("clip-tiny")->config;
  config.vision.layers = 2;
  config.text.layers = 2;
  return config;
}

std::shared_ptr<const Tokenizer> clip_tokenizer() { return *load_clip_tokenizer(resource_path("vocabularies/clip")); }

Tensor token_rows(const std::vector<std::vector<std::int64_t>>& rows) {
  std::vector<Tensor> tensors;
  for (const auto& row : rows) tensors.push_back(torch::tensor(row, torch::kLong));
  return torch::stack(tensors);
}

}  // namespace

class ClipModelTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void outputsAndGradients_areOpenClips_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("wide");
    for (const char* name : kCases)
      for (const bool wide : {false, true})
        QTest::addRow("%s %s", name, wide ? "fp64" : "fp32") << QString::fromLatin1(name) << wide;
  }
  void outputsAndGradients_areOpenClips() {
    if (!testing::has_reference_libraries()) QSKIP("the cached Python environment is missing");
    QFETCH(QString, name);
    QFETCH(bool, wide);
    compare_with_open_clip(name.toLatin1().constData(), wide ? torch::kDouble : torch::kFloat);
  }

  void zeroRows_areOpenClips() {
    if (!testing::has_reference_libraries()) QSKIP("the cached Python environment is missing");
    const Tensors golden = *load_tensors(testing::golden(QStringLiteral("clip_golden.py")) / "zero_rows.safetensors");
    const Tensor rows = golden.at("rows").clone().requires_grad_();
    const Tensor unit = unit_rows(rows);
    (unit * golden.at("weights")).sum().backward();
    QVERIFY(torch::equal(unit.detach(), golden.at("unit")));
    QCOMPARE(largest(unit[1]), 0.0);
    QVERIFY(torch::allclose(rows.grad(), golden.at("gradient"), 1e-6, 1e-7));
    QVERIFY(torch::allclose(rows.grad()[1], golden.at("weights")[1] * 1e12));
  }

  void eachTowerAlone_givesTheSameFeatures() {
    const auto model = *create_model(small_config(), clip_tokenizer(), 3);
    const torch::NoGradGuard no_grad;
    const Tensor images = torch::randn({3, 3, 96, 96});
    const Tensor tokens = token_rows({{49406, 320, 49407, 0}, {49406, 320, 1125, 49407}, {49406, 49407, 7, 7}});
    const Features both = model->encode({.images = images, .tokens = tokens, .extra_tokens = tokens.narrow(1, 0, 4)});
    QVERIFY(torch::allclose(both.image, model->encode_images(images), 1e-5, 1e-6));
    QVERIFY(torch::allclose(both.text, model->encode_texts(tokens), 1e-5, 1e-6));
    QVERIFY(torch::allclose(both.text, both.extra, 1e-5, 1e-6));
    QVERIFY(torch::allclose(both.image.norm(2, 1), torch::ones({3}), 1e-5, 1e-6));
  }

  void paddingChangesNothing() {
    const auto model = *create_model(small_config(), clip_tokenizer(), 3);
    for (const torch::ScalarType type : {torch::kFloat, torch::kDouble}) {
      model->to(type);
      const torch::NoGradGuard no_grad;
      const Tensor plain = model->encode_texts(token_rows({{49406, 320, 2368, 49407}}));
      for (const std::int64_t pad : {std::int64_t{0}, std::int64_t{49407}, std::int64_t{5}}) {
        const Tensor padded =
            model->encode_texts(token_rows({{49406, 320, 2368, 49407, pad, pad, pad}, {49406, 1, 2, 3, 4, 5, 49407}}));
        QVERIFY(torch::allclose(plain[0], padded[0], 1e-5, 1e-6));
      }
    }
  }

  void textIsReadOffAtTheFirstEndToken() {
    ClipConfig config = small_config();
    config.text.vocabulary_size = 49409;  // one token was added behind the end token
    const auto model = *create_model(config, clip_tokenizer(), 3);
    for (const torch::ScalarType type : {torch::kFloat, torch::kDouble}) {
      model->to(type);
      const torch::NoGradGuard no_grad;
      const Tensor cut = model->encode_texts(token_rows({{49406, 49408, 320, 49407}}));
      QVERIFY(torch::allclose(model->encode_texts(token_rows({{49406, 49408, 320, 49407, 49407}})), cut, 1e-5, 1e-6));
      // Without an end token the last position is read off, which depends on the last token; never position 0.
      const Tensor first = model->encode_texts(token_rows({{49406, 320, 7}}));
      QVERIFY(!torch::allclose(first, model->encode_texts(token_rows({{49406, 320, 8}})), 1e-3, 1e-4));
    }
  }

  void emptyBatches() {
    const auto model = *create_model(small_config(), clip_tokenizer(), 3);
    const Tensor images = model->encode_images(torch::empty({0, 3, 96, 96}));
    const Tensor texts = model->encode_texts(torch::empty({0, 5}, torch::kLong));
    QCOMPARE(images.size(0), std::int64_t{0});
    QCOMPARE(texts.size(1), std::int64_t{128});
    (images.sum() + texts.sum()).backward();
  }

  void parameters_areCountedDecayedAndGrouped() {
    const ClipConfig config = small_config();
    const auto model = *create_model(config, clip_tokenizer(), 3);
    std::map<std::string, std::int64_t> counts;
    for (const auto& parameter : model->named_parameters()) {
      const std::string& name = parameter.key();
      counts[model->tower(name)] += parameter.value().numel();
      const bool vector = parameter.value().dim() < 2 || name.ends_with("position_embedding");
      QCOMPARE(model->decays(name, parameter.value()), !vector);
    }
    const ParameterCounts right = count_parameters(config);
    QCOMPARE(counts["image"], right.image);
    QCOMPARE(counts["text"], right.text + right.token_table);
    QCOMPARE(counts["shared"], right.shared);
  }

  void scale_startsAndIsClampedRight() {
    const auto model = *create_model(small_config(), clip_tokenizer(), 3);
    QVERIFY(std::abs(model->log_scale().item<double>() - 2.659260) < 1e-6);
    {
      const torch::NoGradGuard no_grad;
      model->log_scale().fill_(100);
    }
    model->clamp_parameters();
    QVERIFY(model->log_scale().item<float>() <= std::log(100.0F));
    QVERIFY(std::abs(model->log_scale().exp().item<float>() - 100.0F) < 1e-4F);
    const torch::NoGradGuard no_grad;
    model->log_scale().sub_(1);
    model->clamp_parameters();
    QVERIFY(std::abs(model->log_scale().item<double>() - 3.605170) < 1e-5);
  }

  void seedDecidesTheWeights() {
    const auto one = *create_model(small_config(), clip_tokenizer(), 3);
    const auto same = *create_model(small_config(), clip_tokenizer(), 3);
    const auto other = *create_model(small_config(), clip_tokenizer(), 4);
    for (const auto& parameter : one->named_parameters())
      QVERIFY(torch::equal(parameter.value(), same->named_parameters()[parameter.key()]));
    QVERIFY(
        !torch::equal(one->named_parameters()["visual_projection"], other->named_parameters()["visual_projection"]));
  }

  void sinePositions_areWavesOfColumnAndRow() {
    const ClipConfig config = small_config();
    const auto normal = *create_model(config, clip_tokenizer(), 3);
    const auto sine = *create_model(config, clip_tokenizer(), 3, PositionStart::sine);
    const int grid = config.vision.image_size / config.vision.patch_size, waves = config.vision.width / 4;
    for (const auto& parameter : normal->named_parameters()) {
      const Tensor other = sine->named_parameters()[parameter.key()];
      if (parameter.key() != "vision_model.position_embedding") {
        QVERIFY2(torch::equal(parameter.value(), other), parameter.key().c_str());
        continue;
      }
      QVERIFY(grid > 1);
      QVERIFY(torch::equal(other[0], torch::zeros_like(other[0])));  // the class token stands nowhere
      for (int patch = 0; patch < grid * grid; ++patch) {
        for (int wave = 0; wave < waves; ++wave) {
          const double frequency = std::pow(10000.0, -static_cast<double>(wave) / waves);
          const double column = frequency * (patch % grid), row = frequency * (patch / grid);
          const double right[] = {std::sin(column), std::cos(column), std::sin(row), std::cos(row)};
          for (int part = 0; part < 4; ++part)
            QVERIFY(std::abs(other[patch + 1][part * waves + wave].item<double>() - 0.5 * right[part]) < 1e-6);
        }
      }
    }
  }

  void savedFolder_opensInTransformersAndBack() {
    if (!testing::has_reference_libraries()) QSKIP("the cached Python environment is missing");
    QTemporaryDir folder;
    QTemporaryDir answers;
    const std::filesystem::path ours = folder.path().toStdString();
    const std::filesystem::path out = answers.path().toStdString();
    ClipConfig config = small_config();
    config.vision.image_size = 32;
    const auto model = *create_model(config, clip_tokenizer(), 9);
    {
      const torch::NoGradGuard no_grad;
      for (Tensor& parameter : model->parameters()) parameter.add_(torch::randn_like(parameter) * 0.02);
    }
    QVERIFY(model->save(ours).has_value());
    QCOMPARE(testing::run_reference(QStringLiteral("transformers_clip.py"), {folder.path(), answers.path()}),
             QString());

    const Tensors theirs = *load_tensors(out / "answers.safetensors");
    const torch::NoGradGuard no_grad;
    const auto check = [&](Model& opened) {
      QVERIFY(error_share(opened.encode_images(theirs.at("images")), theirs.at("image"), 1e-5) <= 1);
      QVERIFY(error_share(opened.encode_texts(theirs.at("input_ids")), theirs.at("text"), 1e-5) <= 1);
    };
    check(*model);
    const auto back = load_model_with_report(out / "saved");
    QVERIFY2(back.has_value(), back ? "" : back.error().message().c_str());
    QVERIFY(back->report.unexpected.empty() && back->report.renamed.empty());
    check(*back->model);

    const Tensor rows = theirs.at("input_ids");
    const char* const captions[] = {"a photo of a cat", "You should've done this",
                                    "two bicycles beside a red house, on the left"};
    for (std::int64_t i = 0; i < 3; ++i) {
      const auto ids = back->model->input().tokenizer->encode(captions[i], 77);
      for (std::int64_t j = 0; j < rows.size(1); ++j) {
        const std::int64_t id = j < static_cast<std::int64_t>(ids.size()) ? ids[static_cast<std::size_t>(j)] : 49407;
        QCOMPARE(rows[i][j].item<std::int64_t>(), id);
      }
    }
    const Tensor picture = theirs.at("picture").contiguous();
    Image image{.width = static_cast<int>(picture.size(1)), .height = static_cast<int>(picture.size(0)), .rgb = {}};
    image.rgb.assign(picture.data_ptr<std::uint8_t>(), picture.data_ptr<std::uint8_t>() + picture.numel());
    const ImagePreprocess& preprocess = back->model->input().image;
    Tensor pixels = torch::empty({1, 3, 32, 32});
    normalize_chw(resize_and_crop(image, preprocess), preprocess, pixels.data_ptr<float>());
    // transformers resizes by torchvision, which rounds its weights: one step of 255.
    QVERIFY(largest(pixels - theirs.at("pixel_values")) <= 1.01 / 255 / 0.26);
  }

  void oddNames_areRead_data() {
    QTest::addColumn<QString>("prefix");
    QTest::addColumn<bool>("positions");
    QTest::addColumn<bool>("list");
    QTest::newRow("plain") << "" << false << false;
    QTest::newRow("module") << "module." << true << true;
    QTest::newRow("compiled") << "_orig_mod.module." << true << false;
    QTest::newRow("both") << "module._orig_mod." << false << true;
  }
  void oddNames_areRead() {
    QFETCH(QString, prefix);
    QFETCH(bool, positions);
    QFETCH(bool, list);
    QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    const auto model = *create_model(small_config(), clip_tokenizer(), 9);
    QVERIFY(model->save(path).has_value());
    NamedTensors odd;
    const Tensors saved = *load_tensors(path / "model.safetensors");
    for (const auto& [name, tensor] : saved)
      odd.emplace_back(prefix.toStdString() + name, list && name == "logit_scale" ? tensor.view({1}) : tensor);
    if (positions)
      odd.emplace_back(prefix.toStdString() + "text_model.embeddings.position_ids", torch::arange(77).view({1, 77}));
    const auto count = odd.size() - (positions ? 1 : 0);
    QVERIFY(save_tensors(path / "model.safetensors", odd).has_value());

    const auto loaded = load_model_with_report(path);
    QVERIFY2(loaded.has_value(), loaded ? "" : loaded.error().message().c_str());
    QCOMPARE(static_cast<std::size_t>(loaded->report.loaded), count);
    QCOMPARE(loaded->report.renamed.size(), prefix.isEmpty() ? 0 : odd.size());
    QCOMPARE(loaded->report.ignored.size(), std::size_t{positions ? 1U : 0U});
    QVERIFY(loaded->report.unexpected.empty());
    for (const auto& parameter : model->named_parameters())
      QVERIFY(torch::equal(parameter.value(), loaded->model->named_parameters()[parameter.key()]));

    odd.erase(
        std::find_if(odd.begin(), odd.end(), [](const auto& entry) { return entry.first.ends_with("fc1.bias"); }));
    QVERIFY(save_tensors(path / "model.safetensors", odd).has_value());
    const auto incomplete = load_model(path);
    QVERIFY(!incomplete.has_value());
    QVERIFY(incomplete.error().what.find("fc1.bias") != std::string::npos);
  }

  void savedTensors_viewsAndTies() {
    QTemporaryDir folder;
    const std::filesystem::path path = (folder.path() + QStringLiteral("/t.safetensors")).toStdString();
    const Tensor table = torch::randn({6, 4});
    const NamedTensors tensors = {{"transposed", table.t()},
                                  {"tied", table},
                                  {"tie", table},
                                  {"slice", table.narrow(0, 2, 2)},
                                  {"column", table.select(1, 1)},
                                  {"half", table.to(torch::kBFloat16)},
                                  {"count", torch::tensor(std::int64_t{7})}};
    QVERIFY(save_tensors(path, tensors, {{"format", "pt"}}).has_value());
    const Tensors back = *load_tensors(path);
    QCOMPARE(back.size(), tensors.size());
    for (const auto& [name, tensor] : tensors) {
      QVERIFY(back.at(name).scalar_type() == tensor.scalar_type());
      QVERIFY2(torch::equal(back.at(name), tensor), name.c_str());
    }
  }

  void bfloat16_isRoundedToNearestEven() {
    const std::pair<std::uint32_t, std::uint16_t> known[] = {{0x4048F5C3, 0x4049}, {0x3F808000, 0x3F80},
                                                             {0x3F818000, 0x3F82}, {0x3F80FFFF, 0x3F81},
                                                             {0x7F7FFFFF, 0x7F80}, {0x80000000, 0x8000}};
    for (const auto& [wide, narrow] : known) QCOMPARE(c10::BFloat16(std::bit_cast<float>(wide)).x, narrow);
    QVERIFY(std::isnan(static_cast<float>(c10::BFloat16(std::bit_cast<float>(0x7F800001U)))));
  }
};

QTEST_GUILESS_MAIN(ClipModelTest)
#include "clip_model_test.moc"
