// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <c10/util/intrusive_ptr.h>

#include <chrono>
#include <exception>
#include <memory>
#include <string>

#include "engine/distributed/communicator.h"

namespace c10d {
class Store;
}

namespace disco {

struct GlooOptions {
  int rank = 0;
  int size = 1;
  std::string address = "127.0.0.1";  ///< the address of this machine that peers connect to
  std::chrono::milliseconds timeout{std::chrono::minutes(5)};
};

/// Meets the other ranks through `store` and connects to each; collectives on CPU tensors. Threads of one process may
/// each be a rank, with one communicator each over the same store.
[[nodiscard]] Result<std::unique_ptr<Communicator>> connect_gloo(c10::intrusive_ptr<c10d::Store> store,
                                                                 const GlooOptions& options);

/// What LibTorch or Gloo complains of, without the stack trace that LibTorch appends.
[[nodiscard]] std::string complaint(const std::exception& error);

}  // namespace disco
