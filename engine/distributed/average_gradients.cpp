// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/types.h>

#include <utility>

#include "engine/distributed/communicator.h"

namespace disco {
namespace {

/// Which parameters have a gradient on any rank: only those take part. A gradient of zeros is not the same as none,
/// since an optimizer would still decay the weight and age its moments.
std::vector<at::Tensor> taking_part(const std::vector<at::Tensor>& parameters, Communicator& communicator) {
  at::Tensor used = at::zeros({static_cast<std::int64_t>(parameters.size())}, at::kInt);
  auto* flags = used.mutable_data_ptr<int>();
  for (std::size_t i = 0; i < parameters.size(); ++i) flags[i] = parameters[i].grad().defined() ? 1 : 0;
  communicator.all_reduce(used, Reduce::max);
  std::vector<at::Tensor> result;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (flags[i] == 0) continue;
    if (!parameters[i].grad().defined()) parameters[i].mutable_grad() = at::zeros_like(parameters[i]);
    result.push_back(parameters[i].grad());
  }
  return result;
}

void average_bucket(const std::vector<at::Tensor>& gradients, std::int64_t numbers, Communicator& communicator) {
  if (gradients.empty()) return;
  at::Tensor flat = at::empty({numbers}, gradients.front().options());
  std::int64_t offset = 0;
  for (const at::Tensor& gradient : gradients) {
    flat.narrow(0, offset, gradient.numel()).view(gradient.sizes()).copy_(gradient);
    offset += gradient.numel();
  }
  communicator.all_reduce(flat, Reduce::sum);
  flat.div_(communicator.size());
  offset = 0;
  for (const at::Tensor& gradient : gradients) {
    gradient.copy_(flat.narrow(0, offset, gradient.numel()).view(gradient.sizes()));
    offset += gradient.numel();
  }
}

}  // namespace

void average_gradients(const std::vector<at::Tensor>& parameters, Communicator& communicator,
                       std::int64_t bucket_bytes) {
  if (communicator.size() == 1 || parameters.empty()) return;
  at::NoGradGuard no_grad;
  std::vector<at::Tensor> bucket;
  std::int64_t numbers = 0;
  const auto flush = [&] {
    average_bucket(bucket, numbers, communicator);
    bucket.clear();
    numbers = 0;
  };
  for (const at::Tensor& gradient : taking_part(parameters, communicator)) {
    const bool same_type = bucket.empty() || bucket.front().scalar_type() == gradient.scalar_type();
    if (!same_type || (numbers + gradient.numel()) * gradient.element_size() > bucket_bytes) flush();
    bucket.push_back(gradient);
    numbers += gradient.numel();
  }
  flush();
}

}  // namespace disco
