// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "app/cli/cli.h"
#include "engine/base/clock.h"
#include "engine/run/commands.h"
#include "engine/run/run_folder.h"
#include "engine/run/run_status.h"
#include "engine/run/run_tail.h"
#include "engine/train/progress_printer.h"

namespace disco::cli {
namespace fs = std::filesystem;
namespace {

constexpr double answer_seconds = 10;  ///< an engine answers within a tenth of a second unless it hangs
constexpr double start_seconds = 30;

struct RunOptions {
  std::string folder = ".";
  bool json = false;
};

std::uint64_t events_size(const RunFolder& run) {
  std::error_code code;
  const auto size = fs::file_size(run.events_path(), code);
  return code ? 0 : size;
}

int list(const RunOptions& options) {
  const auto runs = list_runs(options.folder);
  if (!runs) return report(runs.error());
  if (options.json) {
    print_json(write_json(*runs));
    return exit_ok;
  }
  if (runs->empty()) std::printf("No runs in %s\n", options.folder.c_str());
  for (const auto& run : *runs)
    std::printf("%-24s %-11s step %lld%s  %s\n", run.name.c_str(), std::string(id_of(run.state)).c_str(),
                static_cast<long long>(run.step),
                run.total_steps > 0 ? ("/" + std::to_string(run.total_steps)).c_str() : "", run.model.c_str());
  return exit_ok;
}

int show(const RunOptions& options) {
  if (!RunFolder(options.folder).exists())
    return report(Error{"is not a run: it has no run.json", options.folder, "Give the folder of a run."});
  const RunStatus status = summarise_run(options.folder);
  if (options.json)
    print_json(write_json(status));
  else
    std::printf("%s: %s\n", status.name.c_str(), status_sentence(status).c_str());
  return exit_ok;
}

int watch(const RunOptions& options) {
  const RunFolder run(options.folder);
  if (!run.exists())
    return report(Error{"is not a run: it has no run.json", options.folder, "Give the folder of a run."});
  RunTail tail(run.root());
  ProgressPrinter printer(stdout);
  StatusTracker tracker(run.root());
  while (true) {
    const auto progress = tail.poll([&](Event&& event) {
      tracker.take(event);
      if (options.json)
        std::printf("%s\n", event_line(event).c_str());
      else
        printer.take(event);
    });
    std::fflush(stdout);
    if (!progress || progress->caught_up) {
      const auto status = tracker.status();
      if (!is_live(status.state) && status.state != ShownState::paused) return exit_ok;
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
  }
}

/// Waits for the answer to a command; nothing when none comes.
std::optional<CommandEvent> wait_for_answer(const RunFolder& run, const std::string& id, std::uint64_t from) {
  RunTail tail(run.root(), from);
  std::optional<CommandEvent> answer;
  for (const double until = steady_seconds() + answer_seconds; !answer && steady_seconds() < until;) {
    static_cast<void>(tail.poll([&](Event&& event) {
      if (const auto* command = std::get_if<CommandEvent>(&event); command && command->id == id) answer = *command;
    }));
    if (!answer) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return answer;
}

int send(const RunOptions& options, CommandKind kind) {
  const RunFolder run(options.folder);
  if (!run.exists())
    return report(Error{"is not a run: it has no run.json", options.folder, "Give the folder of a run."});
  if (!run.lock_holder())
    return report(Error{"no engine works on this run now", options.folder,
                        "See disco-engine run show; disco-engine run resume goes on with it."});
  const std::uint64_t from = events_size(run);
  const auto id = send_command(run.root(), kind);
  if (!id) return report(id.error());
  const auto answer = wait_for_answer(run, *id, from);
  if (!answer)
    return report(Error{"the engine did not answer within " + std::to_string(static_cast<int>(answer_seconds)) + " s",
                        options.folder, "See engine.log in the run's folder."});
  if (options.json) print_json(write_json(*answer));
  if (!answer->accepted) return report(Error{answer->message, options.folder, ""});
  if (!options.json) std::printf("%s\n", answer->message.c_str());
  return exit_ok;
}

/// Starts `train --resume` as a process of its own that outlives us and our terminal.
void start_detached(const std::string& run) {
  const std::string program = program_path();
  if (::fork() != 0) return;
  ::setsid();
  const int null = ::open("/dev/null", O_RDWR);
  for (int descriptor = 0; descriptor < 3; ++descriptor) ::dup2(null, descriptor);
  ::execl(program.c_str(), program.c_str(), "train", run.c_str(), "--resume", "--quiet", nullptr);
  ::_exit(127);
}

int resume(const RunOptions& options) {
  const RunFolder run(fs::absolute(options.folder).lexically_normal());
  if (!run.exists())
    return report(Error{"is not a run: it has no run.json", options.folder, "Give the folder of a run."});
  if (run.lock_holder()) return send(options, CommandKind::resume);
  if (const auto status = summarise_run(run.root()); status.state == ShownState::finished)
    return report(Error{"the run is finished", options.folder,
                        "Start a new one, or give it more steps: train --resume --set budget.steps=…"});
  RunTail tail(run.root(), events_size(run));
  start_detached(run.root().string());
  std::optional<Event> heard;
  for (const double until = steady_seconds() + start_seconds; !heard && steady_seconds() < until;) {
    static_cast<void>(tail.poll([&](Event&& event) {
      if (std::holds_alternative<ResumedEvent>(event)) heard = event;
      if (const auto* state = std::get_if<StateEvent>(&event); state && state->state == RunState::failed) heard = event;
    }));
    if (!heard) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  if (!heard) return report(Error{"the engine did not start", options.folder, "See engine.log in the run's folder."});
  if (const auto* failed = std::get_if<StateEvent>(&*heard))
    return report(Error{failed->reason, options.folder, failed->hint});
  const auto step = std::get<ResumedEvent>(*heard).step;
  if (options.json)
    print_json({{"step", step}});
  else
    std::printf("Goes on from step %lld\n", static_cast<long long>(step));
  return exit_ok;
}

void add(CLI::App& run, Action& action, const char* name, const char* help, int (*what)(const RunOptions&),
         bool folder_needed = true) {
  auto options = std::make_shared<RunOptions>();
  auto* command = run.add_subcommand(name, help);
  auto* folder = command->add_option("folder", options->folder, folder_needed ? "The run" : "Folder that holds runs")
                     ->type_name(folder_needed ? "RUN_DIR" : "WORKSPACE");
  if (folder_needed) folder->required();
  command->add_flag("--json", options->json, "Answer as JSON");
  command->callback([options, what, &action] { action = [options, what] { return what(*options); }; });
}

template <CommandKind kind>
int send_kind(const RunOptions& options) {
  return send(options, kind);
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  auto* run = app.add_subcommand("run", "Runs: list, look at and steer them");
  run->require_subcommand(1);
  add(*run, action, "list", "All runs of a folder", list, /*folder_needed=*/false);
  add(*run, action, "show", "How a run stands", show);
  add(*run, action, "watch", "Follow a run until it ends; --json prints its events", watch);
  add(*run, action, "pause", "Save and end the workers; memory is given back", send_kind<CommandKind::pause>);
  add(*run, action, "resume", "Go on with a paused, stopped or dead run", resume);
  add(*run, action, "stop", "Save and end", send_kind<CommandKind::stop>);
  add(*run, action, "abort", "End at once without saving", send_kind<CommandKind::abort>);
  add(*run, action, "checkpoint", "Save after the present step", send_kind<CommandKind::checkpoint>);
  add(*run, action, "evaluate", "Judge the held-out pictures after the present step", send_kind<CommandKind::evaluate>);
  add(*run, action, "sample", "Ask about the watched pictures after the present step", send_kind<CommandKind::sample>);
}

}  // namespace disco::cli
