// SPDX-License-Identifier: GPL-3.0-or-later
//
// The symmetric contrastive loss over the pairs of all ranks. Rank r owns b_r ≥ 0 of B pairs of unit features; s = e^ℓ.
//   S = s·I·Tᵀ [B, B], Z = s·I·Xᵀ for extra negative captions, which no picture is ever to be like;
//   L = ½·(mean_i(lse_j [S | Z]_ij − S_ii) + mean_j(lse_i S_ij − S_jj)).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "engine/distributed/communicator.h"
#include "engine/run/run_config.h"

namespace disco {

/// What one rank brings. Features are rows of length 1 (or 0), float or double, of one width D.
struct ContrastiveBatch {
  at::Tensor image;                       ///< [b_r, D]
  at::Tensor text;                        ///< [b_r, D], row i belongs to image row i
  at::Tensor extra;                       ///< [M_r, D] extra negative captions; undefined: none
  std::vector<std::int64_t> extra_owner;  ///< for `own`: the row of this rank's `image` that each extra belongs to
  at::Tensor log_scale;                   ///< ℓ, one number, equal on all ranks
};

struct ContrastiveOptions {
  ExtraNegatives extra = ExtraNegatives::shared;
  std::int64_t tile_rows = 1024;
  std::int64_t tile_columns = 1024;
  /// Logits are kept between forward and backward as far as they fit into this; the rest is computed again.
  std::int64_t keep_bytes = std::int64_t{64} << 20;
};

struct ContrastiveResult {
  at::Tensor loss;           ///< the global L on every rank, differentiable
  double image_to_text = 0;  ///< its two halves: L = (image_to_text + text_to_image) / 2
  double text_to_image = 0;
};

/// Each logit is computed once in the whole cluster, tile by tile, and serves both directions: 4 matrix products of
/// b_r·B·D (3 where the logits fit) and memory of O(B·D) instead of O(B²).
///
/// Backward hands each rank N·∂L/∂(its own features) and N·(its own share of ∂L/∂ℓ), N being the number of ranks: the
/// mean over ranks that data-parallel training takes is then the gradient of L, for any split of the rows.
/// Collective, forward and backward: a rank without rows calls both as well. Sums run in an order fixed by the number
/// of ranks and threads. Throws CommunicationError.
[[nodiscard]] ContrastiveResult contrastive_loss_tiled(const ContrastiveBatch& batch, const ContrastiveOptions& options,
                                                       Communicator& communicator);

/// The definition, written down: one rank, the whole matrix, double precision, gradients by autograd. The measure of
/// the other.
[[nodiscard]] ContrastiveResult contrastive_loss_reference(const ContrastiveBatch& batch, ExtraNegatives extra);

}  // namespace disco
