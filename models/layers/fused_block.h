// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/torch.h>

#include "models/layers/block.h"

namespace disco::models {

/// Whether the fused form of a block can compute this: fp32 on the CPU outside of autocast, no sequence longer than its
/// kernels take. Unlike the general form it needs no sequences of one length.
[[nodiscard]] bool can_fuse(const torch::Tensor& x, std::int64_t longest);

/// Block::forward, and with rows (one row of each sequence) Block::forward_one, as one node of the autograd graph with
/// a backward of its own: matrix products by the library, everything between them by models/layers/kernels.h. With
/// rows, each of them sees its whole sequence.
[[nodiscard]] torch::Tensor fused_block(const Block& block, const torch::Tensor& x, const Sequences& sequences,
                                        Causal causal, const torch::Tensor& rows = {});

}  // namespace disco::models
