// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/training_step.h"

#include <torch/torch.h>

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <limits>

#include "engine/base/resources.h"
#include "engine/data/loader.h"
#include "engine/evaluate/evaluator.h"
#include "engine/train/judge.h"
#include "engine/train/run_checkpoint.h"
#include "models/registry.h"

using namespace disco;

/// One step of training on a small model, without processes around it.
class TrainingStepTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void lossFallsOnOneBatch();
  void notFiniteStepChangesNothing();
  void scaleIsClampedAfterTheStep();
  void savedAndRestoredIsTheSameBitForBit();
  void notFiniteWeightsAreNotSaved();
  void nanIsNeverTheBest();
  void bf16ComesClose();
  void greyPicturesAreGuessed();

 private:
  [[nodiscard]] std::shared_ptr<models::Model> model() const {
    return *models::create_model(config_.model.clip, tokenizer_, 3);
  }
  [[nodiscard]] AdamW optimizer(const models::Model& model) const {
    return AdamW(parameter_groups(model, 0.1), {0.9, 0.98, 1e-6});
  }
  RunConfig config_;
  std::shared_ptr<const models::Tokenizer> tokenizer_;
  data::DataSources sources_;
  data::Batch batch_;
  LocalCommunicator alone_;
};

namespace {

std::vector<torch::Tensor> copies(const models::Model& model) {
  std::vector<torch::Tensor> all;
  for (const auto& parameter : model.parameters()) all.push_back(parameter.detach().clone());
  return all;
}

bool equal(const std::vector<torch::Tensor>& a, const std::vector<torch::Tensor>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!a[i].equal(b[i])) return false;
  return true;
}

}  // namespace

void TrainingStepTest::initTestCase() {
  config_.model.clip = {
      .embed_dim = 32,
      .quick_gelu = false,
      .vision = {.image_size = 32, .patch_size = 16, .width = 32, .layers = 1, .heads = 2, .mlp_width = 64},
      .text = {.context_length = 32, .vocabulary_size = 49408, .width = 32, .layers = 1, .heads = 2, .mlp_width = 64}};
  config_.batch.size = 8;
  tokenizer_ = *models::load_clip_tokenizer(resource_path("vocabularies/clip"));
  sources_ = *data::open_sources(config_.data, {.seed = 1, .picture_size = 32});
  data::LoaderOptions options;
  options.batch_size = 8;
  options.threads = 1;
  options.preprocess = model()->input().image;
  options.tokenizer = tokenizer_;
  options.context_length = 32;
  options.negatives = 4;
  auto loader = data::Loader::create(sources_.train, options);
  QVERIFY2(loader, loader ? "" : loader.error().message().c_str());
  batch_ = **loader->next();
  QCOMPARE(batch_.count, 8);
  QVERIFY(batch_.extra_count > 0);
}

void TrainingStepTest::lossFallsOnOneBatch() {
  const auto net = model();
  AdamW adam = optimizer(*net);
  TrainingStep step(config_, *net, adam, alone_);
  const auto first = step.take(batch_, 1);
  QVERIFY(first.applied);
  QVERIFY(std::abs(first.logit_scale - 1 / 0.07) < 0.05);
  QVERIFY(std::abs(first.loss - (first.image_to_text + first.text_to_image) / 2) < 1e-5);
  StepOutcome last;
  for (int i = 0; i < 30; ++i) last = step.take(batch_, 1);
  QVERIFY2(last.loss < 0.5 * first.loss, qPrintable(QString::number(last.loss)));
}

void TrainingStepTest::notFiniteStepChangesNothing() {
  const auto net = model();
  AdamW adam = optimizer(*net);
  TrainingStep step(config_, *net, adam, alone_);
  QVERIFY(step.take(batch_, 1).applied);
  const auto weights = copies(*net);
  std::vector<torch::Tensor> moments;
  for (const auto& [name, tensor] : adam.state()) moments.push_back(tensor.clone());
  data::Batch broken = batch_;
  broken.pixels[5] = std::numeric_limits<float>::infinity();
  const auto outcome = step.take(broken, 1);
  QVERIFY(!outcome.applied);
  QVERIFY(equal(weights, copies(*net)));
  std::vector<torch::Tensor> after;
  for (const auto& [name, tensor] : adam.state()) after.push_back(tensor.clone());
  QVERIFY(equal(moments, after));
  QCOMPARE(adam.steps(), std::int64_t{1});
  QVERIFY(step.take(batch_, 1).applied);  // and it goes on
}

void TrainingStepTest::scaleIsClampedAfterTheStep() {
  const auto net = model();
  AdamW adam = optimizer(*net);
  {
    const at::NoGradGuard no_gradient;
    net->log_scale().fill_(100);
  }
  TrainingStep step(config_, *net, adam, alone_);
  const auto outcome = step.take(batch_, 1e-6);
  // With e^100 in front the gradients overflow: then nothing is applied and nothing may be clamped either.
  const double value = net->log_scale().item<double>();
  QVERIFY(outcome.applied ? value <= std::log(100.0) + 1e-6 : value == 100);
  {
    const at::NoGradGuard no_gradient;
    net->log_scale().fill_(6);
  }
  QVERIFY(step.take(batch_, 1e-6).applied);
  QVERIFY(net->log_scale().item<float>() <= static_cast<float>(std::log(100.0)));  // in fp32 its exp is 100
}

