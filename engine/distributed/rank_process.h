// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/files.h"

namespace disco {

/// A bound socket on 127.0.0.1 with a free port, for rank 0 to listen on.
struct MasterSocket {
  FileHandle socket;
  std::uint16_t port = 0;
};
[[nodiscard]] Result<MasterSocket> open_master_socket();

/// What a new process is made of; everything that allocates is done before the fork.
struct ProcessImage {
  std::vector<std::string> command;
  std::vector<std::string> environment;  ///< "NAME=value", complete
  sigset_t signal_mask{};                ///< the mask the program starts with
  int inherited_socket = -1;             ///< stays open in the program; −1: none
};

/// A started rank: its process and the pipe that its stderr arrives by.
struct RankProcess {
  pid_t pid = -1;
  FileHandle ended;          ///< readable once the process has ended (a pidfd)
  FileHandle errors;         ///< read end, non-blocking; closed at its end
  std::string partial_line;  ///< what came after the last newline
  std::deque<std::string> last_lines;
  bool running = true;
  bool standing_still = false;  ///< stopped by a signal (SIGSTOP), not ended

  /// Hands every complete line that has arrived to `take`.
  void read_lines(const std::function<void(std::string_view)>& take);
  /// The same for what is left once the rank has ended; a last line without newline counts. The pipe may still be open
  /// then, held by a process that the rank started.
  void finish_lines(const std::function<void(std::string_view)>& take);

 private:
  void deliver(const std::function<void(std::string_view)>& take);
};

/// Starts the program in a process group of its own, stdin from /dev/null. The kernel kills it when the calling thread
/// ends. Fails when the program cannot be executed.
[[nodiscard]] Result<RankProcess> start_process(const ProcessImage& image);

}  // namespace disco
