// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/torch.h>

#include "models/layers/sequences.h"

namespace disco::models {

/// The non-linearity between the two halves of an MLP.
enum class Activation { gelu, quick_gelu };

/// The shape of a transformer block.
struct BlockShape {
  std::int64_t width = 0;
  std::int64_t heads = 0;
  std::int64_t mlp_width = 0;
  Activation activation = Activation::gelu;
  double epsilon = 1e-5;  ///< of the layer norms
};

/// Weight and bias of a layer norm over rows.
class LayerNorm : public torch::nn::Module {
 public:
  LayerNorm(std::int64_t width, double epsilon);
  torch::Tensor forward(const torch::Tensor& x) const;

  torch::Tensor weight;
  torch::Tensor bias;
  double epsilon;
};

/// y = x W^T + b, weight [out, in].
class Linear : public torch::nn::Module {
 public:
  Linear(std::int64_t in, std::int64_t out);
  torch::Tensor forward(const torch::Tensor& x) const { return at::linear(x, weight, bias); }

  torch::Tensor weight;
  torch::Tensor bias;
};

/// Multi-head attention within each sequence. Queries, keys and values come from one matrix product; qkv_proj holds the
/// three weights one below the other, in that order.
class SelfAttention : public torch::nn::Module {
 public:
  SelfAttention(std::int64_t width, std::int64_t heads);

  /// x [T, W] to [T, W].
  torch::Tensor forward(const torch::Tensor& x, const Sequences& sequences, Causal causal) const;

  /// The same for one query row of each sequence: query [count, W], x [T, W] to [count, W]. Of sequence i the query
  /// sees the first visible[i] tokens; undefined means all.
  torch::Tensor forward_one(const torch::Tensor& query, const torch::Tensor& x, const Sequences& sequences,
                            const torch::Tensor& visible) const;

  std::int64_t heads;
  std::shared_ptr<Linear> qkv_proj;
  std::shared_ptr<Linear> out_proj;
};

/// fc2(activation(fc1(x))).
class Mlp : public torch::nn::Module {
 public:
  Mlp(std::int64_t width, std::int64_t hidden, Activation activation);
  torch::Tensor forward(const torch::Tensor& x) const;

  Activation activation;
  std::shared_ptr<Linear> fc1;
  std::shared_ptr<Linear> fc2;
};

/// Pre-norm transformer block: x + attention(norm(x)), then x + mlp(norm(x)).
class Block : public torch::nn::Module {
 public:
  explicit Block(const BlockShape& shape);

  torch::Tensor forward(const torch::Tensor& x, const Sequences& sequences, Causal causal) const;

  /// The block's output for one row of each sequence (rows [count], indices into x), which is all that is needed of the
  /// last block of a tower that is read off at one token: exact, without the work for the other rows.
  torch::Tensor forward_one(const torch::Tensor& x, const Sequences& sequences, const torch::Tensor& rows,
                            const torch::Tensor& visible) const;

  std::shared_ptr<LayerNorm> layer_norm1;
  std::shared_ptr<SelfAttention> self_attn;
  std::shared_ptr<LayerNorm> layer_norm2;
  std::shared_ptr<Mlp> mlp;
};

}  // namespace disco::models
