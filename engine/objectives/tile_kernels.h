// SPDX-License-Identifier: GPL-3.0-or-later
//
// One pass over a tile of raw inner products d[i, j]; the logits are scale·d. Plain loops that the compiler vectorises
// for each instruction set, float and double. Nothing here knows threads: a caller gives each thread its own rows.
#pragma once

#include <cstdint>

namespace disco::tiles {

/// Rows and columns of raw products inside a larger row-major matrix.
template <class T>
struct Tile {
  T* data = nullptr;
  std::int64_t stride = 0;  ///< from one row to the next
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

/// row_max[i] = max(row_max[i], max_j d[i, j]), and the same for column_max unless it is null.
void line_maxima(const Tile<float>& tile, float* row_max, float* column_max);
void line_maxima(const Tile<double>& tile, double* row_max, double* column_max);

/// row_sum[i] = Σ_j exp(scale·(d − row_shift[i])). Without column_sum that is all. With it, column_sum[j] +=
/// Σ_i exp(scale·(d − column_shift[j])), or, column_shift being null, of the rows' own exponentials: right where all
/// lines have the same shift, and half the work.
void exponential_sums(const Tile<float>& tile, float scale, const float* row_shift, float* row_sum,
                      const float* column_shift, float* column_sum);
void exponential_sums(const Tile<double>& tile, double scale, const double* row_shift, double* row_sum,
                      const double* column_shift, double* column_sum);

/// In place d[i, j] → row_factor[i]·exp(scale·(d − row_shift[i])) + column_factor[j]·exp(scale·(d − column_shift[j])).
/// Null pointers as above: no column_factor, no second term; no column_shift, the rows' shift.
void softmax_gradient(const Tile<float>& tile, float scale, const float* row_shift, const float* row_factor,
                      const float* column_shift, const float* column_factor);
void softmax_gradient(const Tile<double>& tile, double scale, const double* row_shift, const double* row_factor,
                      const double* column_shift, const double* column_factor);

/// Σ_k a[k]·b[k], and target[k] += factor·source[k].
float dot(const float* a, const float* b, std::int64_t count);
double dot(const double* a, const double* b, std::int64_t count);
void add_scaled(float* target, float factor, const float* source, std::int64_t count);
void add_scaled(double* target, double factor, const double* source, std::int64_t count);

}  // namespace disco::tiles
