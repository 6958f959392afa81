// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/block.h"

#include <cmath>

namespace disco::models {

LayerNorm::LayerNorm(std::int64_t width, double epsilon_)
    : weight(register_parameter("weight", torch::ones({width}))),
      bias(register_parameter("bias", torch::zeros({width}))),
      epsilon(epsilon_) {}

torch::Tensor LayerNorm::forward(const torch::Tensor& x) const {
  return at::layer_norm(x, weight.sizes(), weight, bias, epsilon);
}

Linear::Linear(std::int64_t in, std::int64_t out)
    : weight(register_parameter("weight", torch::empty({out, in}))),
      bias(register_parameter("bias", torch::zeros({out}))) {}

SelfAttention::SelfAttention(std::int64_t width, std::int64_t heads_)
    : heads(heads_),
      qkv_proj(register_module("qkv_proj", std::make_shared<Linear>(width, 3 * width))),
      out_proj(register_module("out_proj", std::make_shared<Linear>(width, width))) {}

torch::Tensor SelfAttention::forward(const torch::Tensor& x, const Sequences& sequences, Causal causal) const {
  const std::int64_t width = x.size(1);
  const torch::Tensor qkv =
      qkv_proj->forward(x).view({sequences.count(), sequences.longest(), 3, heads, width / heads});
  const std::vector<torch::Tensor> parts = qkv.permute({2, 0, 3, 1, 4}).unbind(0);  // each [N, H, L, d]
  const torch::Tensor mixed =
      at::scaled_dot_product_attention(parts[0], parts[1], parts[2], {}, 0.0, causal == Causal::yes);
  return out_proj->forward(mixed.transpose(1, 2).reshape({sequences.rows(), width}));
}

torch::Tensor SelfAttention::forward_one(const torch::Tensor& query, const torch::Tensor& x, const Sequences& sequences,
                                         const torch::Tensor& visible) const {
  const std::int64_t width = x.size(1);
  const std::int64_t count = sequences.count();
  const std::int64_t length = sequences.longest();
  const auto project = [&](const torch::Tensor& rows, std::int64_t from, std::int64_t parts) {
    return at::linear(rows, qkv_proj->weight.narrow(0, from * width, parts * width),
                      qkv_proj->bias.narrow(0, from * width, parts * width));
  };
  const torch::Tensor q = project(query, 0, 1).view({count, heads, 1, width / heads});
  const torch::Tensor kv = project(x, 1, 2).view({count, length, 2, heads, width / heads});
  const std::vector<torch::Tensor> parts = kv.permute({2, 0, 3, 1, 4}).unbind(0);
  std::optional<torch::Tensor> mask;
  if (visible.defined())
    mask = (torch::arange(length, visible.options()) < visible.unsqueeze(1)).view({count, 1, 1, length});
  const torch::Tensor mixed = at::scaled_dot_product_attention(q, parts[0], parts[1], mask);
  return out_proj->forward(mixed.reshape({count, width}));
}

Mlp::Mlp(std::int64_t width, std::int64_t hidden, Activation activation_)
    : activation(activation_),
      fc1(register_module("fc1", std::make_shared<Linear>(width, hidden))),
      fc2(register_module("fc2", std::make_shared<Linear>(hidden, width))) {}

torch::Tensor Mlp::forward(const torch::Tensor& x) const {
  const torch::Tensor hidden = fc1->forward(x);
  if (activation == Activation::gelu) return fc2->forward(at::gelu(hidden));
  return fc2->forward(hidden * at::sigmoid(hidden * 1.702));
}

Block::Block(const BlockShape& shape)
    : layer_norm1(register_module("layer_norm1", std::make_shared<LayerNorm>(shape.width, shape.epsilon))),
      self_attn(register_module("self_attn", std::make_shared<SelfAttention>(shape.width, shape.heads))),
      layer_norm2(register_module("layer_norm2", std::make_shared<LayerNorm>(shape.width, shape.epsilon))),
      mlp(register_module("mlp", std::make_shared<Mlp>(shape.width, shape.mlp_width, shape.activation))) {}

torch::Tensor Block::forward(const torch::Tensor& x, const Sequences& sequences, Causal causal) const {
  const torch::Tensor attended = x + self_attn->forward(layer_norm1->forward(x), sequences, causal);
  return attended + mlp->forward(layer_norm2->forward(attended));
}

torch::Tensor Block::forward_one(const torch::Tensor& x, const Sequences& sequences, const torch::Tensor& rows,
                                 const torch::Tensor& visible) const {
  const torch::Tensor normal = layer_norm1->forward(x);
  const torch::Tensor query = normal.index_select(0, rows);
  const torch::Tensor attended = x.index_select(0, rows) + self_attn->forward_one(query, normal, sequences, visible);
  return attended + mlp->forward(layer_norm2->forward(attended));
}

}  // namespace disco::models
