// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/supervisor.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "engine/distributed/launcher.h"
#include "engine/run/commands.h"
#include "engine/run/run_tail.h"
#include "engine/train/event_log.h"
#include "engine/train/progress_printer.h"

namespace disco {
namespace {

using std::chrono::milliseconds;

/// Reads the events of this session as the ranks write them: prints them and remembers how things stand.
class Follower {
 public:
  Follower(const RunFolder& run, bool quiet) : tail_(run.root(), size_of(run.events_path())), quiet_(quiet) {
    // Signals belong to the main thread, which the launcher waits in.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::jthread([this](const std::stop_token& token) {
      while (!token.stop_requested()) {
        read();
        std::this_thread::sleep_for(milliseconds(100));
      }
    });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  /// Reads what there is. Thread-safe.
  void read() {
    const std::scoped_lock lock(mutex_);
    static_cast<void>(tail_.poll([this](Event&& event) {
      if (const auto* state = std::get_if<StateEvent>(&event)) state_ = *state;
      if (const auto* command = std::get_if<CommandEvent>(&event)) answered_.insert(command->id);
      if (!quiet_) printer_.take(event);
    }));
  }

  [[nodiscard]] std::optional<StateEvent> state() {
    read();
    const std::scoped_lock lock(mutex_);
    return state_;
  }
  [[nodiscard]] bool answered(const std::string& command) {
    const std::scoped_lock lock(mutex_);
    return answered_.contains(command);
  }

 private:
  static std::uint64_t size_of(const std::filesystem::path& path) {
    std::error_code code;
    const auto size = std::filesystem::file_size(path, code);
    return code ? 0 : size;
  }

  std::mutex mutex_;
  RunTail tail_;
  bool quiet_;
  ProgressPrinter printer_{stdout};
  std::optional<StateEvent> state_;
  std::set<std::string> answered_;
  std::jthread thread_;
};

std::string hint_for(const LaunchOutcome& outcome) {
  if (outcome.signal == SIGKILL)
    return "When nobody killed it, the computer ran out of memory: try a smaller batch.size. Resuming goes on from the "
           "last checkpoint.";
  return "See engine.log in the run's folder. Resuming goes on from the last checkpoint.";
}

/// What is to be done after a pause.
enum class AfterPause { resume, stop };

class Supervision {
 public:
  Supervision(const RunFolder& run, const RunConfig& config, const SupervisorOptions& options, EventLog& events)
      : run_(run),
        config_(config),
        options_(options),
        events_(events),
        commands_(run.root()),
        follower_(run, options.quiet || options.place.value_or(0) != 0),
        resume_(options.resume) {}

  Result<RunState> run() {
    events_.write(StateEvent{.state = RunState::starting});
    while (true) {
      DISCO_TRY(const RunState ended, run_ranks());
      if (ended != RunState::paused || options_.place) return ended;
      if (wait_paused() == AfterPause::stop) return RunState::stopped;
      resume_ = true;
    }
  }

 private:
  Result<RunState> run_ranks();
  AfterPause wait_paused();
  std::optional<AfterPause> obey(const Command& command);

  const RunFolder& run_;
  const RunConfig& config_;
  const SupervisorOptions& options_;
  EventLog& events_;
  CommandReader commands_;
  Follower follower_;
  bool resume_;
};

Result<RunState> Supervision::run_ranks() {
  LaunchOptions launch{.command = {options_.program, "rank", run_.root().string()},
                       .ranks = options_.place ? 1 : config_.distributed.local_ranks,
                       .log = run_.log_path(),
                       .environment = {{"DISCO_COMMANDS_FROM", std::to_string(commands_.offset())}},
                       .place = options_.place};
  // Threads that wait for each other in a parallel loop must sleep, not spin: with a loader, a window or anything else
  // on the same cores, spinning takes the time from the thread that is waited for (a step took three times as long).
  if (std::getenv("OMP_WAIT_POLICY") == nullptr && std::getenv("GOMP_SPINCOUNT") == nullptr)
    launch.environment.emplace_back("OMP_WAIT_POLICY", "PASSIVE");
  if (resume_) launch.command.emplace_back("--resume");
  for (const auto& item : options_.overrides) {
    launch.command.emplace_back("--set");
    launch.command.push_back(item);
  }
  DISCO_TRY(const LaunchOutcome outcome, launch_ranks(launch));
  if (options_.place.value_or(0) != 0) {  // rank 0's supervisor tells how the run ended
    if (outcome.ok()) return RunState::finished;
    return failure(outcome.described(), run_.root().string(), hint_for(outcome));
  }
  const auto state = follower_.state();
  const auto is = [&](RunState wanted) { return state && state->state == wanted; };
  if (is(RunState::failed)) return failure(state->reason, run_.root().string(), state->hint);
  if (outcome.ok() && (is(RunState::finished) || is(RunState::stopped) || is(RunState::paused))) return state->state;
  if (outcome.asked_to_stop && outcome.signal == SIGTERM) {
    events_.write(StateEvent{.state = RunState::stopped, .reason = "Stopped before the first step"});
    return RunState::stopped;
  }
  std::string reason = outcome.ok() ? "the engine ended without a last word" : outcome.described();
  if (!outcome.last_lines.empty()) reason += ": " + outcome.last_lines.back();
  const StateEvent died{
      .state = RunState::failed, .step = state ? state->step : 0, .reason = reason, .hint = hint_for(outcome)};
  events_.write(died);
  follower_.read();
  return failure(died.reason, run_.root().string(), died.hint);
}

/// The ranks are gone; only this process waits, with the lock, for what comes next.
AfterPause Supervision::wait_paused() {
  while (true) {
    for (const Command& command : commands_.poll())
      if (const auto next = obey(command)) return *next;
    std::this_thread::sleep_for(milliseconds(50));
  }
}

std::optional<AfterPause> Supervision::obey(const Command& command) {
  if (follower_.answered(command.id)) return std::nullopt;  // the ranks did, before they ended
  CommandEvent answer{.id = command.id, .command = std::string(id_of(command.command))};
  std::optional<AfterPause> next;
  if (command.command == CommandKind::resume) {
    answer.message = "Goes on from the pause";
    next = AfterPause::resume;
  } else if (command.command == CommandKind::stop || command.command == CommandKind::abort) {
    answer.message = "Ends; the pause has saved everything";
    next = AfterPause::stop;
  } else {
    answer.accepted = false;
    answer.message = "The run is paused";
  }
  events_.write(answer);
  const auto state = follower_.state();
  const std::int64_t step = state ? state->step : 0;
  if (next == AfterPause::stop)
    events_.write(StateEvent{.state = RunState::stopped, .step = step, .reason = "Stopped while paused"});
  if (next == AfterPause::resume) events_.write(StateEvent{.state = RunState::starting, .step = step});
  return next;
}

}  // namespace

Result<RunState> supervise(const RunFolder& run, const RunConfig& config, const SupervisorOptions& options) {
  auto events = EventLog::silent();
  if (options.place.value_or(0) == 0) {
    DISCO_TRY(events, EventLog::open(run.events_path()));
  }
  return Supervision(run, config, options, *events).run();
}

}  // namespace disco
