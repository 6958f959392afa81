// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

#include <memory>
#include <utility>

#include "engine/objectives/contrastive.h"
#include "engine/objectives/one_pass.h"

namespace disco {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// What backward needs, in a form that autograd's context can own.
struct SavedPass : torch::CustomClassHolder {
  SavedPass(std::unique_ptr<OnePass> one_pass, int rank_count) : pass(std::move(one_pass)), ranks(rank_count) {}
  std::unique_ptr<OnePass> pass;
  int ranks;
};

class TiledLoss : public torch::autograd::Function<TiledLoss> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& image, const at::Tensor& /*text*/,
                            const at::Tensor& /*extra*/, const at::Tensor& log_scale, double loss,
                            const c10::intrusive_ptr<SavedPass>& saved) {
    context->saved_data["pass"] = c10::IValue::make_capsule(saved);
    context->saved_data["log_scale"] = at::empty_like(log_scale);
    return at::full({}, loss, image.options());
  }

  static variable_list backward(AutogradContext* context, variable_list upstream) {
    const auto saved = context->saved_data["pass"].toCapsule();
    auto& pass = static_cast<SavedPass&>(*saved);
    OnePassGradients gradients = pass.pass->backward(upstream.front().item<double>() * pass.ranks);
    const at::Tensor log_scale = context->saved_data["log_scale"].toTensor();
    return {gradients.image, gradients.text, gradients.extra, at::full_like(log_scale, gradients.log_scale), {}, {}};
  }
};

void check(const ContrastiveBatch& batch, const ContrastiveOptions& options) {
  const auto& image = batch.image;
  TORCH_CHECK(image.dim() == 2 && image.sizes() == batch.text.sizes(), "image ", image.sizes(), " and text ",
              batch.text.sizes(), " features must be matrices of the same shape");
  TORCH_CHECK(image.scalar_type() == at::kFloat || image.scalar_type() == at::kDouble,
              "features must be float or double, are ", image.scalar_type());
  TORCH_CHECK(image.scalar_type() == batch.text.scalar_type(), "image and text features must be of one type");
  if (!batch.extra.defined()) return;
  TORCH_CHECK(batch.extra.dim() == 2 && batch.extra.size(1) == image.size(1) &&
                  batch.extra.scalar_type() == image.scalar_type(),
              "extra features must be like the others, are ", batch.extra.sizes());
  if (options.extra == ExtraNegatives::shared) return;
  TORCH_CHECK(static_cast<std::int64_t>(batch.extra_owner.size()) == batch.extra.size(0), "every extra needs an owner");
  for (const std::int64_t owner : batch.extra_owner) {
    TORCH_CHECK(owner >= 0 && owner < image.size(0), "no picture ", owner, " to own an extra");
  }
}

bool wants(const at::Tensor& tensor) {
  return at::GradMode::is_enabled() && tensor.defined() && tensor.requires_grad();
}

}  // namespace

ContrastiveResult contrastive_loss_tiled(const ContrastiveBatch& batch, const ContrastiveOptions& options,
                                         Communicator& communicator) {
  check(batch, options);
  const at::Tensor extra = batch.extra.defined() ? batch.extra : batch.image.detach().narrow(0, 0, 0);
  ContrastiveBatch values{.image = batch.image.detach().contiguous(),
                          .text = batch.text.detach().contiguous(),
                          .extra = extra.detach().contiguous(),
                          .extra_owner = batch.extra_owner,
                          .log_scale = batch.log_scale.detach()};
  if (!batch.extra.defined()) values.extra_owner.clear();
  const WantedGradients wanted{
      .image = wants(batch.image) || wants(batch.log_scale), .text = wants(batch.text), .extra = wants(batch.extra)};
  auto saved = c10::make_intrusive<SavedPass>(make_one_pass(std::move(values), options, wanted, communicator),
                                              communicator.size());
  OnePassLoss loss;
  {
    const at::NoGradGuard no_grad;
    loss = saved->pass->forward();
  }
  const double mean = (loss.image_to_text + loss.text_to_image) / 2;
  return {.loss = TiledLoss::apply(batch.image, batch.text, extra, batch.log_scale, mean, saved),
          .image_to_text = loss.image_to_text,
          .text_to_image = loss.text_to_image};
}

}  // namespace disco
