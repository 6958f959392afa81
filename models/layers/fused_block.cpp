// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/fused_block.h"

#include <ATen/autocast_mode.h>

#include "models/layers/kernels.h"

namespace disco::models {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

/// Parameters of a block in the order that the function takes and returns them.
enum Parameter : std::size_t {
  norm1_weight,
  norm1_bias,
  qkv_weight,
  qkv_bias,
  out_weight,
  out_bias,
  norm2_weight,
  norm2_bias,
  fc1_weight,
  fc1_bias,
  fc2_weight,
  fc2_bias,
  parameter_count
};

/// What backward needs besides the parameters, in the order of saving.
enum Saved : std::size_t {
  x,
  rows,
  query_offsets,
  key_offsets,
  mean1,
  rstd1,
  normal1,
  q,
  kv,
  probabilities,
  mixed,
  middle,
  mean2,
  rstd2,
  normal2,
  hidden,
  saved_count
};

/// A parameter among the saved tensors; the parameters come last.
const Tensor& saved_parameter(const variable_list& saved, Parameter which) {
  return saved[static_cast<std::size_t>(saved_count) + static_cast<std::size_t>(which)];
}

Tensor offsets_tensor(const std::vector<std::int64_t>& offsets) { return torch::tensor(offsets, torch::kLong); }

/// Where each sequence's probabilities begin; the last entry is their whole number.
std::vector<std::int64_t> probability_offsets(const Tensor& query, const Tensor& key, std::int64_t heads) {
  const auto* q = query.const_data_ptr<std::int64_t>();
  const auto* k = key.const_data_ptr<std::int64_t>();
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(query.numel()));
  for (std::size_t n = 0; n + 1 < offsets.size(); ++n)
    offsets[n + 1] = offsets[n] + heads * (q[n + 1] - q[n]) * (k[n + 1] - k[n]);
  return offsets;
}

kernels::ConstRows const_rows(const Tensor& tensor, std::int64_t column = 0) {
  return {.data = tensor.const_data_ptr<float>() + column, .stride = tensor.size(1)};
}
kernels::Rows mutable_rows(const Tensor& tensor, std::int64_t column = 0) {
  return {.data = tensor.mutable_data_ptr<float>() + column, .stride = tensor.size(1)};
}

/// Queries, keys and values as the kernels want them: parts of one matrix [T, 3W], or, for one query a sequence, a
/// matrix [count, W] of queries and one [T, 2W] of keys and values.
struct Projections {
  kernels::ConstRows q, k, v;
};
Projections projections(const Tensor& q, const Tensor& kv, std::int64_t width) {
  if (q.defined()) return {const_rows(q), const_rows(kv), const_rows(kv, width)};
  return {const_rows(kv), const_rows(kv, width), const_rows(kv, 2 * width)};
}

kernels::AttentionShape attention_shape(std::int64_t heads, std::int64_t width, const Tensor& query, const Tensor& key,
                                        const std::vector<std::int64_t>& probability, bool causal) {
  return {.count = query.numel() - 1,
          .heads = heads,
          .head_width = width / heads,
          .query_offsets = query.const_data_ptr<std::int64_t>(),
          .key_offsets = key.const_data_ptr<std::int64_t>(),
          .probability_offsets = probability.data(),
          .causal = causal};
}

/// y = norm(x [+ add]); x is changed in place where add is given.
struct Normalized {
  Tensor y, mean, rstd;
};
Normalized normalize(const Tensor& x, const Tensor& add, const Tensor& weight, const Tensor& bias, double epsilon) {
  Normalized result{at::empty_like(x), x.new_empty({x.size(0)}), x.new_empty({x.size(0)})};
  kernels::layer_norm_forward(
      x.size(0), x.size(1), x.mutable_data_ptr<float>(), add.defined() ? add.const_data_ptr<float>() : nullptr,
      weight.const_data_ptr<float>(), bias.const_data_ptr<float>(), static_cast<float>(epsilon),
      result.y.mutable_data_ptr<float>(), result.mean.mutable_data_ptr<float>(), result.rstd.mutable_data_ptr<float>());
  return result;
}

/// d_x += the gradient through the norm; returns the gradients of weight and bias.
std::pair<Tensor, Tensor> normalize_backward(const Tensor& d_y, const Tensor& x, const Tensor& mean, const Tensor& rstd,
                                             const Tensor& weight, const Tensor& d_x) {
  std::pair<Tensor, Tensor> gradients{at::empty_like(weight), at::empty_like(weight)};
  kernels::layer_norm_backward(x.size(0), x.size(1), d_y.const_data_ptr<float>(), x.const_data_ptr<float>(),
                               mean.const_data_ptr<float>(), rstd.const_data_ptr<float>(),
                               weight.const_data_ptr<float>(), d_x.mutable_data_ptr<float>(),
                               gradients.first.mutable_data_ptr<float>(), gradients.second.mutable_data_ptr<float>());
  return gradients;
}

