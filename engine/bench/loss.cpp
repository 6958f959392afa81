// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/loss.h"

#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/base/clock.h"
#include "engine/bench/peak_memory.h"
#include "engine/objectives/contrastive.h"

namespace disco {
namespace {

at::Tensor random_unit_rows(std::int64_t rows, std::int64_t width, at::ScalarType type) {
  at::Tensor features = at::randn({rows, width}, type);
  features.div_(features.norm(2, 1, /*keepdim=*/true));
  return features.set_requires_grad(true);
}

ContrastiveBatch random_batch(const LossBenchOptions& options) {
  const at::ScalarType type = options.type == LossType::float32 ? at::kFloat : at::kDouble;
  ContrastiveBatch batch;
  batch.image = random_unit_rows(options.batch, options.dim, type);
  batch.text = random_unit_rows(options.batch, options.dim, type);
  batch.log_scale = at::full({}, std::log(14.3), type).set_requires_grad(true);
  return batch;
}

/// Forward and backward; returns the seconds they took. The gradients are dropped outside of them.
double run_once(const ContrastiveBatch& batch, LossVariant variant) {
  const double begin = steady_seconds();
  LocalCommunicator local;
  const ContrastiveResult result = variant == LossVariant::tiled
                                       ? contrastive_loss_tiled(batch, {}, local)
                                       : contrastive_loss_reference(batch, ExtraNegatives::shared);
  result.loss.backward();
  const double seconds = steady_seconds() - begin;
  for (const at::Tensor& input : {batch.image, batch.text, batch.log_scale}) input.mutable_grad().reset();
  return seconds;
}

}  // namespace

Result<LossBenchResult> bench_loss(const LossBenchOptions& options) {
  if (options.batch < 1 || options.dim < 1 || options.repeats < 1) {
    return failure("batch, width and repeats must be at least 1", "bench loss");
  }
  // Libraries and threads come in with a small batch, so that they are not counted as the loss's.
  LossBenchOptions small = options;
  small.batch = std::min<std::int64_t>(options.batch, 256);
  run_once(random_batch(small), options.variant);

  const ContrastiveBatch batch = random_batch(options);
  DISCO_TRY(const PeakMemory memory, PeakMemory::start());
  run_once(batch, options.variant);
  LossBenchResult result;
  result.peak_bytes = memory.bytes();
  std::vector<double> seconds;
  for (int run = 0; run < options.repeats; ++run) seconds.push_back(run_once(batch, options.variant));
  std::sort(seconds.begin(), seconds.end());
  result.seconds = seconds[seconds.size() / 2];
  return result;
}

}  // namespace disco
