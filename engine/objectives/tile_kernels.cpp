// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/objectives/tile_kernels.h"

#include <bit>
#include <cmath>

// One clone of each function per instruction set, chosen when the program is loaded. Sanitizers instrument the choice
// itself, which runs before they are ready, so their builds take the plain code.
#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define DISCO_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define DISCO_CLONES
#endif
#define DISCO_INLINE inline __attribute__((always_inline))

namespace disco::tiles {
namespace {

/// e^x for x ≤ 88, within 1.5 units in the last place; 0 below −87 (where floats lose digits). Branch-free, so that
/// loops of it vectorise: 2^n·e^r with |r| ≤ ln 2 / 2, e^r by a minimax polynomial of degree 6.
DISCO_INLINE float exponential(float x) {
  constexpr float kRounding = 12582912.0F;  // 1.5·2^23: adding it leaves the nearest whole number in the low bits
  const float shifted = x * 1.44269504F + kRounding;
  const float n = shifted - kRounding;
  const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  float p = 0.001381459878757596F;
  p = p * r + 0.008368716575205326F;
  p = p * r + 0.04166838899254799F;
  p = p * r + 0.1666652113199234F;
  p = p * r + 0.4999999403953552F;
  const float e = (p * r) * r + r + 1.0F;
  // The whole number n sits in the low bits of `shifted`; as an exponent it is 2^n. A product, so that NaN stays NaN.
  const auto power = std::bit_cast<float>((std::bit_cast<std::int32_t>(shifted) << 23) + (127 << 23));
  return x < -87.0F ? 0.0F : e * power;
}

DISCO_INLINE double exponential(double x) { return std::exp(x); }

template <class T, bool kColumns>
DISCO_INLINE void maxima(const Tile<T>& tile, T* row_max, T* column_max) {
  for (std::int64_t i = 0; i < tile.rows; ++i) {
    const T* row = tile.data + i * tile.stride;
    T largest = row_max[i];
#pragma omp simd reduction(max : largest)
    for (std::int64_t j = 0; j < tile.columns; ++j) largest = largest < row[j] ? row[j] : largest;
    row_max[i] = largest;
    if constexpr (kColumns) {
#pragma omp simd
      for (std::int64_t j = 0; j < tile.columns; ++j) column_max[j] = column_max[j] < row[j] ? row[j] : column_max[j];
    }
  }
}

enum class Columns { none, same_shift, own_shift };

template <class T, Columns kColumns>
DISCO_INLINE void sums(const Tile<T>& tile, T scale, const T* row_shift, T* row_sum, const T* column_shift,
                       T* column_sum) {
  for (std::int64_t i = 0; i < tile.rows; ++i) {
    const T* row = tile.data + i * tile.stride;
    const T shift = row_shift[i];
    T sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t j = 0; j < tile.columns; ++j) {
      const T e = exponential(scale * (row[j] - shift));
      sum += e;
      if constexpr (kColumns == Columns::same_shift) column_sum[j] += e;
      if constexpr (kColumns == Columns::own_shift) column_sum[j] += exponential(scale * (row[j] - column_shift[j]));
    }
    row_sum[i] = sum;
  }
}

template <class T, Columns kColumns>
DISCO_INLINE void gradient(const Tile<T>& tile, T scale, const T* row_shift, const T* row_factor, const T* column_shift,
                           const T* column_factor) {
  for (std::int64_t i = 0; i < tile.rows; ++i) {
    T* row = tile.data + i * tile.stride;
    const T shift = row_shift[i];
    const T factor = row_factor[i];
#pragma omp simd
    for (std::int64_t j = 0; j < tile.columns; ++j) {
      const T e = exponential(scale * (row[j] - shift));
      if constexpr (kColumns == Columns::none) {
        row[j] = factor * e;
      } else if constexpr (kColumns == Columns::same_shift) {
        row[j] = (factor + column_factor[j]) * e;
      } else {
        row[j] = factor * e + column_factor[j] * exponential(scale * (row[j] - column_shift[j]));
      }
    }
  }
}

template <class T>
DISCO_INLINE T product(const T* a, const T* b, std::int64_t count) {
  T sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t k = 0; k < count; ++k) sum += a[k] * b[k];
  return sum;
}

