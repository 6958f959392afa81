// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/base/error.h"

namespace disco {

struct AdamWOptions {
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-6;
};

/// Parameters that share a learning rate and a weight decay.
struct ParameterGroup {
  std::string name;  ///< "image" or "text": which learning rate applies
  double weight_decay = 0;
  std::vector<std::string> names;
  std::vector<at::Tensor> parameters;
};

/// AdamW (Loshchilov and Hutter 2019) in one fused pass over memory for each group. Everything it remembers can be
/// saved and restored bit for bit, the betas included. Used from one thread.
class AdamW {
 public:
  AdamW(std::vector<ParameterGroup> groups, AdamWOptions options);

  /// All parameters, in the order of their groups.
  [[nodiscard]] std::vector<at::Tensor> parameters() const;

  /// The length of all gradients together; parameters without a gradient count 0. NaN or infinite when any entry is.
  [[nodiscard]] double gradient_norm() const;

  /// One update with the learning rate of each group's name. Gradients longer than `clip_norm` are shortened to it
  /// (0 = no limit); `norm` is what gradient_norm() returned and must be finite. A parameter without gradient stays.
  void step(const std::map<std::string, double>& learning_rates, double norm, double clip_norm);

  void clear_gradients();

  [[nodiscard]] std::int64_t steps() const;
  [[nodiscard]] const AdamWOptions& options() const { return options_; }
  void set_options(const AdamWOptions& options) { options_ = options; }

  /// Moments by parameter name ("mean/…", "square/…"), the step count and the betas.
  [[nodiscard]] std::vector<std::pair<std::string, at::Tensor>> state() const;
  /// Takes a state back, betas and step count too. A missing or wrongly shaped tensor is an error that names it, and
  /// then nothing is changed.
  [[nodiscard]] Result<void> load_state(const std::map<std::string, at::Tensor>& state, const std::string& where);

 private:
  struct Moments {
    std::vector<at::Tensor> mean, square;
  };
  std::vector<ParameterGroup> groups_;
  std::vector<Moments> moments_;
  AdamWOptions options_;
  at::Tensor step_;  // fp32, as the fused kernel wants it: exact to 16.7 million
};

}  // namespace disco
