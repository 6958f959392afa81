// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/base/error.h"

namespace disco {

enum class Reduce { sum, max };

/// A collective failed: a peer is gone, late, or was never reached. Collectives run inside autograd, where only an
/// exception can pass, so this is caught where LibTorch's own errors are: once, at the edge of the engine.
class CommunicationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What ranks say to each other. Every rank calls the same collectives in the same order, from one thread at a time.
/// "Rows" are slices along dimension 0; ranks may own different numbers of rows, also none. All tensors of one
/// collective have the same type and, but for the rows, the same shape on every rank. Collectives throw
/// CommunicationError; results are detached from autograd.
class Communicator {
 public:
  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  /// rows [b_r, …] → [Σ b, …] in rank order. `counts` holds every rank's b (see gather_counts).
  [[nodiscard]] virtual at::Tensor all_gather_rows(const at::Tensor& rows, const std::vector<std::int64_t>& counts) = 0;
  /// partials [Σ b, …] of every rank → the sum over ranks of this rank's rows [b_r, …], added in rank order.
  [[nodiscard]] virtual at::Tensor reduce_scatter_rows(const at::Tensor& partials,
                                                       const std::vector<std::int64_t>& counts) = 0;
  /// In place, on every rank the same bits. `tensor` is contiguous.
  virtual void all_reduce(at::Tensor& tensor, Reduce reduce) = 0;
  /// `tensor` of `root` to every rank, in place. `tensor` is contiguous.
  virtual void broadcast(at::Tensor& tensor, int root) = 0;
  virtual void barrier() = 0;

  /// Seconds this rank has spent in collectives since it was made, waiting for late peers included.
  [[nodiscard]] virtual double seconds() const = 0;

  /// Every rank's number, in rank order.
  [[nodiscard]] std::vector<std::int64_t> gather_counts(std::int64_t count);
  /// `bytes` of `root`, on every rank. Of any length; the argument of the others is ignored.
  [[nodiscard]] std::string broadcast_bytes(const std::string& bytes, int root);
};

/// The communicator of a run with one rank: nothing to send.
class LocalCommunicator final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  at::Tensor all_gather_rows(const at::Tensor& rows, const std::vector<std::int64_t>& counts) override;
  at::Tensor reduce_scatter_rows(const at::Tensor& partials, const std::vector<std::int64_t>& counts) override;
  void all_reduce(at::Tensor&, Reduce) override {}
  void broadcast(at::Tensor&, int) override {}
  void barrier() override {}
  double seconds() const override { return 0; }
};

/// One rank where the environment names no world, else this process's rank in it (see rendezvous.h), connected to all
/// others over Gloo. `timeout` bounds the meeting and every collective after it.
[[nodiscard]] Result<std::unique_ptr<Communicator>> communicator_from_environment(std::chrono::milliseconds timeout);

/// Replaces the gradient of each parameter by its mean over ranks, as data-parallel training does. A parameter that has
/// a gradient on some ranks only counts as zero on the others; one that has none anywhere keeps none. Gradients travel
/// in flat buckets of about `bucket_bytes`. `parameters` is the same list on every rank.
void average_gradients(const std::vector<at::Tensor>& parameters, Communicator& communicator,
                       std::int64_t bucket_bytes = std::int64_t{32} << 20);

}  // namespace disco
