// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/types.h>

#include <limits>

#include "engine/objectives/contrastive.h"

namespace disco {

ContrastiveResult contrastive_loss_reference(const ContrastiveBatch& batch, ExtraNegatives extra) {
  const at::Tensor image = batch.image.to(at::kDouble);
  const at::Tensor scale = batch.log_scale.to(at::kDouble).exp();
  const at::Tensor logits = scale * image.mm(batch.text.to(at::kDouble).t());
  at::Tensor rows = logits;
  if (batch.extra.defined() && batch.extra.size(0) > 0) {
    at::Tensor more = scale * image.mm(batch.extra.to(at::kDouble).t());
    if (extra == ExtraNegatives::own) {
      const at::Tensor owner = torch::tensor(batch.extra_owner, at::kLong).unsqueeze(0);
      const at::Tensor foreign = at::arange(image.size(0), at::kLong).unsqueeze(1).ne(owner);
      more = more.masked_fill(foreign, -std::numeric_limits<double>::infinity());
    }
    rows = at::cat({logits, more}, 1);
  }
  const at::Tensor positives = logits.diagonal();
  const at::Tensor image_to_text = (rows.logsumexp(1) - positives).mean();
  const at::Tensor text_to_image = (logits.logsumexp(0) - positives).mean();
  return {.loss = (image_to_text + text_to_image) / 2,
          .image_to_text = image_to_text.item<double>(),
          .text_to_image = text_to_image.item<double>()};
}

}  // namespace disco
