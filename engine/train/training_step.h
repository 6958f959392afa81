// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/data/loader.h"
#include "engine/distributed/communicator.h"
#include "engine/objectives/contrastive.h"
#include "engine/run/run_config.h"
#include "engine/train/optimizer.h"
#include "models/model.h"

namespace disco {

/// What one step did and where its time went, in seconds.
struct StepOutcome {
  double loss = 0;
  double image_to_text = 0;
  double text_to_image = 0;
  double gradient_norm = 0;  ///< before clipping
  double logit_scale = 0;
  bool applied = false;  ///< false: something was not finite; weights and moments are as before
  double forward = 0, loss_seconds = 0, backward = 0, communication = 0, optimizer = 0;
};

/// The groups that AdamW works on: image and text tower, each with and without weight decay. Parameters that belong to
/// both towers (the logit scale) go with the image tower's learning rate.
[[nodiscard]] std::vector<ParameterGroup> parameter_groups(const models::Model& model, double weight_decay);

/// Forward, loss, backward, averaging over ranks, and the update; the same on every rank. Knows neither the family of
/// the model nor where a batch comes from.
class TrainingStep {
 public:
  TrainingStep(const RunConfig& config, models::Model& model, AdamW& optimizer, Communicator& communicator);

  /// Takes one step on this rank's rows. `share` is the schedule's factor on the learning rates.
  StepOutcome take(const data::Batch& batch, double share);

  /// Learning rates of the groups at a schedule's factor.
  [[nodiscard]] std::map<std::string, double> learning_rates(double share) const;

 private:
  [[nodiscard]] models::Features forward(const data::Batch& batch);

  const RunConfig& config_;
  models::Model& model_;
  AdamW& optimizer_;
  Communicator& communicator_;
  ContrastiveOptions options_;
  std::vector<at::Tensor> parameters_;
};

}  // namespace disco
