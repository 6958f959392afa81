// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "engine/run/commands.h"
#include "engine/run/run_folder.h"
#include "engine/train/event_log.h"

namespace disco {

/// What a rank was asked to do; bits, so that the ranks can agree by one reduction.
enum class Request : unsigned { stop = 1, pause = 2, checkpoint = 4, evaluate = 8, sample = 16 };

/// The ear and the pulse of a rank: a thread of its own looks at commands.jsonl twenty times a second, whatever the
/// rank is busy with, answers them, and writes a heartbeat once a second. `abort` ends the process at once. SIGTERM and
/// SIGINT count as `stop`. Only rank 0 writes events; the others listen for `abort` alone.
class RunControl {
 public:
  /// Listens to commands behind `commands_from`, a byte offset in commands.jsonl.
  RunControl(const RunFolder& run, EventLog& events, int rank, std::uintmax_t commands_from);
  ~RunControl();
  RunControl(const RunControl&) = delete;
  RunControl& operator=(const RunControl&) = delete;

  /// Makes SIGTERM and SIGINT set a flag instead of ending the process. Once per process, before threads start.
  static void catch_signals();

  /// Requests not taken yet, as bits.
  [[nodiscard]] unsigned pending() const;
  /// Whether to end soon: stop or pause.
  [[nodiscard]] bool ending() const;
  /// Forgets a request that has been met.
  void done(Request request);

  /// Says what the rank does now and that it moves: a progress event when the phase is new or half a second has gone.
  void working_on(const std::string& phase, std::int64_t done = 0, std::int64_t total = 0,
                  const std::string& detail = {});
  /// A step was taken; also the sign of life of the phase "training".
  void stepped(std::int64_t step, std::int64_t total_steps, double running_seconds);
  /// Writes a state event and remembers the state for what follows.
  void state(RunState state, std::int64_t step, const std::string& reason = {}, const std::string& hint = {});
  [[nodiscard]] std::int64_t step() const;

 private:
  void listen(const std::stop_token& token);
  void obey(const Command& command);
  void beat();
  [[noreturn]] void abort_now();

  EventLog& events_;
  int rank_;
  CommandReader reader_;
  std::atomic<unsigned> requests_{0};
  mutable std::mutex mutex_;  // guards what the heartbeat tells
  std::string phase_ = "starting";
  std::int64_t step_ = 0, total_steps_ = 0;
  double running_seconds_ = 0;
  double last_progress_ = 0, last_report_ = 0;
  std::jthread thread_;
};

}  // namespace disco
