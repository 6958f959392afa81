// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/forecast.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace disco {
namespace {

/// Values kept for the backward pass by one pre-norm block, per token and per unit of width: two norm inputs and
/// outputs, q, k, v, attention output, the two residual sums, and the MLP's inner values before and after GELU.
constexpr double values_per_width = 8;
constexpr double values_per_mlp_width = 2;
constexpr std::int64_t program_bytes = 420LL << 20;  ///< libraries, thread stacks, vocabulary, loader queue; measured
constexpr int typical_caption_tokens = 20;

double block_values(double tokens, int width, int mlp_width) {
  return tokens * (values_per_width * width + values_per_mlp_width * mlp_width);
}

/// Multiply-adds of one block on a sequence: projections 4·w², MLP 2·w·m, attention 2·tokens·w, each per token.
double block_macs(double tokens, int width, int mlp_width) {
  return tokens * (4.0 * width * width + 2.0 * width * mlp_width + 2.0 * tokens * width);
}

std::int64_t available_memory() {
  std::ifstream file("/proc/meminfo");
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with("MemAvailable:")) continue;
    std::istringstream fields(line.substr(13));
    fields.imbue(std::locale::classic());
    std::int64_t kib = 0;
    fields >> kib;
    return kib * 1024;
  }
  return 0;
}

}  // namespace

Forecast forecast(const RunConfig& config) {
  const auto& clip = config.model.clip;
  const auto& vision = clip.vision;
  const auto& text = clip.text;
  const double ranks = std::max(1, config.distributed.local_ranks);
  const double batch = config.batch.size;
  const bool extras = config.data.source == DataKind::cartoons;
  const double captions = batch * (1 + (extras ? config.data.negatives_per_picture : 0));
  const double tokens = std::min(text.context_length, typical_caption_tokens);
  const double positions = vision.positions();

  Forecast f;
  f.weights = static_cast<std::int64_t>(4 * ranks) * models::count_parameters(clip).total();
  f.gradients = f.weights;
  f.optimizer = 2 * f.weights;
  const double image_values = vision.layers * block_values(positions, vision.width, vision.mlp_width) +
                              3.0 * vision.image_size * vision.image_size;
  const double text_values = text.layers * block_values(tokens, text.width, text.mlp_width);
  const double bytes = config.precision == Precision::bf16 ? 2 : 4;
  f.activations = static_cast<std::int64_t>(bytes * (batch * image_values + captions * text_values));
  const double columns = config.objective.extra_negatives == ExtraNegatives::shared ? captions : batch;
  const double logits = std::min(4.0 * batch * columns, config.objective.keep_logits_mib * 1048576);
  f.loss = static_cast<std::int64_t>(logits + ranks * 8.0 * clip.embed_dim * (batch + columns));
  f.program = static_cast<std::int64_t>(ranks) * program_bytes;
  f.total = f.weights + f.gradients + f.optimizer + f.activations + f.loss + f.program;
  f.available = available_memory();
  const double macs = batch * vision.layers * block_macs(positions, vision.width, vision.mlp_width) +
                      captions * text.layers * block_macs(tokens, text.width, text.mlp_width) +
                      2.0 * batch * columns * clip.embed_dim;
  f.flops_per_step = 3 * 2 * macs;  // backward does twice the work of forward
  return f;
}

std::optional<int> largest_batch_that_fits(RunConfig config, std::int64_t bytes) {
  int size = 2;
  while (size * 2 <= config.batch.size) size *= 2;
  for (; size >= 2; size /= 2) {
    config.batch.size = size;
    if (forecast(config).total <= bytes) return size;
  }
  return std::nullopt;
}

}  // namespace disco
