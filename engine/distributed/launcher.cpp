// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/distributed/launcher.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/distributed/rank_process.h"

extern char** environ;

namespace disco {
namespace {

using Clock = std::chrono::steady_clock;

/// Turns requests to end into something to poll, as long as it lives. (The end of a rank is polled by its pidfd: a
/// SIGCHLD that another thread does not block is lost.)
class SignalQueue {
 public:
  SignalQueue() {
    sigemptyset(&wanted_);
    for (const int signal : {SIGTERM, SIGINT}) sigaddset(&wanted_, signal);
    struct sigaction hangup {};
    sigaction(SIGHUP, nullptr, &hangup);
    if (hangup.sa_handler != SIG_IGN) sigaddset(&wanted_, SIGHUP);  // nohup keeps its promise
    pthread_sigmask(SIG_BLOCK, &wanted_, &before_);
    queue_ = FileHandle(signalfd(-1, &wanted_, SFD_NONBLOCK | SFD_CLOEXEC));
  }
  ~SignalQueue() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalQueue(const SignalQueue&) = delete;
  SignalQueue& operator=(const SignalQueue&) = delete;

  [[nodiscard]] int descriptor() const { return queue_.get(); }
  [[nodiscard]] const sigset_t& mask_before() const { return before_; }

  /// Empties the queue; true when there was a request to end.
  [[nodiscard]] bool take_stop_request() const {
    bool stop = false;
    signalfd_siginfo info{};
    while (read(queue_.get(), &info, sizeof info) == sizeof info) stop = true;
    return stop;
  }

 private:
  sigset_t wanted_{}, before_{};
  FileHandle queue_;
};

std::vector<std::string> rank_environment(const LaunchOptions& options, int rank, const MasterSocket& master) {
  std::vector<std::pair<std::string, std::string>> added = options.environment;
  if (!options.place) {
    added.emplace_back("RANK", std::to_string(rank));
    added.emplace_back("LOCAL_RANK", std::to_string(rank));
    added.emplace_back("LOCAL_WORLD_SIZE", std::to_string(options.ranks));
    added.emplace_back("WORLD_SIZE", std::to_string(options.ranks));
    added.emplace_back("MASTER_ADDR", "127.0.0.1");
    added.emplace_back("MASTER_PORT", std::to_string(master.port));
    added.emplace_back("DISCO_MASTER_SOCKET", rank == 0 ? std::to_string(master.socket.get()) : "");
    added.emplace_back("TORCHELASTIC_USE_AGENT_STORE", "");
  }
  std::vector<std::string> result;
  for (const auto& [name, value] : added) result.push_back(name + "=" + value);
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string_view name = text.substr(0, text.find('='));
    const auto replaced = [&](const auto& pair) { return pair.first == name; };
    if (std::none_of(added.begin(), added.end(), replaced)) result.emplace_back(text);
  }
  return result;
}

class Supervisor {
 public:
  Supervisor(const LaunchOptions& options, LineAppender log) : options_(options), log_(std::move(log)) {}
  ~Supervisor() { end_all(SIGKILL, /*wait=*/true); }
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  Result<void> start(const SignalQueue& signals);
  LaunchOutcome wait(const SignalQueue& signals);

 private:
  void read_errors();
  void collect();
  void note_failure(int rank, int status);
  void end_all(int signal, bool wait);
  [[nodiscard]] bool any_running() const {
    return std::any_of(ranks_.begin(), ranks_.end(), [](const RankProcess& process) { return process.running; });
  }

  const LaunchOptions& options_;
  LineAppender log_;
  std::vector<RankProcess> ranks_;
  std::optional<LaunchOutcome> failure_;
  std::optional<Clock::time_point> kill_at_;
};

Result<void> Supervisor::start(const SignalQueue& signals) {
  DISCO_TRY(const MasterSocket master, open_master_socket());
  for (int rank = 0; rank < options_.ranks; ++rank) {
    DISCO_TRY(RankProcess process, start_process({.command = options_.command,
                                                  .environment = rank_environment(options_, rank, master),
                                                  .signal_mask = signals.mask_before(),
                                                  .inherited_socket = rank == 0 ? master.socket.get() : -1}));
    ranks_.push_back(std::move(process));
  }
  return {};
}

void Supervisor::read_errors() {
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    const auto take = [&](std::string_view line) {
      const int number = static_cast<int>(rank) + options_.place.value_or(0);
      const std::string prefix = utc_text(wall_seconds()) + " [" + std::to_string(number) + "] ";
      // The log is for people; a full disk must not stop the run for it.
      static_cast<void>(log_.append(prefix + std::string(line)));
      if (options_.on_line) options_.on_line(number, line);
    };
    if (ranks_[rank].running) {
      ranks_[rank].read_lines(take);
    } else {
      ranks_[rank].finish_lines(take);
    }
  }
}

