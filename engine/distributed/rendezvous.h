// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/error.h"

namespace disco {

/// This process's place in the world, as launchers put it into the environment.
struct Rendezvous {
  int rank = 0;                 ///< RANK, 0 … world_size − 1
  int world_size = 1;           ///< WORLD_SIZE
  int local_rank = 0;           ///< LOCAL_RANK: which of this machine's ranks, and so which GPU
  int local_size = 1;           ///< LOCAL_WORLD_SIZE: ranks of this machine
  std::string master_address;   ///< MASTER_ADDR: host name or address of rank 0's machine
  std::uint16_t master_port{};  ///< MASTER_PORT
  /// A socket that already listens on the master port, handed to rank 0 by our own launcher (DISCO_MASTER_SOCKET).
  /// With it no other program can take the port between choosing and using it.
  std::optional<int> master_socket;
  /// Whether the launcher itself listens on the master port (torchrun's agent: TORCHELASTIC_USE_AGENT_STORE) and every
  /// rank only connects. `attempt` counts its restarts, whose ranks must not read what earlier ones left there.
  bool launcher_listens = false;
  int attempt = 0;
};

/// Reads the variables, as torchrun sets them. Without WORLD_SIZE: one rank. Fails with the variable's name when one is
/// missing or senseless.
[[nodiscard]] Result<Rendezvous> rendezvous_from_environment();

/// The address of this machine by which `master_address` is reached: 127.0.0.1 for local ranks, else that of the
/// interface that routes there. No name of this machine is looked up, so machines without DNS work.
[[nodiscard]] Result<std::string> address_towards(const std::string& master_address);

}  // namespace disco