// The clones: each calls the template it names, so that the template is compiled for its instruction set.
DISCO_CLONES void row_maxima(const Tile<float>& tile, float* row_max) { maxima<float, false>(tile, row_max, nullptr); }
DISCO_CLONES void both_maxima(const Tile<float>& tile, float* row_max, float* column_max) {
  maxima<float, true>(tile, row_max, column_max);
}
DISCO_CLONES void row_sums(const Tile<float>& tile, float scale, const float* row_shift, float* row_sum) {
  sums<float, Columns::none>(tile, scale, row_shift, row_sum, nullptr, nullptr);
}
DISCO_CLONES void shared_sums(const Tile<float>& tile, float scale, const float* row_shift, float* row_sum,
                              float* column_sum) {
  sums<float, Columns::same_shift>(tile, scale, row_shift, row_sum, nullptr, column_sum);
}
DISCO_CLONES void both_sums(const Tile<float>& tile, float scale, const float* row_shift, float* row_sum,
                            const float* column_shift, float* column_sum) {
  sums<float, Columns::own_shift>(tile, scale, row_shift, row_sum, column_shift, column_sum);
}
DISCO_CLONES void row_gradient(const Tile<float>& tile, float scale, const float* row_shift, const float* row_factor) {
  gradient<float, Columns::none>(tile, scale, row_shift, row_factor, nullptr, nullptr);
}
DISCO_CLONES void shared_gradient(const Tile<float>& tile, float scale, const float* row_shift, const float* row_factor,
                                  const float* column_factor) {
  gradient<float, Columns::same_shift>(tile, scale, row_shift, row_factor, nullptr, column_factor);
}
DISCO_CLONES void both_gradient(const Tile<float>& tile, float scale, const float* row_shift, const float* row_factor,
                                const float* column_shift, const float* column_factor) {
  gradient<float, Columns::own_shift>(tile, scale, row_shift, row_factor, column_shift, column_factor);
}
DISCO_CLONES float float_dot(const float* a, const float* b, std::int64_t count) { return product(a, b, count); }
DISCO_CLONES void float_add_scaled(float* target, float factor, const float* source, std::int64_t count) {
#pragma omp simd
  for (std::int64_t k = 0; k < count; ++k) target[k] += factor * source[k];
}

}  // namespace

void line_maxima(const Tile<float>& tile, float* row_max, float* column_max) {
  if (column_max == nullptr) return row_maxima(tile, row_max);
  both_maxima(tile, row_max, column_max);
}

void line_maxima(const Tile<double>& tile, double* row_max, double* column_max) {
  if (column_max == nullptr) return maxima<double, false>(tile, row_max, nullptr);
  maxima<double, true>(tile, row_max, column_max);
}

void exponential_sums(const Tile<float>& tile, float scale, const float* row_shift, float* row_sum,
                      const float* column_shift, float* column_sum) {
  if (column_sum == nullptr) return row_sums(tile, scale, row_shift, row_sum);
  if (column_shift == nullptr) return shared_sums(tile, scale, row_shift, row_sum, column_sum);
  both_sums(tile, scale, row_shift, row_sum, column_shift, column_sum);
}

void exponential_sums(const Tile<double>& tile, double scale, const double* row_shift, double* row_sum,
                      const double* column_shift, double* column_sum) {
  using enum Columns;
  if (column_sum == nullptr) return sums<double, none>(tile, scale, row_shift, row_sum, nullptr, nullptr);
  if (column_shift == nullptr) return sums<double, same_shift>(tile, scale, row_shift, row_sum, nullptr, column_sum);
  sums<double, own_shift>(tile, scale, row_shift, row_sum, column_shift, column_sum);
}

void softmax_gradient(const Tile<float>& tile, float scale, const float* row_shift, const float* row_factor,
                      const float* column_shift, const float* column_factor) {
  if (column_factor == nullptr) return row_gradient(tile, scale, row_shift, row_factor);
  if (column_shift == nullptr) return shared_gradient(tile, scale, row_shift, row_factor, column_factor);
  both_gradient(tile, scale, row_shift, row_factor, column_shift, column_factor);
}

void softmax_gradient(const Tile<double>& tile, double scale, const double* row_shift, const double* row_factor,
                      const double* column_shift, const double* column_factor) {
  using enum Columns;
  if (column_factor == nullptr) return gradient<double, none>(tile, scale, row_shift, row_factor, nullptr, nullptr);
  if (column_shift == nullptr) {
    return gradient<double, same_shift>(tile, scale, row_shift, row_factor, nullptr, column_factor);
  }
  gradient<double, own_shift>(tile, scale, row_shift, row_factor, column_shift, column_factor);
}

float dot(const float* a, const float* b, std::int64_t count) { return float_dot(a, b, count); }
double dot(const double* a, const double* b, std::int64_t count) { return product(a, b, count); }

void add_scaled(float* target, float factor, const float* source, std::int64_t count) {
  float_add_scaled(target, factor, source, count);
}
void add_scaled(double* target, double factor, const double* source, std::int64_t count) {
  for (std::int64_t k = 0; k < count; ++k) target[k] += factor * source[k];
}

}  // namespace disco::tiles
