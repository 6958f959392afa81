// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/base/error.h"

namespace disco {

enum class LossVariant { reference, tiled };
enum class LossType { float32, float64 };

struct LossBenchOptions {
  std::int64_t batch = 4096;  ///< pairs
  std::int64_t dim = 512;     ///< width of a feature
  LossVariant variant = LossVariant::tiled;
  LossType type = LossType::float32;  ///< of the features; the reference computes in float64 whatever they are
  int repeats = 5;                    ///< timed runs after one that warms up
};

struct LossBenchResult {
  double seconds = 0;           ///< median of one forward and backward, gradients of features and scale included
  std::int64_t peak_bytes = 0;  ///< most resident memory of this process during one, above what it had with the inputs
};

/// Times the contrastive loss on one rank with random unit features at scale 14.3 and the threads LibTorch is set to.
/// Fails for senseless sizes and where the system does not tell resident memory.
[[nodiscard]] Result<LossBenchResult> bench_loss(const LossBenchOptions& options);

}  // namespace disco
