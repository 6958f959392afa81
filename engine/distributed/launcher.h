// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/error.h"

namespace disco {

struct LaunchOptions {
  std::vector<std::string> command;  ///< a rank's argv; the program is looked up in PATH unless it has a slash
  int ranks = 1;
  std::filesystem::path log;  ///< appended: every line of every rank's stderr as "time [rank] line"
  std::vector<std::pair<std::string, std::string>> environment;  ///< added to ours, for every rank
  /// When another launcher has started us as one of its ranks: that rank. One process is started then, with the places
  /// that the environment names; `ranks` must be 1.
  std::optional<int> place;
  /// How long the other ranks may take to end after one has failed; then they are killed.
  std::chrono::milliseconds grace{std::chrono::seconds(10)};
  std::function<void(int rank, std::string_view line)> on_line;  ///< sees each stderr line as well; may be empty
};

/// How the ranks ended. When some failed, the fields tell of the one that is to blame: a rank that was stopped while
/// others gave up waiting for it, else the first that failed.
struct LaunchOutcome {
  int rank = 0;
  int exit_code = 0;
  int signal = 0;                       ///< the signal that ended the rank, or 0
  bool was_stopped = false;             ///< it stood still (SIGSTOP) when the others gave up
  bool asked_to_stop = false;           ///< we were told to end and passed that on
  std::vector<std::string> last_lines;  ///< the rank's last stderr lines, at most 20

  [[nodiscard]] bool ok() const { return exit_code == 0 && signal == 0 && !was_stopped; }
  /// "finished", "rank 1 was ended by signal 9 (Killed)", "rank 0 failed with exit code 3", "rank 1 stood still …".
  [[nodiscard]] std::string described() const;
};

/// Starts `ranks` processes that meet on a port of the loopback interface (RANK, LOCAL_RANK, WORLD_SIZE, MASTER_ADDR,
/// MASTER_PORT, DISCO_MASTER_SOCKET: see rendezvous.h), and waits for all of them.
///
/// A SIGTERM, SIGINT or SIGHUP to this process goes to the ranks as SIGTERM, once, and waiting goes on. When a rank
/// fails, the others get SIGTERM and, after `grace`, SIGKILL. Ranks are killed by the kernel when this process dies,
/// however it dies. They run in process groups of their own, so that a terminal's Ctrl-C reaches them only through us.
///
/// Call it from the main thread, which must outlive the call; signals are blocked in it meanwhile, and should be in all
/// other threads. Fails when a process cannot be started or the log cannot be opened; then no rank is left running.
[[nodiscard]] Result<LaunchOutcome> launch_ranks(const LaunchOptions& options);

}  // namespace disco
