// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parts of a transformer block between its matrix products, in fp32 on the CPU: fewer passes over memory than one
// library call for each operation. Row-major, rows contiguous unless a stride is given. Threads are OpenMP's, as many
// as LibTorch uses; results do not depend on their number, except that sums over rows are added up in parts, one a
// thread.
#pragma once

#include <cstdint>

namespace disco::models::kernels {

/// Rows of a matrix that lie `stride` floats apart.
struct Rows {
  float* data = nullptr;
  std::int64_t stride = 0;
};
struct ConstRows {
  const float* data = nullptr;
  std::int64_t stride = 0;
};

/// Which rows attend to which. Sequence n has query rows query_offsets[n] … and key rows key_offsets[n] …; its
/// probabilities [heads, queries, keys] begin at probability_offsets[n].
struct AttentionShape {
  std::int64_t count = 0;
  std::int64_t heads = 0;
  std::int64_t head_width = 0;
  const std::int64_t* query_offsets = nullptr;        ///< count + 1
  const std::int64_t* key_offsets = nullptr;          ///< count + 1
  const std::int64_t* probability_offsets = nullptr;  ///< count
  bool causal = false;                                ///< query i sees keys 0 … i
};

/// The most keys that a sequence may have here.
inline constexpr std::int64_t kMostKeys = 128;

/// out = softmax(q k^T / sqrt(head_width)) v for each sequence and head; keeps the probabilities.
void attention_forward(const AttentionShape& shape, ConstRows q, ConstRows k, ConstRows v, Rows out,
                       float* probabilities);

/// Gradients of q, k and v from that of out. Every row that belongs to a sequence is written.
void attention_backward(const AttentionShape& shape, ConstRows q, ConstRows k, ConstRows v, const float* probabilities,
                        ConstRows d_out, Rows d_q, Rows d_k, Rows d_v);

/// y = (x - mean) * rstd * weight + bias for each of `rows` rows of `width`; keeps mean and rstd. Where add is given,
/// it is first added to each row of x, in place.
void layer_norm_forward(std::int64_t rows, std::int64_t width, float* x, const float* add, const float* weight,
                        const float* bias, float epsilon, float* y, float* mean, float* rstd);

/// d_x += the gradient that comes through the norm; d_weight and d_bias are written.
void layer_norm_backward(std::int64_t rows, std::int64_t width, const float* d_y, const float* x, const float* mean,
                         const float* rstd, const float* weight, float* d_x, float* d_weight, float* d_bias);

/// g = activation(h + bias). Exact GELU by default: the error function is within 1.5e-7 (Abramowitz and Stegun 7.1.26),
/// the rounding of fp32.
void activation_forward(std::int64_t rows, std::int64_t width, const float* h, const float* bias, bool quick, float* g);

/// Replaces the gradient of g by that of h in d, computes g again, and sums d over the rows into d_bias.
void activation_backward(std::int64_t rows, std::int64_t width, const float* h, const float* bias, bool quick, float* d,
                         float* g, float* d_bias);

/// out[c] = sum over rows of x[row, c].
void column_sums(std::int64_t rows, std::int64_t width, const float* x, float* out);

/// x[row] += add for each row.
void add_to_rows(std::int64_t rows, std::int64_t width, const float* add, float* x);

}  // namespace disco::models::kernels
