// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
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

// Functions that return a register are warned about because callers compiled for another instruction set would expect
// it elsewhere; these become part of their callers.
#pragma GCC diagnostic ignored "-Wpsabi"

/// Sixteen floats that the compiler keeps in one register, or in several narrower ones.
using Lane = float __attribute__((vector_size(kLane * sizeof(float)), aligned(alignof(float)), may_alias));

DISCO_INLINE Lane load(const float* from) { return *reinterpret_cast<const Lane*>(from); }
DISCO_INLINE void store(float* to, Lane value) { *reinterpret_cast<Lane*>(to) = value; }

/// Columns of `rows` as rows of `padded` places: out[c * padded + j] = rows[j][c], 0 behind the last.
DISCO_INLINE void transpose(ConstRows rows, std::int64_t count, std::int64_t width, std::int64_t padded, float* out) {
  for (std::int64_t c = 0; c < width; ++c)
    for (std::int64_t j = count; j < padded; ++j) out[c * padded + j] = 0;
  for (std::int64_t j = 0; j < count; ++j)
    for (std::int64_t c = 0; c < width; ++c) out[c * padded + j] = rows.data[j * rows.stride + c];
}

/// out[r * kMostKeys + j] = sum over c of rows[r][c] * columns[c * padded + j] for `block` rows at once, so that each
/// load of columns serves all of them and the sums stay in registers.
template <std::int64_t lanes, std::int64_t block>
DISCO_INLINE void dot_block(ConstRows rows, const float* columns, std::int64_t width, float* out) {
  Lane sums[block][lanes] = {};
  for (std::int64_t c = 0; c < width; ++c) {
    for (std::int64_t l = 0; l < lanes; ++l) {
      const Lane column = load(columns + (c * lanes + l) * kLane);
      for (std::int64_t r = 0; r < block; ++r) sums[r][l] += rows.data[r * rows.stride + c] * column;
    }
  }
  for (std::int64_t r = 0; r < block; ++r)
    for (std::int64_t l = 0; l < lanes; ++l) store(out + r * kMostKeys + l * kLane, sums[r][l]);
}

template <std::int64_t lanes>
DISCO_INLINE void dot_rows(ConstRows rows, std::int64_t count, const float* columns, std::int64_t width, float* out) {
  constexpr std::int64_t block = lanes <= 3 ? 4 : lanes <= 6 ? 2 : 1;
  std::int64_t r = 0;
  for (; r + block <= count; r += block)
    dot_block<lanes, block>({rows.data + r * rows.stride, rows.stride}, columns, width, out + r * kMostKeys);
  for (; r < count; ++r)
    dot_block<lanes, 1>({rows.data + r * rows.stride, rows.stride}, columns, width, out + r * kMostKeys);
}

/// Products of all rows with all columns: out[r * kMostKeys + j].
DISCO_INLINE void dot_columns(ConstRows rows, std::int64_t count, const float* columns, std::int64_t width,
                              std::int64_t padded, float* out) {
  switch (padded / kLane) {
    case 1:
      return dot_rows<1>(rows, count, columns, width, out);
    case 2:
      return dot_rows<2>(rows, count, columns, width, out);
    case 3:
      return dot_rows<3>(rows, count, columns, width, out);
    case 4:
      return dot_rows<4>(rows, count, columns, width, out);
    case 5:
      return dot_rows<5>(rows, count, columns, width, out);
    case 6:
      return dot_rows<6>(rows, count, columns, width, out);
    case 7:
      return dot_rows<7>(rows, count, columns, width, out);
    default:
      return dot_rows<8>(rows, count, columns, width, out);
  }
}

/// Softmax of scale * scores[0 … limit) in place; 0 behind, up to padded. Whole registers all the way: rows are so
/// short that what a loop does one by one at its end would cost the most.
DISCO_INLINE void softmax(float* scores, float scale, std::int64_t limit, std::int64_t padded) {
  for (std::int64_t j = limit; j < padded; ++j) scores[j] = scores[0];
  float largest = scores[0];
#pragma omp simd reduction(max : largest)
  for (std::int64_t j = 0; j < padded; ++j) largest = largest < scores[j] ? scores[j] : largest;
  for (std::int64_t j = 0; j < padded; ++j) scores[j] = fast_exp((scores[j] - largest) * scale);
  for (std::int64_t j = limit; j < padded; ++j) scores[j] = 0;
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t j = 0; j < padded; ++j) sum += scores[j];
  const float share = 1.0F / sum;
  for (std::int64_t j = 0; j < padded; ++j) scores[j] *= share;
}

/// Numbers that lie `stride` floats apart.
struct Weights {
  const float* data = nullptr;
  std::int64_t stride = 1;
};

/// out[c] = sum over j < count of weights[j] * rows[j][c], for the columns of `lanes` registers.
template <std::int64_t lanes>
DISCO_INLINE void weighted_lanes(Weights weights, ConstRows rows, std::int64_t count, float* out) {
  Lane sums[lanes] = {};
  for (std::int64_t j = 0; j < count; ++j)
    for (std::int64_t l = 0; l < lanes; ++l)
      sums[l] += weights.data[j * weights.stride] * load(rows.data + j * rows.stride + l * kLane);
  for (std::int64_t l = 0; l < lanes; ++l) store(out + l * kLane, sums[l]);
}

