// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/optimizer.h"

#include <torch/torch.h>

#include <cmath>

namespace disco {
namespace {

std::string shape_text(const at::Tensor& tensor) {
  std::string text;
  for (const auto size : tensor.sizes()) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return "[" + text + "]";
}

at::Tensor numbers(std::initializer_list<double> values) {
  return torch::tensor(std::vector<double>(values), at::kDouble);
}

}  // namespace

AdamW::AdamW(std::vector<ParameterGroup> groups, AdamWOptions options)
    : groups_(std::move(groups)), options_(options), step_(torch::zeros({}, at::kFloat)) {
  const at::NoGradGuard no_gradient;
  for (const auto& group : groups_) {
    Moments moments;
    for (const auto& parameter : group.parameters) {
      moments.mean.push_back(torch::zeros_like(parameter));
      moments.square.push_back(torch::zeros_like(parameter));
    }
    moments_.push_back(std::move(moments));
  }
}

std::vector<at::Tensor> AdamW::parameters() const {
  std::vector<at::Tensor> all;
  for (const auto& group : groups_) all.insert(all.end(), group.parameters.begin(), group.parameters.end());
  return all;
}

double AdamW::gradient_norm() const {
  std::vector<at::Tensor> gradients;
  for (const auto& group : groups_)
    for (const auto& parameter : group.parameters)
      if (parameter.grad().defined()) gradients.push_back(parameter.grad());
  if (gradients.empty()) return 0;
  return torch::stack(at::_foreach_norm(gradients, 2)).norm().item<double>();
}

void AdamW::step(const std::map<std::string, double>& learning_rates, double norm, double clip_norm) {
  const at::NoGradGuard no_gradient;
  step_.add_(1);
  // The kernel divides gradients by this number as it reads them, which saves a pass over them.
  const auto shorten =
      clip_norm > 0 && norm > clip_norm ? std::optional(torch::tensor(norm / clip_norm, at::kFloat)) : std::nullopt;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    std::vector<at::Tensor> parameters, gradients, means, squares;
    for (std::size_t i = 0; i < groups_[g].parameters.size(); ++i) {
      const at::Tensor& parameter = groups_[g].parameters[i];
      if (!parameter.grad().defined()) continue;
      parameters.push_back(parameter);
      gradients.push_back(parameter.grad());
      means.push_back(moments_[g].mean[i]);
      squares.push_back(moments_[g].square[i]);
    }
    if (parameters.empty()) continue;
    const std::vector<at::Tensor> steps(parameters.size(), step_);
    at::_fused_adamw_(parameters, gradients, means, squares, {}, steps, learning_rates.at(groups_[g].name),
                      options_.beta1, options_.beta2, groups_[g].weight_decay, options_.epsilon, /*amsgrad=*/false,
                      /*maximize=*/false, shorten, /*found_inf=*/std::nullopt);
  }
}

void AdamW::clear_gradients() {
  for (const auto& group : groups_)
    for (const auto& parameter : group.parameters) parameter.mutable_grad().reset();
}

std::int64_t AdamW::steps() const { return static_cast<std::int64_t>(step_.item<float>()); }

std::vector<std::pair<std::string, at::Tensor>> AdamW::state() const {
  std::vector<std::pair<std::string, at::Tensor>> state;
  state.emplace_back("step", step_);
  state.emplace_back("options", numbers({options_.beta1, options_.beta2, options_.epsilon}));
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (std::size_t i = 0; i < groups_[g].names.size(); ++i) {
      state.emplace_back("mean/" + groups_[g].names[i], moments_[g].mean[i]);
      state.emplace_back("square/" + groups_[g].names[i], moments_[g].square[i]);
    }
  return state;
}

Result<void> AdamW::load_state(const std::map<std::string, at::Tensor>& state, const std::string& where) {
  const at::NoGradGuard no_gradient;
  const auto expected = this->state();
  for (const auto& [name, mine] : expected) {
    const auto found = state.find(name);
    if (found == state.end())
      return failure("lacks the tensor " + name, where, "It belongs to another model, or is damaged.");
    if (found->second.sizes() != mine.sizes() || found->second.scalar_type() != mine.scalar_type())
      return failure(
          "holds " + name + " as " + shape_text(found->second) + " where the model needs " + shape_text(mine), where,
          "It belongs to another model, or is damaged.");
  }
  for (const auto& [name, mine] : expected) {
    at::Tensor target = mine;
    target.copy_(state.at(name));
  }
  const auto options = state.at("options");
  options_ = {options[0].item<double>(), options[1].item<double>(), options[2].item<double>()};
  return {};
}

}  // namespace disco
