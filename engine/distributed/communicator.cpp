// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/distributed/communicator.h"

#include <torch/types.h>

#include <cstring>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <utility>

#include "engine/distributed/gloo_communicator.h"
#include "engine/distributed/rendezvous.h"

namespace disco {

std::vector<std::int64_t> Communicator::gather_counts(std::int64_t count) {
  const at::Tensor own = at::full({1}, count, at::kLong);
  const at::Tensor all = all_gather_rows(own, std::vector<std::int64_t>(static_cast<std::size_t>(size()), 1));
  const auto* data = all.const_data_ptr<std::int64_t>();
  return {data, data + all.numel()};
}

std::string Communicator::broadcast_bytes(const std::string& bytes, int root) {
  at::Tensor length = at::full({1}, static_cast<std::int64_t>(bytes.size()), at::kLong);
  broadcast(length, root);
  at::Tensor buffer = at::empty({length.item<std::int64_t>()}, at::kByte);
  if (rank() == root) std::memcpy(buffer.mutable_data_ptr(), bytes.data(), bytes.size());
  if (buffer.numel() > 0) broadcast(buffer, root);
  return {reinterpret_cast<const char*>(buffer.const_data_ptr<std::uint8_t>()),
          static_cast<std::size_t>(buffer.numel())};
}

at::Tensor LocalCommunicator::all_gather_rows(const at::Tensor& rows, const std::vector<std::int64_t>&) {
  return rows.detach().contiguous();
}

at::Tensor LocalCommunicator::reduce_scatter_rows(const at::Tensor& partials, const std::vector<std::int64_t>&) {
  return partials.detach().contiguous();
}

namespace {

Result<c10::intrusive_ptr<c10d::Store>> open_store(const Rendezvous& place, std::chrono::milliseconds timeout) {
  c10d::TCPStoreOptions options;
  options.port = place.master_port;
  options.isServer = place.rank == 0 && !place.launcher_listens;
  options.numWorkers = static_cast<std::size_t>(place.world_size);
  options.waitWorkers = false;  // connecting the ranks waits for everyone anyway, and says who is missing
  options.timeout = timeout;
  options.masterListenFd = place.master_socket;
  try {
    auto store = c10::make_intrusive<c10d::TCPStore>(place.master_address, options);
    if (!place.launcher_listens) return store;
    return c10::make_intrusive<c10d::PrefixStore>("disco/" + std::to_string(place.attempt), std::move(store));
  } catch (const std::exception& error) {
    return failure("rank " + std::to_string(place.rank) + " did not reach the meeting point: " + complaint(error),
                   place.master_address + ":" + std::to_string(place.master_port),
                   place.rank == 0 ? "Choose another MASTER_PORT; this one may be in use"
                                   : "Check that rank 0 is running and that MASTER_ADDR and MASTER_PORT name it");
  }
}

}  // namespace

Result<std::unique_ptr<Communicator>> communicator_from_environment(std::chrono::milliseconds timeout) {
  DISCO_TRY(const Rendezvous place, rendezvous_from_environment());
  if (place.world_size == 1) return std::make_unique<LocalCommunicator>();
  DISCO_TRY(std::string address, address_towards(place.master_address));
  DISCO_TRY(c10::intrusive_ptr<c10d::Store> store, open_store(place, timeout));
  return connect_gloo(
      std::move(store),
      {.rank = place.rank, .size = place.world_size, .address = std::move(address), .timeout = timeout});
}

}  // namespace disco
