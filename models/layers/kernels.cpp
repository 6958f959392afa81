// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/kernels.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/layers/vector_math.h"

namespace disco::models::kernels {
namespace {

/// Calls work(first, last, thread) for parts of 0 … rows - 1, one a thread.
template <class Work>
void in_parts(std::int64_t rows, Work&& work) {
#pragma omp parallel
  {
    const std::int64_t threads = omp_get_num_threads();
    const std::int64_t thread = omp_get_thread_num();
    work(rows * thread / threads, rows * (thread + 1) / threads, thread);
  }
}

/// Rows of sums, one for each thread, that are added up at the end.
class PartialSums {
 public:
  explicit PartialSums(std::int64_t width)
      : width_(width), sums_(static_cast<std::size_t>(width * omp_get_max_threads())) {}
  float* of(std::int64_t thread) { return sums_.data() + thread * width_; }
  void store(float* out) const {
    std::copy_n(sums_.begin(), width_, out);
    for (std::int64_t at = width_; at < static_cast<std::int64_t>(sums_.size()); ++at)
      out[at % width_] += sums_[static_cast<std::size_t>(at)];
  }

 private:
  std::int64_t width_;
  std::vector<float> sums_;
};

DISCO_VECTOR_CLONES void norm_rows(std::int64_t first, std::int64_t last, std::int64_t width, float* x,
                                   const float* add, const float* weight, const float* bias, float epsilon, float* y,
                                   float* mean, float* rstd) {
  const float share = 1.0F / static_cast<float>(width);
  for (std::int64_t r = first; r < last; ++r) {
    float* in = x + r * width;
    float* out = y + r * width;
    if (add != nullptr)
      for (std::int64_t c = 0; c < width; ++c) in[c] += add[c];
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t c = 0; c < width; ++c) sum += in[c];
    const float middle = sum * share;
    float squares = 0;
#pragma omp simd reduction(+ : squares)
    for (std::int64_t c = 0; c < width; ++c) squares += (in[c] - middle) * (in[c] - middle);
    const float scale = 1.0F / std::sqrt(squares * share + epsilon);
    mean[r] = middle;
    rstd[r] = scale;
    for (std::int64_t c = 0; c < width; ++c) out[c] = (in[c] - middle) * scale * weight[c] + bias[c];
  }
}

DISCO_VECTOR_CLONES void norm_rows_backward(std::int64_t first, std::int64_t last, std::int64_t width, const float* d_y,
                                            const float* x, const float* mean, const float* rstd, const float* weight,
                                            float* d_x, float* d_weight, float* d_bias) {
  const float share = 1.0F / static_cast<float>(width);
  for (std::int64_t r = first; r < last; ++r) {
    const float* in = x + r * width;
    const float* d = d_y + r * width;
    float* out = d_x + r * width;
    const float middle = mean[r];
    const float scale = rstd[r];
    float sum = 0;
    float along = 0;
#pragma omp simd reduction(+ : sum, along)
    for (std::int64_t c = 0; c < width; ++c) {
      const float normal = (in[c] - middle) * scale;
      const float inner = d[c] * weight[c];
      sum += inner;
      along += inner * normal;
    }
    sum *= share;
    along *= share;
    for (std::int64_t c = 0; c < width; ++c) {
      const float normal = (in[c] - middle) * scale;
      out[c] += (d[c] * weight[c] - sum - normal * along) * scale;
      d_weight[c] += d[c] * normal;
      d_bias[c] += d[c];
    }
  }
}

template <bool quick>
DISCO_INLINE float activate(float x) {
  if constexpr (quick) return x / (1.0F + fast_exp(-1.702F * x));
  return x * normal_distribution(x).cumulative;
}

template <bool quick>
DISCO_INLINE void activate_rows(std::int64_t first, std::int64_t last, std::int64_t width, const float* h,
                                const float* bias, float* g) {
  for (std::int64_t r = first; r < last; ++r)
    for (std::int64_t c = 0; c < width; ++c) g[r * width + c] = activate<quick>(h[r * width + c] + bias[c]);
}

DISCO_VECTOR_CLONES void activate_rows_any(std::int64_t first, std::int64_t last, std::int64_t width, const float* h,
                                           const float* bias, bool quick, float* g) {
  if (quick)
    activate_rows<true>(first, last, width, h, bias, g);
  else
    activate_rows<false>(first, last, width, h, bias, g);
}

template <bool quick>
DISCO_INLINE void activate_backward_rows(std::int64_t first, std::int64_t last, std::int64_t width, const float* h,
                                         const float* bias, float* __restrict d, float* __restrict g,
                                         float* __restrict d_bias) {
  for (std::int64_t r = first; r < last; ++r) {
    for (std::int64_t c = 0; c < width; ++c) {
      const std::int64_t at = r * width + c;
      const float x = h[at] + bias[c];
      float slope = 0;
      if constexpr (quick) {
        const float gate = 1.0F / (1.0F + fast_exp(-1.702F * x));
        g[at] = x * gate;
        slope = gate + 1.702F * x * gate * (1.0F - gate);
      } else {
        const Normal normal = normal_distribution(x);
        g[at] = x * normal.cumulative;
        slope = normal.cumulative + x * normal.density;
      }
      const float inner = d[at] * slope;
      d[at] = inner;
      d_bias[c] += inner;
    }
  }
}

DISCO_VECTOR_CLONES void activate_backward_rows_any(std::int64_t first, std::int64_t last, std::int64_t width,
                                                    const float* h, const float* bias, bool quick, float* d, float* g,
                                                    float* d_bias) {
  if (quick)
    activate_backward_rows<true>(first, last, width, h, bias, d, g, d_bias);
  else
    activate_backward_rows<false>(first, last, width, h, bias, d, g, d_bias);
}

DISCO_VECTOR_CLONES void sum_rows(std::int64_t first, std::int64_t last, std::int64_t width, const float* x,
                                  float* out) {
  for (std::int64_t r = first; r < last; ++r)
    for (std::int64_t c = 0; c < width; ++c) out[c] += x[r * width + c];
}

DISCO_VECTOR_CLONES void add_rows(std::int64_t first, std::int64_t last, std::int64_t width, const float* add,
                                  float* x) {
  for (std::int64_t r = first; r < last; ++r)
    for (std::int64_t c = 0; c < width; ++c) x[r * width + c] += add[c];
}

}  // namespace