void TrainingStepTest::savedAndRestoredIsTheSameBitForBit() {
  QTemporaryDir folder;
  const RunFolder run(folder.path().toStdString());
  std::filesystem::create_directories(run.checkpoints_path());
  const auto net = model();
  AdamW adam = optimizer(*net);
  TrainingStep step(config_, *net, adam, alone_);
  for (int i = 0; i < 3; ++i) step.take(batch_, 1);
  const auto saved = save_run_checkpoint(run, *net, adam, {.step = 3, .applied_steps = 3}, {});
  QVERIFY2(saved, saved ? "" : saved.error().message().c_str());
  for (int i = 0; i < 3; ++i) step.take(batch_, 1);

  const auto point = find_resume_point(run);
  QVERIFY(point && *point);
  QCOMPARE((*point)->step, std::int64_t{3});
  const auto loaded = models::load_model((*point)->folder);
  QVERIFY2(loaded, loaded ? "" : loaded.error().message().c_str());
  AdamW restored = optimizer(**loaded);
  QVERIFY(load_optimizer((*point)->folder, restored));
  QCOMPARE(load_trainer_state((*point)->folder)->applied_steps, std::int64_t{3});
  (*loaded)->train();
  TrainingStep again(config_, **loaded, restored, alone_);
  for (int i = 0; i < 3; ++i) again.take(batch_, 1);
  QVERIFY(equal(copies(*net), copies(**loaded)));
}

void TrainingStepTest::notFiniteWeightsAreNotSaved() {
  QTemporaryDir folder;
  const RunFolder run(folder.path().toStdString());
  std::filesystem::create_directories(run.checkpoints_path());
  const auto net = model();
  AdamW adam = optimizer(*net);
  QVERIFY(save_run_checkpoint(run, *net, adam, {.step = 1}, {}));
  {
    const at::NoGradGuard no_gradient;
    net->parameters().front().view({-1})[0] = std::numeric_limits<float>::quiet_NaN();
  }
  const auto saved = save_run_checkpoint(run, *net, adam, {.step = 2}, {});
  QVERIFY(!saved);
  QVERIFY(saved.error().message().find("not finite") != std::string::npos);
  QCOMPARE(run.checkpoint_steps(), std::vector<std::int64_t>{1});
}

void TrainingStepTest::nanIsNeverTheBest() {
  TrainerState state;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto judge = [&](std::int64_t at, double value) {
    state.step = at;
    return take_if_best({{"matching/accuracy", value}, {"retrieval/image_to_text_r1", 1.0}}, state);
  };
  QVERIFY(!judge(1, nan));
  QVERIFY(judge(2, 0.4));
  QCOMPARE(state.best_step, std::int64_t{2});
  QVERIFY(!judge(3, nan));
  QVERIFY(judge(4, 0.6));
  QVERIFY(!judge(5, 0.6));
  QCOMPARE(*state.best_value, 0.6);
  QCOMPARE(state.best_step, std::int64_t{4});
}

void TrainingStepTest::bf16ComesClose() {
  const auto exact = model(), low = model();
  AdamW adam_exact = optimizer(*exact), adam_low = optimizer(*low);
  RunConfig config = config_;
  config.precision = Precision::bf16;
  const double expected = TrainingStep(config_, *exact, adam_exact, alone_).take(batch_, 1).loss;
  const auto outcome = TrainingStep(config, *low, adam_low, alone_).take(batch_, 1);
  QVERIFY(outcome.applied);
  QVERIFY2(std::abs(outcome.loss - expected) < 0.02 * expected, qPrintable(QString::number(outcome.loss)));
  for (const auto& parameter : low->parameters()) QCOMPARE(parameter.scalar_type(), at::kFloat);
}

void TrainingStepTest::greyPicturesAreGuessed() {
  // Candidates must not give themselves away by their texts: with every picture grey, few more than one in five is
  // right, whatever the model.
  const auto net = model();
  AdamW adam = optimizer(*net);
  TrainingStep step(config_, *net, adam, alone_);
  for (int i = 0; i < 10; ++i) step.take(batch_, 1);
  EvaluationSet set(sources_.validation, net->input(), 1000, 1);
  set.hide_pictures();
  const auto result = evaluate(*net, set, {.batch = 200}, alone_);
  QVERIFY2(result && *result, result ? "" : result.error().message().c_str());
  QCOMPARE((*result)->samples, std::int64_t{1000});
  const double accuracy = (*result)->metrics.at("matching/accuracy");
  QVERIFY2(accuracy < 0.25, qPrintable(QString::number(accuracy)));
}

QTEST_GUILESS_MAIN(TrainingStepTest)
#include "training_step_test.moc"
