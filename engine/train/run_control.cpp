// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/run_control.h"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>

#include "engine/base/clock.h"

namespace disco {
namespace {

constexpr auto listening_interval = std::chrono::milliseconds(50);
constexpr double heartbeat_seconds = 1.0;
constexpr double report_seconds = 0.5;

volatile std::sig_atomic_t signal_received = 0;

extern "C" void note_signal(int number) { signal_received = number; }

constexpr unsigned bit(Request request) { return static_cast<unsigned>(request); }

}  // namespace

void RunControl::catch_signals() {
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  for (const int number : {SIGTERM, SIGINT}) sigaction(number, &action, nullptr);
  // A limit on file sizes should be an error of write(), which is told, and not a silent end.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

RunControl::RunControl(const RunFolder& run, EventLog& events, int rank, std::uintmax_t commands_from)
    : events_(events), rank_(rank), reader_(run.root(), commands_from), last_progress_(steady_seconds()) {
  thread_ = std::jthread([this](const std::stop_token& token) { listen(token); });
}

RunControl::~RunControl() = default;

unsigned RunControl::pending() const { return requests_.load() | (signal_received != 0 ? bit(Request::stop) : 0U); }

bool RunControl::ending() const { return (pending() & (bit(Request::stop) | bit(Request::pause))) != 0; }

std::int64_t RunControl::step() const {
  const std::scoped_lock lock(mutex_);
  return step_;
}

void RunControl::done(Request request) { requests_.fetch_and(~bit(request)); }

void RunControl::listen(const std::stop_token& token) {
  double next_beat = 0;
  while (!token.stop_requested()) {
    std::vector<std::string> problems;
    for (const Command& command : reader_.poll(&problems)) obey(command);
    if (rank_ == 0) {
      for (const auto& problem : problems) events_.warn("bad_command", "A command could not be read: " + problem, 0);
      if (steady_seconds() >= next_beat) {
        beat();
        next_beat = steady_seconds() + heartbeat_seconds;
      }
    }
    std::this_thread::sleep_for(listening_interval);
  }
}

void RunControl::beat() {
  HeartbeatEvent event;
  {
    const std::scoped_lock lock(mutex_);
    event.phase = phase_;
    event.step = step_;
    event.total_steps = total_steps_;
    event.running_seconds = running_seconds_;
    event.idle_seconds = steady_seconds() - last_progress_;
  }
  events_.write(event);
}

void RunControl::obey(const Command& command) {
  if (command.command == CommandKind::abort) {
    events_.write(CommandEvent{.id = command.id, .command = "abort", .message = "Ends at once, without saving"});
    abort_now();
  }
  if (rank_ != 0) return;
  CommandEvent answer{.id = command.id, .command = std::string(id_of(command.command))};
  const auto ask = [&](Request request, const char* message) {
    answer.message = (requests_.fetch_or(bit(request)) & bit(request)) != 0 ? "Was asked already" : message;
  };
  switch (command.command) {
    case CommandKind::pause:
      ask(Request::pause, "Saves and ends the workers after the present step");
      break;
    case CommandKind::stop:
      ask(Request::stop, "Saves and ends after the present step");
      break;
    case CommandKind::checkpoint:
      ask(Request::checkpoint, "Saves after the present step");
      break;
    case CommandKind::evaluate:
      ask(Request::evaluate, "Judges the held-out pictures after the present step");
      break;
    case CommandKind::sample:
      ask(Request::sample, "Asks about the watched pictures after the present step");
      break;
    case CommandKind::resume:
      answer.accepted = false;
      answer.message = "The run is not paused";
      break;
    case CommandKind::abort:
      break;
  }
  events_.write(answer);
}

void RunControl::abort_now() {
  if (rank_ == 0) {
    events_.write(StateEvent{.state = RunState::stopped, .step = step(), .reason = "Stopped without saving"});
    events_.close();
  }
  // Other threads are in the middle of anything: nothing may be unwound. What they were writing has a temporary name.
  ::_exit(0);
}

void RunControl::working_on(const std::string& phase, std::int64_t done, std::int64_t total,
                            const std::string& detail) {
  const double now = steady_seconds();
  {
    const std::scoped_lock lock(mutex_);
    last_progress_ = now;
    if (phase == phase_ && done < total && now - last_report_ < report_seconds) return;
    phase_ = phase;
    last_report_ = now;
  }
  events_.write(ProgressEvent{.phase = phase, .done = done, .total = total, .detail = detail});
}

void RunControl::stepped(std::int64_t step, std::int64_t total_steps, double running_seconds) {
  const std::scoped_lock lock(mutex_);
  phase_ = "training";
  last_progress_ = steady_seconds();
  step_ = step;
  total_steps_ = total_steps;
  running_seconds_ = running_seconds;
}

void RunControl::state(RunState state, std::int64_t step, const std::string& reason, const std::string& hint) {
  {
    const std::scoped_lock lock(mutex_);
    last_progress_ = steady_seconds();
    step_ = step;
  }
  events_.write(StateEvent{.state = state, .step = step, .reason = reason, .hint = hint});
}

}  // namespace disco
