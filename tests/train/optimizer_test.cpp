// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/optimizer.h"

#include <torch/torch.h>

#include <QTest>
#include <cmath>
#include <limits>

using namespace disco;

class OptimizerTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void resumedStepIsTheUninterruptedOne();
  void wronglyShapedMomentIsRefused();
  void missingMomentIsRefused();
  void clippingUsesTheNormOfAllGroups();
  void decayAppliesToItsGroupOnly();
  void notFiniteGradientsShowInTheNorm();
  void parameterWithoutGradientStays();
};

namespace {

torch::Tensor weight(std::vector<double> values) { return torch::tensor(values, at::kFloat).set_requires_grad(true); }

AdamW adam(const torch::Tensor& parameter, AdamWOptions options, double decay = 0) {
  return AdamW({{"image", decay, {"w"}, {parameter}}}, options);
}

void set_gradient(const torch::Tensor& parameter, std::vector<double> values) {
  parameter.mutable_grad() = torch::tensor(values, at::kFloat);
}

std::map<std::string, at::Tensor> saved(const AdamW& optimizer) {
  std::map<std::string, at::Tensor> copy;
  for (const auto& [name, tensor] : optimizer.state()) copy[name] = tensor.clone();
  return copy;
}

const std::map<std::string, double> rate_one{{"image", 1.0}, {"text", 1.0}};

}  // namespace

void OptimizerTest::resumedStepIsTheUninterruptedOne() {
  // Gradients 1 then 0.1, saved between, restored into an optimizer made with other betas: the second update is
  // m = .9 * .1 + .1 * .1 = .1, v = .999 * .001 + .001 * .01; (m / .19) / sqrt(v / .001999) = 0.740811.
  const auto first = weight({0});
  AdamW before = adam(first, {.9, .999, 1e-30});
  set_gradient(first, {1});
  before.step(rate_one, before.gradient_norm(), 0);
  QVERIFY(std::abs(first.item<double>() + 1) < 1e-6);

  const auto second = weight({0});
  AdamW after = adam(second, {.5, .5, 1e-3});
  const auto loaded = after.load_state(saved(before), "state");
  QVERIFY2(loaded, loaded ? "" : loaded.error().message().c_str());
  QCOMPARE(after.steps(), std::int64_t{1});
  set_gradient(second, {0.1});
  after.step(rate_one, after.gradient_norm(), 0);
  QVERIFY2(std::abs(second.item<double>() + 0.740811) < 1e-5,
           qPrintable(QString::number(second.item<double>(), 'g', 9)));
}

void OptimizerTest::wronglyShapedMomentIsRefused() {
  const auto parameter = weight({0, 0});
  AdamW optimizer = adam(parameter, {});
  auto state = saved(optimizer);
  state["square/w"] = torch::zeros({3});
  const auto loaded = optimizer.load_state(state, "optimizer.safetensors");
  QVERIFY(!loaded);
  const std::string message = loaded.error().message();
  QVERIFY2(message.find("square/w") != std::string::npos && message.find("[3]") != std::string::npos, message.c_str());
}

void OptimizerTest::missingMomentIsRefused() {
  AdamW optimizer = adam(weight({0}), {});
  auto state = saved(optimizer);
  state.erase("mean/w");
  QVERIFY(optimizer.load_state(state, "x").error().message().find("mean/w") != std::string::npos);
}

void OptimizerTest::clippingUsesTheNormOfAllGroups() {
  // 3 in one group and 4 in the other: the norm is 5, and the moments see 0.6 and 0.8.
  const auto a = weight({0}), b = weight({0});
  AdamW optimizer({{"image", 0, {"a"}, {a}}, {"text", 0, {"b"}, {b}}}, {.9, .999, 1e-8});
  set_gradient(a, {3});
  set_gradient(b, {4});
  QVERIFY(std::abs(optimizer.gradient_norm() - 5) < 1e-6);
  optimizer.step(rate_one, 5, 1);
  const auto state = saved(optimizer);
  QVERIFY(std::abs(state.at("mean/a").item<double>() - 0.06) < 1e-7);
  QVERIFY(std::abs(state.at("mean/b").item<double>() - 0.08) < 1e-7);
}

void OptimizerTest::decayAppliesToItsGroupOnly() {
  const auto a = weight({2}), b = weight({2});
  AdamW optimizer({{"image", 0.1, {"a"}, {a}}, {"image", 0, {"b"}, {b}}}, {.9, .999, 1e-8});
  set_gradient(a, {0});
  set_gradient(b, {0});
  optimizer.step({{"image", 0.5}}, 0, 1);
  QVERIFY(std::abs(a.item<double>() - 2 * (1 - 0.5 * 0.1)) < 1e-6);
  QCOMPARE(b.item<double>(), 2.0);
}

void OptimizerTest::notFiniteGradientsShowInTheNorm() {
  const auto parameter = weight({0, 0});
  AdamW optimizer = adam(parameter, {});
  set_gradient(parameter, {1, std::numeric_limits<double>::quiet_NaN()});
  QVERIFY(std::isnan(optimizer.gradient_norm()));
  set_gradient(parameter, {1, std::numeric_limits<double>::infinity()});
  QVERIFY(std::isinf(optimizer.gradient_norm()));
}

void OptimizerTest::parameterWithoutGradientStays() {
  const auto parameter = weight({1});
  AdamW optimizer = adam(parameter, {}, 0.1);
  QCOMPARE(optimizer.gradient_norm(), 0.0);
  optimizer.step(rate_one, 0, 1);
  QCOMPARE(parameter.item<double>(), 1.0);
}

QTEST_GUILESS_MAIN(OptimizerTest)
#include "optimizer_test.moc"
