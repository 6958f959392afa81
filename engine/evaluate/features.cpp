// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/features.h"

#include <ATen/autocast_mode.h>

#include <algorithm>
#include <numeric>

#include "models/image/preprocess.h"

namespace disco {

AutocastScope::AutocastScope(Precision precision) : active_(precision == Precision::bf16) {
  if (!active_) return;
  at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
  at::autocast::set_autocast_enabled(at::kCPU, true);
}

AutocastScope::~AutocastScope() {
  if (!active_) return;
  at::autocast::set_autocast_enabled(at::kCPU, false);
  at::autocast::clear_cache();
}

InferenceScope::InferenceScope(models::Model& model, Precision precision)
    : model_(model), precision_(precision), was_training_(model.is_training()) {
  model_.eval();
}

InferenceScope::~InferenceScope() { model_.train(was_training_); }

torch::Tensor image_tensor(const std::vector<const models::Image*>& views, const models::InputContract& contract) {
  const auto side = contract.image.size;
  const auto count = static_cast<std::int64_t>(views.size());
  auto tensor = torch::empty({count, 3, side, side});
  float* out = tensor.data_ptr<float>();
  at::parallel_for(0, count, 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      models::normalize_chw(*views[static_cast<std::size_t>(i)], contract.image, out + i * 3 * side * side);
  });
  return tensor;
}

torch::Tensor token_tensor(const std::vector<const std::vector<std::int32_t>*>& texts,
                           const models::InputContract& contract) {
  std::size_t longest = 1;
  for (const auto* text : texts) longest = std::max(longest, text->size());
  auto tensor = torch::full({static_cast<std::int64_t>(texts.size()), static_cast<std::int64_t>(longest)},
                            contract.tokenizer->pad_id(), at::kLong);
  std::int64_t* row = tensor.data_ptr<std::int64_t>();
  for (const auto* text : texts) {
    std::copy(text->begin(), text->end(), row);
    row += longest;
  }
  return tensor;
}

torch::Tensor encode_texts_in_batches(models::Model& model, const std::vector<const std::vector<std::int32_t>*>& texts,
                                      int batch, const std::function<bool(std::int64_t)>& go_on) {
  std::vector<std::int64_t> order(texts.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return texts[static_cast<std::size_t>(a)]->size() < texts[static_cast<std::size_t>(b)]->size();
  });
  std::vector<torch::Tensor> parts;
  for (std::size_t begin = 0; begin < order.size(); begin += static_cast<std::size_t>(batch)) {
    if (!go_on(static_cast<std::int64_t>(begin))) return {};
    std::vector<const std::vector<std::int32_t>*> rows;
    for (std::size_t i = begin; i < std::min(order.size(), begin + static_cast<std::size_t>(batch)); ++i)
      rows.push_back(texts[static_cast<std::size_t>(order[i])]);
    parts.push_back(model.encode_texts(token_tensor(rows, model.input())));
  }
  if (parts.empty()) return {};
  const auto sorted = torch::cat(parts);
  auto result = torch::empty_like(sorted);
  result.index_copy_(0, torch::tensor(order, at::kLong), sorted);
  return result;
}

}  // namespace disco