/// out[c] = sum over j < count of weights[j] * rows[j][c].
DISCO_INLINE void weighted_sum(Weights weights, ConstRows rows, std::int64_t count, std::int64_t width, float* out) {
  constexpr std::int64_t kBlock = 4 * kLane;
  std::int64_t c = 0;
  for (; c + kBlock <= width; c += kBlock) weighted_lanes<4>(weights, {rows.data + c, rows.stride}, count, out + c);
  for (; c + kLane <= width; c += kLane) weighted_lanes<1>(weights, {rows.data + c, rows.stride}, count, out + c);
  for (; c < width; ++c) {
    float sum = 0;
    for (std::int64_t j = 0; j < count; ++j) sum += weights.data[j * weights.stride] * rows.data[j * rows.stride + c];
    out[c] = sum;
  }
}

std::int64_t padded_keys(std::int64_t keys) { return (keys + kLane - 1) / kLane * kLane; }

/// Room that one thread works in: columns of keys or values, and one number for each query and key.
struct Scratch {
  std::vector<float> columns;
  std::vector<float> scores;
};

DISCO_VECTOR_CLONES void head_forward(const Head& head, Scratch& scratch, Rows out, float* probabilities) {
  const std::int64_t padded = padded_keys(head.keys);
  const float scale = 1.0F / std::sqrt(static_cast<float>(head.width));
  transpose(head.k, head.keys, head.width, padded, scratch.columns.data());
  dot_columns(head.q, head.queries, scratch.columns.data(), head.width, padded, scratch.scores.data());
  for (std::int64_t i = 0; i < head.queries; ++i) {
    float* row = scratch.scores.data() + i * kMostKeys;
    const std::int64_t limit = head.causal ? i + 1 : head.keys;
    softmax(row, scale, limit, padded);
    std::copy_n(row, head.keys, probabilities + i * head.keys);
    weighted_sum({.data = row}, head.v, limit, head.width, out.data + i * out.stride);
  }
}

DISCO_VECTOR_CLONES void head_backward(const Head& head, Scratch& scratch, const float* probabilities, ConstRows d_out,
                                       Rows d_q, Rows d_k, Rows d_v) {
  const std::int64_t padded = padded_keys(head.keys);
  const float scale = 1.0F / std::sqrt(static_cast<float>(head.width));
  float* d_scores = scratch.scores.data();
  transpose(head.v, head.keys, head.width, padded, scratch.columns.data());
  dot_columns(d_out, head.queries, scratch.columns.data(), head.width, padded, d_scores);
  for (std::int64_t i = 0; i < head.queries; ++i) {
    const float* row = probabilities + i * head.keys;
    float* d_row = d_scores + i * kMostKeys;
    const std::int64_t limit = head.causal ? i + 1 : head.keys;
    float mean = 0;
#pragma omp simd reduction(+ : mean)
    for (std::int64_t j = 0; j < limit; ++j) mean += row[j] * d_row[j];
    for (std::int64_t j = 0; j < limit; ++j) d_row[j] = row[j] * (d_row[j] - mean) * scale;
    weighted_sum({.data = d_row}, head.k, limit, head.width, d_q.data + i * d_q.stride);
  }
  for (std::int64_t j = 0; j < head.keys; ++j) {
    const std::int64_t from = head.causal ? j : 0;  // the queries before do not see this key
    const std::int64_t count = head.queries - from;
    weighted_sum({.data = d_scores + from * kMostKeys + j, .stride = kMostKeys},
                 {head.q.data + from * head.q.stride, head.q.stride}, count, head.width, d_k.data + j * d_k.stride);
    weighted_sum({.data = probabilities + from * head.keys + j, .stride = head.keys},
                 {d_out.data + from * d_out.stride, d_out.stride}, count, head.width, d_v.data + j * d_v.stride);
  }
}

/// Calls work(sequence, head, scratch, probabilities' place) for all heads of all sequences, spread over the threads.
template <class Work>
void for_each_head(const AttentionShape& shape, Work&& work) {
  const std::int64_t heads = shape.count * shape.heads;
#pragma omp parallel
  {
    Scratch scratch{.columns = std::vector<float>(static_cast<std::size_t>(kMostKeys * shape.head_width)),
                    .scores = std::vector<float>(static_cast<std::size_t>(kMostKeys * kMostKeys))};
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < heads; ++i) {
      const std::int64_t n = i / shape.heads;
      const std::int64_t h = i % shape.heads;
      const std::int64_t queries = shape.query_offsets[n + 1] - shape.query_offsets[n];
      const std::int64_t keys = shape.key_offsets[n + 1] - shape.key_offsets[n];
      work(n, h, scratch, shape.probability_offsets[n] + h * queries * keys);
    }
  }
}

}  // namespace

void attention_forward(const AttentionShape& shape, ConstRows q, ConstRows k, ConstRows v, Rows out,
                       float* probabilities) {
  for_each_head(shape, [&](std::int64_t n, std::int64_t h, Scratch& scratch, std::int64_t place) {
    head_forward(head_of(shape, n, h, q, k, v), scratch, shifted(out, shape.query_offsets[n], h * shape.head_width),
                 probabilities + place);
  });
}

void attention_backward(const AttentionShape& shape, ConstRows q, ConstRows k, ConstRows v, const float* probabilities,
                        ConstRows d_out, Rows d_q, Rows d_k, Rows d_v) {
  for_each_head(shape, [&](std::int64_t n, std::int64_t h, Scratch& scratch, std::int64_t place) {
    const std::int64_t query = shape.query_offsets[n];
    const std::int64_t key = shape.key_offsets[n];
    const std::int64_t column = h * shape.head_width;
    head_backward(head_of(shape, n, h, q, k, v), scratch, probabilities + place, shifted(d_out, query, column),
                  shifted(d_q, query, column), shifted(d_k, key, column), shifted(d_v, key, column));
  });
}

}  // namespace disco::models::kernels
