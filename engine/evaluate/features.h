// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/run/run_config.h"
#include "models/image/image.h"
#include "models/model.h"

namespace disco {

/// bf16 arithmetic in the networks of this thread while it lives; weights, features and the loss stay fp32.
class AutocastScope {
 public:
  explicit AutocastScope(Precision precision);
  ~AutocastScope();
  AutocastScope(const AutocastScope&) = delete;
  AutocastScope& operator=(const AutocastScope&) = delete;

 private:
  bool active_;
};

/// While it lives: no gradients, the model in evaluation mode, bf16 arithmetic where the run asks for it.
class InferenceScope {
 public:
  InferenceScope(models::Model& model, Precision precision);
  ~InferenceScope();
  InferenceScope(const InferenceScope&) = delete;
  InferenceScope& operator=(const InferenceScope&) = delete;

 private:
  models::Model& model_;
  at::NoGradGuard no_gradient_;
  AutocastScope precision_;
  bool was_training_;
};

/// Views as the model sees them → [N, 3, S, S] normalised.
[[nodiscard]] torch::Tensor image_tensor(const std::vector<const models::Image*>& views,
                                         const models::InputContract& contract);

/// Ids → [N, longest] int64, padded.
[[nodiscard]] torch::Tensor token_tensor(const std::vector<const std::vector<std::int32_t>*>& texts,
                                         const models::InputContract& contract);

/// Unit rows of many texts, computed in batches of similar length, returned in the given order. `go_on` is asked
/// before each batch with the number of texts done; false ends it, with an undefined tensor.
[[nodiscard]] torch::Tensor encode_texts_in_batches(models::Model& model,
                                                    const std::vector<const std::vector<std::int32_t>*>& texts,
                                                    int batch, const std::function<bool(std::int64_t)>& go_on);

}  // namespace disco
