// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "models/layers/kernels.h"
#include "models/layers/vector_math.h"

namespace disco::models::kernels {
namespace {

constexpr std::int64_t kLane = 16;

/// The matrices of one head of one sequence.
struct Head {
  std::int64_t queries = 0;
  std::int64_t keys = 0;
  std::int64_t width = 0;
  bool causal = false;
  ConstRows q;
  ConstRows k;
  ConstRows v;
};

ConstRows shifted(ConstRows rows, std::int64_t row, std::int64_t column) {
  return {.data = rows.data + row * rows.stride + column, .stride = rows.stride};
}
Rows shifted(Rows rows, std::int64_t row, std::int64_t column) {
  return {.data = rows.data + row * rows.stride + column, .stride = rows.stride};
}

Head head_of(const AttentionShape& shape, std::int64_t sequence, std::int64_t head, ConstRows q, ConstRows k,
             ConstRows v) {
  const std::int64_t query = shape.query_offsets[sequence];
  const std::int64_t key = shape.key_offsets[sequence];
  const std::int64_t column = head * shape.head_width;
  return {.queries = shape.query_offsets[sequence + 1] - query,
          .keys = shape.key_offsets[sequence + 1] - key,
          .width = shape.head_width,
          .causal = shape.causal,
          .q = shifted(q, query, column),
          .k = shifted(k, key, column),
          .v = shifted(v, key, column)};
}

/// Columns of `rows` as rows of `padded` places: out[c * padded + j] = rows[j][c], 0 behind the last.
DISCO_INLINE void transpose(ConstRows rows, std::int64_t count, std::int64_t width, std::int64_t padded, float* out) {
  for (std::int64_t c = 0; c < width; ++c)
    for (std::int64_t j = count; j < padded; ++j) out[c * padded + j] = 0;
  for (std::int64_t j = 0; j < count; ++j)
    for (std::int64_t c = 0; c < width; ++c) out[c * padded + j] = rows.data[j * rows.stride + c];
}

/// out[j] = sum over c of row[c] * columns[c * padded + j], with the sums kept in registers.
template <std::int64_t lanes>
DISCO_INLINE void dot_fixed(const float* row, const float* columns, std::int64_t width, float* out) {
  constexpr std::int64_t padded = lanes * kLane;
  float sums[padded] = {};
  for (std::int64_t c = 0; c < width; ++c) {
    const float factor = row[c];
    for (std::int64_t j = 0; j < padded; ++j) sums[j] += factor * columns[c * padded + j];
  }
  for (std::int64_t j = 0; j < padded; ++j) out[j] = sums[j];
}

DISCO_INLINE void dot_columns(const float* row, const float* columns, std::int64_t width, std::int64_t padded,
                              float* out) {
  switch (padded / kLane) {
    case 1:
      return dot_fixed<1>(row, columns, width, out);
    case 2:
      return dot_fixed<2>(row, columns, width, out);
    case 3:
      return dot_fixed<3>(row, columns, width, out);
    case 4:
      return dot_fixed<4>(row, columns, width, out);
    case 5:
      return dot_fixed<5>(row, columns, width, out);
    case 6:
      return dot_fixed<6>(row, columns, width, out);
    case 7:
      return dot_fixed<7>(row, columns, width, out);
    default:
      return dot_fixed<8>(row, columns, width, out);
  }
}

/// Softmax of scale * scores[0 … limit) into out; 0 behind.
DISCO_INLINE void softmax(const float* scores, float scale, std::int64_t limit, std::int64_t count, float* out) {
  float largest = scores[0];
#pragma omp simd reduction(max : largest)
  for (std::int64_t j = 0; j < limit; ++j) largest = largest < scores[j] ? scores[j] : largest;
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t j = 0; j < limit; ++j) {
    out[j] = fast_exp((scores[j] - largest) * scale);
    sum += out[j];
  }
  const float share = 1.0F / sum;
  for (std::int64_t j = 0; j < limit; ++j) out[j] *= share;
  for (std::int64_t j = limit; j < count; ++j) out[j] = 0;
}

/// out[c] = sum over j of weights[j] * rows[j][c].
DISCO_INLINE void weighted_sum(const float* weights, ConstRows rows, std::int64_t count, std::int64_t width,
                               float* __restrict out) {
  for (std::int64_t c = 0; c < width; ++c) out[c] = 0;
  for (std::int64_t j = 0; j < count; ++j) {
    const float weight = weights[j];
    const float* row = rows.data + j * rows.stride;
    for (std::int64_t c = 0; c < width; ++c) out[c] += weight * row[c];
  }
}

/// rows[j] += weights[j] * row for all j.
DISCO_INLINE void add_outer(const float* weights, const float* row, std::int64_t count, std::int64_t width, Rows rows) {
  for (std::int64_t j = 0; j < count; ++j) {
    const float weight = weights[j];
    float* __restrict to = rows.data + j * rows.stride;
    for (std::int64_t c = 0; c < width; ++c) to[c] += weight * row[c];
  }
}

std::int64_t padded_keys(std::int64_t keys) { return (keys + kLane - 1) / kLane * kLane; }

DISCO_VECTOR_CLONES void head_forward(const Head& head, float* scratch, Rows out, float* probabilities) {
  const std::int64_t padded = padded_keys(head.keys);
  const float scale = 1.0F / std::sqrt(static_cast<float>(head.width));
  transpose(head.k, head.keys, head.width, padded, scratch);
  std::array<float, kMostKeys> scores;
  for (std::int64_t i = 0; i < head.queries; ++i) {
    float* row = probabilities + i * head.keys;
    const std::int64_t limit = head.causal ? i + 1 : head.keys;
    dot_columns(head.q.data + i * head.q.stride, scratch, head.width, padded, scores.data());
    softmax(scores.data(), scale, limit, head.keys, row);
    weighted_sum(row, head.v, limit, head.width, out.data + i * out.stride);
  }
}

DISCO_VECTOR_CLONES void head_backward(const Head& head, float* scratch, const float* probabilities, ConstRows d_out,
                                       Rows d_q, Rows d_k, Rows d_v) {
  const std::int64_t padded = padded_keys(head.keys);
  const float scale = 1.0F / std::sqrt(static_cast<float>(head.width));
  transpose(head.v, head.keys, head.width, padded, scratch);
  for (std::int64_t j = 0; j < head.keys; ++j) {
    std::fill_n(d_k.data + j * d_k.stride, head.width, 0.0F);
    std::fill_n(d_v.data + j * d_v.stride, head.width, 0.0F);
  }
  std::array<float, kMostKeys> d_scores;
  for (std::int64_t i = 0; i < head.queries; ++i) {
    const float* row = probabilities + i * head.keys;
    const float* d_row = d_out.data + i * d_out.stride;
    const std::int64_t limit = head.causal ? i + 1 : head.keys;
    dot_columns(d_row, scratch, head.width, padded, d_scores.data());
    float mean = 0;
#pragma omp simd reduction(+ : mean)
    for (std::int64_t j = 0; j < limit; ++j) mean += row[j] * d_scores[static_cast<std::size_t>(j)];
    for (std::int64_t j = 0; j < limit; ++j) {
      float& d = d_scores[static_cast<std::size_t>(j)];
      d = row[j] * (d - mean) * scale;
    }
    weighted_sum(d_scores.data(), head.k, limit, head.width, d_q.data + i * d_q.stride);
    add_outer(d_scores.data(), head.q.data + i * head.q.stride, limit, head.width, d_k);
    add_outer(row, d_row, limit, head.width, d_v);
  }
}

/// Calls work(sequence, head, scratch, probabilities' place) for all heads of all sequences, spread over the threads.
template <class Work>
void for_each_head(const AttentionShape& shape, Work&& work) {
  const std::int64_t heads = shape.count * shape.heads;
#pragma omp parallel
  {
    std::vector<float> scratch(static_cast<std::size_t>(kMostKeys * shape.head_width));
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < heads; ++i) {
      const std::int64_t n = i / shape.heads;
      const std::int64_t h = i % shape.heads;
      const std::int64_t queries = shape.query_offsets[n + 1] - shape.query_offsets[n];
      const std::int64_t keys = shape.key_offsets[n + 1] - shape.key_offsets[n];
      work(n, h, scratch.data(), shape.probability_offsets[n] + h * queries * keys);
    }
  }
}

}  // namespace

void attention_forward(const AttentionShape& shape, ConstRows q, ConstRows k, ConstRows v, Rows out,
                       float* probabilities) {
  for_each_head(shape, [&](std::int64_t n, std::int64_t h, float* scratch, std::int64_t place) {
    head_forward(head_of(shape, n, h, q, k, v), scratch, shifted(out, shape.query_offsets[n], h * shape.head_width),
                 probabilities + place);
  });
}

void attention_backward(const AttentionShape& shape, ConstRows q, ConstRows k, ConstRows v, const float* probabilities,
                        ConstRows d_out, Rows d_q, Rows d_k, Rows d_v) {
  for_each_head(shape, [&](std::int64_t n, std::int64_t h, float* scratch, std::int64_t place) {
    const std::int64_t query = shape.query_offsets[n];
    const std::int64_t key = shape.key_offsets[n];
    const std::int64_t column = h * shape.head_width;
    head_backward(head_of(shape, n, h, q, k, v), scratch, probabilities + place, shifted(d_out, query, column),
                  shifted(d_q, query, column), shifted(d_k, key, column), shifted(d_v, key, column));
  });
}

}  // namespace disco::models::kernels