Tensor column_sums(const Tensor& x) {
  Tensor sums = x.new_empty({x.size(1)});
  kernels::column_sums(x.size(0), x.size(1), x.const_data_ptr<float>(), sums.mutable_data_ptr<float>());
  return sums;
}

struct FusedBlock : torch::autograd::Function<FusedBlock> {
  static Tensor forward(AutogradContext* context, const Tensor& input, const std::optional<Tensor>& rows_of_queries,
                        const Tensor& query, const Tensor& key, std::int64_t heads, double epsilon, bool causal,
                        bool quick, const Tensor& norm1_w, const Tensor& norm1_b, const Tensor& qkv_w,
                        const Tensor& qkv_b, const Tensor& out_w, const Tensor& out_b, const Tensor& norm2_w,
                        const Tensor& norm2_b, const Tensor& fc1_w, const Tensor& fc1_b, const Tensor& fc2_w,
                        const Tensor& fc2_b) {
    const std::int64_t width = input.size(1);
    const Tensor picked = rows_of_queries.value_or(Tensor{});
    std::vector<Tensor> saved(saved_count);
    saved[x] = input.contiguous();
    saved[rows] = picked;
    saved[query_offsets] = query;
    saved[key_offsets] = key;
    const Normalized first = normalize(saved[x], {}, norm1_w, norm1_b, epsilon);
    saved[normal1] = first.y;
    saved[mean1] = first.mean;
    saved[rstd1] = first.rstd;
    if (picked.defined()) {
      saved[q] = at::addmm(qkv_b.narrow(0, 0, width), first.y.index_select(0, picked), qkv_w.narrow(0, 0, width).t());
      saved[kv] = at::addmm(qkv_b.narrow(0, width, 2 * width), first.y, qkv_w.narrow(0, width, 2 * width).t());
    } else {
      saved[kv] = at::addmm(qkv_b, first.y, qkv_w.t());
    }

    const std::vector<std::int64_t> places = probability_offsets(query, key, heads);
    saved[probabilities] = input.new_empty({places.back()});
    const Tensor residual = picked.defined() ? saved[x].index_select(0, picked) : saved[x];
    saved[mixed] = at::empty_like(residual);
    const auto [q_rows, k_rows, v_rows] = projections(saved[q], saved[kv], width);
    kernels::attention_forward(attention_shape(heads, width, query, key, places, causal), q_rows, k_rows, v_rows,
                               mutable_rows(saved[mixed]), saved[probabilities].mutable_data_ptr<float>());

    saved[middle] = at::addmm(residual, saved[mixed], out_w.t());
    const Normalized second = normalize(saved[middle], out_b, norm2_w, norm2_b, epsilon);
    saved[normal2] = second.y;
    saved[mean2] = second.mean;
    saved[rstd2] = second.rstd;
    saved[hidden] = at::mm(second.y, fc1_w.t());
    const Tensor active = at::empty_like(saved[hidden]);
    kernels::activation_forward(active.size(0), active.size(1), saved[hidden].const_data_ptr<float>(),
                                fc1_b.const_data_ptr<float>(), quick, active.mutable_data_ptr<float>());
    Tensor out = at::addmm(saved[middle], active, fc2_w.t());
    kernels::add_to_rows(out.size(0), width, fc2_b.const_data_ptr<float>(), out.mutable_data_ptr<float>());

    context->saved_data["heads"] = heads;
    context->saved_data["causal"] = causal;
    context->saved_data["quick"] = quick;
    for (const Tensor& parameter :
         {norm1_w, norm1_b, qkv_w, qkv_b, out_w, out_b, norm2_w, norm2_b, fc1_w, fc1_b, fc2_w, fc2_b})
      saved.push_back(parameter);
    context->save_for_backward(std::move(saved));
    return out;
  }

  static variable_list backward(AutogradContext* context, const variable_list& d_outputs) {
    const variable_list saved = context->get_saved_variables();
    const auto weight = [&](Parameter which) -> const Tensor& { return saved_parameter(saved, which); };
    std::vector<Tensor> d(parameter_count);
    const Tensor d_out = d_outputs.front().contiguous();

    // The MLP. d_middle gathers what reaches the state between the two halves.
    d[fc2_bias] = column_sums(d_out);
    const Tensor d_hidden = at::mm(d_out, weight(fc2_weight));
    const Tensor active = at::empty_like(d_hidden);
    d[fc1_bias] = at::empty_like(weight(fc1_bias));
    kernels::activation_backward(active.size(0), active.size(1), saved[hidden].const_data_ptr<float>(),
                                 weight(fc1_bias).const_data_ptr<float>(), context->saved_data["quick"].toBool(),
                                 d_hidden.mutable_data_ptr<float>(), active.mutable_data_ptr<float>(),
                                 d[fc1_bias].mutable_data_ptr<float>());
    d[fc2_weight] = at::mm(d_out.t(), active);
    d[fc1_weight] = at::mm(d_hidden.t(), saved[normal2]);
    const Tensor d_middle = d_out.clone();
    std::tie(d[norm2_weight], d[norm2_bias]) =
        normalize_backward(at::mm(d_hidden, weight(fc1_weight)), saved[middle], saved[mean2], saved[rstd2],
                           weight(norm2_weight), d_middle);

    d[out_bias] = column_sums(d_middle);
    d[out_weight] = at::mm(d_middle.t(), saved[mixed]);
    const Tensor d_x = attention_backward(context, saved, at::mm(d_middle, weight(out_weight)), d_middle, d);

    variable_list result = {d_x, {}, {}, {}, {}, {}, {}, {}};
    result.insert(result.end(), d.begin(), d.end());
    return result;
  }

