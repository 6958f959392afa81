// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/distributed/gloo_communicator.h"

#include <torch/types.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <utility>

namespace disco {
namespace {

using Clock = std::chrono::steady_clock;

class GlooCommunicator final : public Communicator {
 public:
  GlooCommunicator(c10::intrusive_ptr<c10d::ProcessGroupGloo> group, GlooOptions options)
      : group_(std::move(group)), options_(std::move(options)) {}

  int rank() const override { return options_.rank; }
  int size() const override { return options_.size; }
  double seconds() const override { return std::chrono::duration<double>(spent_).count(); }

  at::Tensor all_gather_rows(const at::Tensor& rows, const std::vector<std::int64_t>& counts) override;
  at::Tensor reduce_scatter_rows(const at::Tensor& partials, const std::vector<std::int64_t>& counts) override;
  void all_reduce(at::Tensor& tensor, Reduce reduce) override;
  void broadcast(at::Tensor& tensor, int root) override;
  void barrier() override;

 private:
  /// Starts a collective, waits for it and keeps the time. `name` is what a failure calls it.
  template <class Start>
  void finish(const char* name, Start start);
  std::int64_t own(const std::vector<std::int64_t>& counts) const {
    return counts[static_cast<std::size_t>(options_.rank)];
  }

  c10::intrusive_ptr<c10d::ProcessGroupGloo> group_;
  GlooOptions options_;
  Clock::duration spent_{};
};

/// LibTorch's flight recorder, one for the process, writes down every collective as it starts and looks up the group in
/// a table that nothing guards (2.x); ranks that are threads of one process would tear it.
template <class Start>
c10::intrusive_ptr<c10d::Work> started_alone(Start start) {
  static std::mutex starting;
  const std::lock_guard lock(starting);
  return start();
}

template <class Start>
void GlooCommunicator::finish(const char* name, Start start) {
  const auto begin = Clock::now();
  try {
    started_alone(start)->wait();
  } catch (const std::exception& error) {
    const double waited = std::chrono::duration<double>(Clock::now() - begin).count();
    throw CommunicationError("rank " + std::to_string(options_.rank) + " of " + std::to_string(options_.size) +
                             " could not finish a " + name + " after " + std::to_string(waited) +
                             " s: another rank is gone or late (" + complaint(error) + ")");
  }
  spent_ += Clock::now() - begin;
}

std::vector<std::int64_t> with_rows(const at::Tensor& like, std::int64_t rows) {
  std::vector<std::int64_t> shape = like.sizes().vec();
  shape[0] = rows;
  return shape;
}

std::int64_t total(const std::vector<std::int64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

at::Tensor GlooCommunicator::all_gather_rows(const at::Tensor& rows, const std::vector<std::int64_t>& counts) {
  const at::Tensor input = rows.detach().contiguous();
  const std::int64_t longest = *std::max_element(counts.begin(), counts.end());
  const bool even = std::all_of(counts.begin(), counts.end(), [&](std::int64_t count) { return count == longest; });
  if (longest == 0) return at::empty(with_rows(input, 0), input.options());
  // Gloo gathers equal parts only: shorter ranks are filled up, and the filling is left out of the result.
  at::Tensor part = input;
  if (!even) {
    part = at::zeros(with_rows(input, longest), input.options());
    part.narrow(0, 0, own(counts)).copy_(input);
  }
  at::Tensor gathered = at::empty(with_rows(input, longest * size()), input.options());
  finish("gather", [&] { return group_->_allgather_base(gathered, part); });
  if (even) return gathered;
  at::Tensor result = at::empty(with_rows(input, total(counts)), input.options());
  std::int64_t offset = 0;
  for (int from = 0; from < size(); ++from) {
    const std::int64_t count = counts[static_cast<std::size_t>(from)];
    result.narrow(0, offset, count).copy_(gathered.narrow(0, from * longest, count));
    offset += count;
  }
  return result;
}

at::Tensor GlooCommunicator::reduce_scatter_rows(const at::Tensor& partials, const std::vector<std::int64_t>& counts) {
  // Gloo's own reduce-scatter sends everything to everyone. Sending each rank its part and adding here sends the least,
  // and the order of the sum is fixed.
  at::Tensor input = partials.detach().contiguous();
  std::vector<std::int64_t> sends = counts;
  std::vector<std::int64_t> receives(static_cast<std::size_t>(size()), own(counts));
  at::Tensor parts = at::empty(with_rows(input, own(counts) * size()), input.options());
  if (input.numel() > 0) {
    finish("reduce-scatter", [&] { return group_->alltoall_base(parts, input, receives, sends); });
  }
  at::Tensor result = parts.narrow(0, 0, own(counts)).clone();
  for (int from = 1; from < size(); ++from) result.add_(parts.narrow(0, from * own(counts), own(counts)));
  return result;
}

void GlooCommunicator::all_reduce(at::Tensor& tensor, Reduce reduce) {
  std::vector<at::Tensor> tensors{tensor.detach()};
  c10d::AllreduceOptions options;
  options.reduceOp = reduce == Reduce::sum ? c10d::ReduceOp::SUM : c10d::ReduceOp::MAX;
  finish("reduction", [&] { return group_->allreduce(tensors, options); });
}

void GlooCommunicator::broadcast(at::Tensor& tensor, int root) {
  std::vector<at::Tensor> tensors{tensor.detach()};
  c10d::BroadcastOptions options;
  options.rootRank = root;
  finish("broadcast", [&] { return group_->broadcast(tensors, options); });
}

void GlooCommunicator::barrier() {
  finish("barrier", [&] { return group_->barrier(); });
}

}  // namespace

std::string complaint(const std::exception& error) {
  const auto* from_torch = dynamic_cast<const c10::Error*>(&error);
  return from_torch != nullptr ? from_torch->what_without_backtrace() : error.what();
}

Result<std::unique_ptr<Communicator>> connect_gloo(c10::intrusive_ptr<c10d::Store> store, const GlooOptions& options) {
  try {
    store->setTimeout(options.timeout);
    auto gloo = c10d::ProcessGroupGloo::Options::create(options.timeout);
    gloo->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(options.address));
    auto group = c10::make_intrusive<c10d::ProcessGroupGloo>(store, options.rank, options.size, gloo);
    return std::make_unique<GlooCommunicator>(std::move(group), options);
  } catch (const std::exception& error) {
    return failure("rank " + std::to_string(options.rank) + " of " + std::to_string(options.size) +
                       " could not connect to every other rank: " + complaint(error),
                   options.address, "See whether all ranks were started, and what the log of the missing one says");
  }
}

}  // namespace disco
