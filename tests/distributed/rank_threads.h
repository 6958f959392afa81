// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <vector>

#include "engine/distributed/gloo_communicator.h"

namespace disco::testing {

/// Runs `body` as every rank of a world of `size`, each a thread with its own connection to the others. Returns what
/// each rank threw, "" for nothing. One rank runs on the calling thread without any connection.
inline std::vector<std::string> as_ranks(int size, const std::function<void(Communicator&)>& body,
                                         std::chrono::milliseconds timeout = std::chrono::seconds(60)) {
  std::vector<std::string> errors(static_cast<std::size_t>(size));
  const auto store = c10::make_intrusive<c10d::HashStore>();
  const auto run = [&](int rank) {
    std::string& error = errors[static_cast<std::size_t>(rank)];
    try {
      auto communicator = size == 1 ? Result<std::unique_ptr<Communicator>>(std::make_unique<LocalCommunicator>())
                                    : connect_gloo(store, {.rank = rank, .size = size, .timeout = timeout});
      if (communicator) {
        body(**communicator);
      } else {
        error = communicator.error().message();
      }
    } catch (const std::exception& thrown) {
      error = thrown.what();
    }
  };
  std::vector<std::thread> threads;
  for (int rank = 1; rank < size; ++rank) threads.emplace_back(run, rank);
  run(0);
  for (std::thread& thread : threads) thread.join();
  return errors;
}

}  // namespace disco::testing