 private:
  /// From the gradient of the mixed values to that of x; fills in the gradients of the projections and the first norm.
  static Tensor attention_backward(AutogradContext* context, const variable_list& saved, const Tensor& d_mixed,
                                   const Tensor& d_middle, std::vector<Tensor>& d) {
    const Tensor& qkv = saved_parameter(saved, qkv_weight);
    const std::int64_t width = qkv.size(1);
    const std::int64_t heads = context->saved_data["heads"].toInt();
    const bool one = saved[rows].defined();
    const Tensor d_kv = at::empty_like(saved[kv]);
    const Tensor d_q = one ? at::empty_like(saved[q]) : Tensor{};
    const auto [q_rows, k_rows, v_rows] = projections(saved[q], saved[kv], width);
    const std::vector<std::int64_t> places = probability_offsets(saved[query_offsets], saved[key_offsets], heads);
    kernels::attention_backward(attention_shape(heads, width, saved[query_offsets], saved[key_offsets], places,
                                                context->saved_data["causal"].toBool()),
                                q_rows, k_rows, v_rows, saved[probabilities].const_data_ptr<float>(),
                                const_rows(d_mixed), one ? mutable_rows(d_q) : mutable_rows(d_kv),
                                mutable_rows(d_kv, one ? 0 : width), mutable_rows(d_kv, one ? width : 2 * width));

    Tensor d_x;
    Tensor d_normal;
    if (one) {
      d[qkv_weight] = at::empty_like(qkv);
      d[qkv_bias] = at::cat({column_sums(d_q), column_sums(d_kv)});
      Tensor d_query_weight = d[qkv_weight].narrow(0, 0, width);
      Tensor d_key_weight = d[qkv_weight].narrow(0, width, 2 * width);
      at::mm_out(d_query_weight, d_q.t(), saved[normal1].index_select(0, saved[rows]));
      at::mm_out(d_key_weight, d_kv.t(), saved[normal1]);
      d_normal = at::mm(d_kv, qkv.narrow(0, width, 2 * width));
      d_normal.index_add_(0, saved[rows], at::mm(d_q, qkv.narrow(0, 0, width)));
      d_x = at::zeros_like(saved[x]);
      d_x.index_add_(0, saved[rows], d_middle);
    } else {
      d[qkv_weight] = at::mm(d_kv.t(), saved[normal1]);
      d[qkv_bias] = column_sums(d_kv);
      d_normal = at::mm(d_kv, qkv);
      d_x = d_middle;
    }
    std::tie(d[norm1_weight], d[norm1_bias]) =
        normalize_backward(d_normal, saved[x], saved[mean1], saved[rstd1], saved_parameter(saved, norm1_weight), d_x);
    return d_x;
  }
};

}  // namespace

bool can_fuse(const torch::Tensor& x, std::int64_t longest) {
  return x.device().is_cpu() && x.scalar_type() == torch::kFloat && longest <= kernels::kMostKeys &&
         !at::autocast::is_autocast_enabled(at::kCPU);
}

torch::Tensor fused_block(const Block& block, const torch::Tensor& x, const Sequences& sequences, Causal causal,
                          const torch::Tensor& rows) {
  const torch::Tensor key = offsets_tensor(sequences.offsets());
  const torch::Tensor query = rows.defined() ? torch::arange(sequences.count() + 1, torch::kLong) : key;
  const bool quick = block.mlp->activation == Activation::quick_gelu;
  const bool is_causal = causal == Causal::yes && !rows.defined();
  // The graph takes a missing input only as an empty optional, not as an undefined tensor.
  const std::optional<torch::Tensor> picked = rows.defined() ? std::optional(rows) : std::nullopt;
  return FusedBlock::apply(x, picked, query, key, block.self_attn->heads, block.layer_norm1->epsilon, is_causal, quick,
                           block.layer_norm1->weight, block.layer_norm1->bias, block.self_attn->qkv_proj->weight,
                           block.self_attn->qkv_proj->bias, block.self_attn->out_proj->weight,
                           block.self_attn->out_proj->bias, block.layer_norm2->weight, block.layer_norm2->bias,
                           block.mlp->fc1->weight, block.mlp->fc1->bias, block.mlp->fc2->weight, block.mlp->fc2->bias);
}

}  // namespace disco::models
