// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/training_step.h"

#include <torch/torch.h>

#include <cmath>

#include "engine/base/clock.h"
#include "engine/evaluate/features.h"

namespace disco {
namespace {

/// Seconds since the last lap, without what was spent in collectives, which is counted apart.
class Laps {
 public:
  explicit Laps(const Communicator& communicator)
      : communicator_(communicator), time_(steady_seconds()), communication_(communicator.seconds()) {}

  double lap() {
    const double now = steady_seconds(), communication = communicator_.seconds();
    const double talked = communication - communication_;
    const double passed = now - time_ - talked;
    time_ = now;
    communication_ = communication;
    communication_total_ += talked;
    return passed;
  }
  [[nodiscard]] double communication() const { return communication_total_; }

 private:
  const Communicator& communicator_;
  double time_, communication_, communication_total_ = 0;
};

/// A tensor over memory of the batch, which outlives the step.
template <class T>
torch::Tensor borrowed(const std::vector<T>& values, at::IntArrayRef shape, at::ScalarType type) {
  return torch::from_blob(const_cast<T*>(values.data()), shape, type);
}

}  // namespace

std::vector<ParameterGroup> parameter_groups(const models::Model& model, double weight_decay) {
  std::vector<ParameterGroup> groups{
      {"image", weight_decay, {}, {}}, {"image", 0, {}, {}}, {"text", weight_decay, {}, {}}, {"text", 0, {}, {}}};
  for (const auto& item : model.named_parameters()) {
    if (!item.value().requires_grad()) continue;
    const std::size_t tower = model.tower(item.key()) == "text" ? 2 : 0;
    ParameterGroup& group = groups[tower + (model.decays(item.key(), item.value()) ? 0 : 1)];
    group.names.push_back(item.key());
    group.parameters.push_back(item.value());
  }
  return groups;
}

TrainingStep::TrainingStep(const RunConfig& config, models::Model& model, AdamW& optimizer, Communicator& communicator)
    : config_(config),
      model_(model),
      optimizer_(optimizer),
      communicator_(communicator),
      parameters_(optimizer.parameters()) {
  options_.extra = config.objective.extra_negatives;
  if (config.objective.tile > 0) options_.tile_rows = options_.tile_columns = config.objective.tile;
  options_.keep_bytes = static_cast<std::int64_t>(config.objective.keep_logits_mib * 1024 * 1024);
}

std::map<std::string, double> TrainingStep::learning_rates(double share) const {
  const double rate = config_.optimizer.learning_rate * share;
  return {{"image", rate}, {"text", rate * config_.optimizer.text_learning_rate_factor}};
}

models::Features TrainingStep::forward(const data::Batch& batch) {
  const auto side = model_.input().image.size;
  models::ModelInputs inputs;
  inputs.images = borrowed(batch.pixels, {batch.count, 3, side, side}, at::kFloat);
  inputs.tokens = borrowed(batch.tokens, {batch.count, batch.length}, at::kLong);
  if (batch.extra_count > 0)
    inputs.extra_tokens = borrowed(batch.extra_tokens, {batch.extra_count, batch.extra_length}, at::kLong);
  const AutocastScope precision(config_.precision);
  return model_.encode(inputs);
}

StepOutcome TrainingStep::take(const data::Batch& batch, double share) {
  StepOutcome outcome;
  Laps laps(communicator_);
  const models::Features features = forward(batch);
  outcome.forward = laps.lap();

  const ContrastiveResult loss = contrastive_loss_tiled({.image = features.image,
                                                         .text = features.text,
                                                         .extra = features.extra,
                                                         .extra_owner = batch.extra_owner,
                                                         .log_scale = model_.log_scale()},
                                                        options_, communicator_);
  outcome.loss = loss.loss.item<double>();
  outcome.image_to_text = loss.image_to_text;
  outcome.text_to_image = loss.text_to_image;
  outcome.loss_seconds = laps.lap();

  loss.loss.backward();
  outcome.backward = laps.lap();

  if (communicator_.size() > 1) average_gradients(parameters_, communicator_);
  outcome.gradient_norm = optimizer_.gradient_norm();
  outcome.applied = std::isfinite(outcome.gradient_norm) && std::isfinite(outcome.loss);
  if (outcome.applied) {
    optimizer_.step(learning_rates(share), outcome.gradient_norm, config_.optimizer.clip_norm);
    model_.clamp_parameters();
  }
  optimizer_.clear_gradients();
  outcome.logit_scale = std::exp(model_.log_scale().item<double>());
  outcome.optimizer = laps.lap();
  outcome.communication = laps.communication();
  return outcome;
}

}  // namespace disco