void layer_norm_forward(std::int64_t rows, std::int64_t width, float* x, const float* add, const float* weight,
                        const float* bias, float epsilon, float* y, float* mean, float* rstd) {
  in_parts(rows, [&](std::int64_t first, std::int64_t last, std::int64_t) {
    norm_rows(first, last, width, x, add, weight, bias, epsilon, y, mean, rstd);
  });
}

void layer_norm_backward(std::int64_t rows, std::int64_t width, const float* d_y, const float* x, const float* mean,
                         const float* rstd, const float* weight, float* d_x, float* d_weight, float* d_bias) {
  PartialSums weights(width);
  PartialSums biases(width);
  in_parts(rows, [&](std::int64_t first, std::int64_t last, std::int64_t thread) {
    norm_rows_backward(first, last, width, d_y, x, mean, rstd, weight, d_x, weights.of(thread), biases.of(thread));
  });
  weights.store(d_weight);
  biases.store(d_bias);
}

void activation_forward(std::int64_t rows, std::int64_t width, const float* h, const float* bias, bool quick,
                        float* g) {
  in_parts(rows, [&](std::int64_t first, std::int64_t last, std::int64_t) {
    activate_rows_any(first, last, width, h, bias, quick, g);
  });
}

void activation_backward(std::int64_t rows, std::int64_t width, const float* h, const float* bias, bool quick, float* d,
                         float* g, float* d_bias) {
  PartialSums biases(width);
  in_parts(rows, [&](std::int64_t first, std::int64_t last, std::int64_t thread) {
    activate_backward_rows_any(first, last, width, h, bias, quick, d, g, biases.of(thread));
  });
  biases.store(d_bias);
}

void column_sums(std::int64_t rows, std::int64_t width, const float* x, float* out) {
  PartialSums sums(width);
  in_parts(rows, [&](std::int64_t first, std::int64_t last, std::int64_t thread) {
    sum_rows(first, last, width, x, sums.of(thread));
  });
  sums.store(out);
}

void add_to_rows(std::int64_t rows, std::int64_t width, const float* add, float* x) {
  in_parts(rows, [&](std::int64_t first, std::int64_t last, std::int64_t) { add_rows(first, last, width, add, x); });
}

}  // namespace disco::models::kernels