void Supervisor::note_failure(int rank, int status) {
  if (failure_) return;
  const auto stopped = std::find_if(ranks_.begin(), ranks_.end(), [](const RankProcess& process) {
    return process.running && process.standing_still;
  });
  failure_ = LaunchOutcome{};
  if (stopped != ranks_.end()) {  // the one that failed only gave up waiting for it
    failure_->rank = static_cast<int>(stopped - ranks_.begin());
    failure_->was_stopped = true;
    kill(stopped->pid, SIGKILL);  // deaf to anything else
  } else {
    failure_->rank = rank;
    failure_->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    failure_->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }
  kill_at_ = Clock::now() + options_.grace;
  end_all(SIGTERM, /*wait=*/false);
}

void Supervisor::collect() {
  // Several ranks may have ended since we last looked. One that a signal ended is the cause; the others then lost it.
  struct Ended {
    int rank, status;
  };
  std::vector<Ended> failed;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    RankProcess& process = ranks_[rank];
    int status = 0;
    while (process.running && waitpid(process.pid, &status, WNOHANG | WUNTRACED | WCONTINUED) == process.pid) {
      if (WIFSTOPPED(status) || WIFCONTINUED(status)) {
        process.standing_still = WIFSTOPPED(status);
        continue;
      }
      process.running = false;
      if (status != 0) failed.push_back({static_cast<int>(rank), status});
    }
  }
  std::stable_sort(failed.begin(), failed.end(),
                   [](const Ended& a, const Ended& b) { return WIFSIGNALED(a.status) && !WIFSIGNALED(b.status); });
  for (const Ended& ended : failed) note_failure(ended.rank, ended.status);
}

void Supervisor::end_all(int signal, bool wait) {
  for (RankProcess& process : ranks_) {
    if (!process.running) continue;
    kill(process.pid, signal);
    if (!wait) continue;
    waitpid(process.pid, nullptr, 0);
    process.running = false;
  }
}

LaunchOutcome Supervisor::wait(const SignalQueue& signals) {
  bool asked_to_stop = false;
  collect();
  while (any_running()) {
    std::vector<pollfd> watched{{.fd = signals.descriptor(), .events = POLLIN, .revents = 0}};
    for (const RankProcess& process : ranks_) {
      if (process.running) watched.push_back({.fd = process.ended.get(), .events = POLLIN, .revents = 0});
      if (process.errors.valid()) watched.push_back({.fd = process.errors.get(), .events = POLLIN, .revents = 0});
    }
    int limit = -1;
    if (kill_at_) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*kill_at_ - Clock::now());
      limit = static_cast<int>(std::max<std::int64_t>(0, left.count()));
    }
    const int ready = poll(watched.data(), watched.size(), limit);
    if (signals.take_stop_request() && !asked_to_stop) {
      asked_to_stop = true;
      end_all(SIGTERM, /*wait=*/false);
    }
    read_errors();
    collect();
    if (ready == 0 && kill_at_ && Clock::now() >= *kill_at_) end_all(SIGKILL, /*wait=*/true);
  }
  read_errors();  // what the last ones said before they ended
  LaunchOutcome outcome = failure_.value_or(LaunchOutcome{});
  outcome.asked_to_stop = asked_to_stop;
  const auto& lines = ranks_[static_cast<std::size_t>(outcome.rank)].last_lines;
  outcome.last_lines.assign(lines.begin(), lines.end());
  outcome.rank += options_.place.value_or(0);
  return outcome;
}

}  // namespace

std::string LaunchOutcome::described() const {
  const std::string name = "rank " + std::to_string(rank);
  if (was_stopped) return name + " stood still (it was stopped by a signal) until the others gave up waiting for it";
  if (signal != 0) return name + " was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  if (exit_code != 0) return name + " failed with exit code " + std::to_string(exit_code);
  return "finished";
}

Result<LaunchOutcome> launch_ranks(const LaunchOptions& options) {
  DISCO_TRY(LineAppender log, LineAppender::open(options.log));
  const SignalQueue signals;
  Supervisor supervisor(options, std::move(log));
  DISCO_CHECK(supervisor.start(signals));
  return supervisor.wait(signals);
}

}  // namespace disco
