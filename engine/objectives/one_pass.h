// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/objectives/contrastive.h"

namespace disco {

/// Which gradients somebody wants, on any rank: a product is left out only where all agree.
struct WantedGradients {
  bool image = false;  ///< or log_scale, which follows from it
  bool text = false;
  bool extra = false;

  [[nodiscard]] bool any() const { return image || text || extra; }
};

struct OnePassLoss {
  double image_to_text = 0;
  double text_to_image = 0;
};

struct OnePassGradients {
  at::Tensor image, text, extra;  ///< undefined where not wanted
  double log_scale = 0;
};

/// The tiled contrastive loss without autograd: forward() once, then backward() any number of times.
/// Row statistics and column statistics are pairs (m, z) with Σ e^(s·d) = z·e^(s·m), d being raw inner products. The
/// pair is kept and not s·m + ln z, which at s = 100 is itself rounded by 4e-6.
class OnePass {
 public:
  OnePass() = default;
  OnePass(const OnePass&) = delete;
  OnePass& operator=(const OnePass&) = delete;
  virtual ~OnePass() = default;

  virtual OnePassLoss forward() = 0;
  /// `factor` multiplies all gradients: N times the gradient that arrives from above.
  virtual OnePassGradients backward(double factor) = 0;
};

/// `batch` holds contiguous float or double tensors without autograd history; `extra` is defined, of 0 rows or more.
[[nodiscard]] std::unique_ptr<OnePass> make_one_pass(ContrastiveBatch batch, const ContrastiveOptions& options,
                                                     WantedGradients wanted, Communicator& communicator);

}  // namespace disco
