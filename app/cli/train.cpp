// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "app/cli/cli.h"
#include "app/cli/config_options.h"
#include "engine/base/clock.h"
#include "engine/base/random.h"
#include "engine/base/version.h"
#include "engine/distributed/rendezvous.h"
#include "engine/run/run_folder.h"
#include "engine/train/rank.h"
#include "engine/train/supervisor.h"

namespace disco::cli {
namespace fs = std::filesystem;
namespace {

struct TrainOptions {
  std::string run;
  ConfigOptions config;
  bool resume = false;
  bool quiet = false;
  std::optional<int> place;  ///< our rank when another launcher started us as one of several
  int ranks_here = 1;        ///< of that launcher on this computer
};

std::string new_run_id() {
  Draw draw(static_cast<std::uint64_t>(wall_seconds() * 1e6), static_cast<std::uint64_t>(::getpid()), 0, "run id");
  std::array<char, 33> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(draw.next()));
  return text.data();
}

/// A run must be found again from another working folder.
void make_paths_absolute(RunConfig& config) {
  for (std::string* path : {&config.data.path, &config.data.validation_path, &config.model.checkpoint})
    if (!path->empty()) *path = fs::absolute(*path).lexically_normal().string();
}

int supervise_here(const RunFolder& run, const RunConfig& config, const TrainOptions& options) {
  const auto ended = supervise(run, config,
                               {.program = program_path(),
                                .overrides = options.resume ? options.config.settings : std::vector<std::string>{},
                                .resume = options.resume,
                                .quiet = options.quiet,
                                .place = options.place});
  return ended ? exit_ok : report(ended.error());
}

int supervise_locked(const RunFolder& run, const RunConfig& config, const TrainOptions& options) {
  const auto lock = run.lock();
  if (!lock) return report(lock.error());
  return supervise_here(run, config, options);
}

/// As a rank behind 0 of another launcher: rank 0 makes the folder, which is on a file system that all ranks share.
int join(const TrainOptions& options, double patience) {
  const RunFolder run(fs::absolute(options.run).lexically_normal());
  for (const double until = steady_seconds() + patience; !run.exists() && steady_seconds() < until;)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  if (!run.exists())
    return report(Error{"rank 0 has not made the run", run.root().string(),
                        "All ranks need the same folder, on a file system that they share."});
  const auto loaded = config_with_overrides(run, options.resume ? options.config.settings : std::vector<std::string>{});
  if (!loaded) return report(loaded.error());
  if (!loaded->problems.empty()) return report(loaded->problems, run.config_path().string());
  return supervise_here(run, loaded->config, options);
}

int start_new(const TrainOptions& options) {
  auto loaded = read_config(options.config);
  if (!loaded) return report(loaded.error());
  if (!loaded->problems.empty()) return report(loaded->problems, options.config.name());
  RunConfig config = loaded->config;
  make_paths_absolute(config);
  if (options.place) config.distributed.local_ranks = options.ranks_here;
  resolve_threads(config);
  const fs::path root = fs::absolute(options.run).lexically_normal();
  const auto name = root.has_filename() ? root.filename() : root.parent_path().filename();
  const RunIdentity identity{.id = new_run_id(),
                             .name = name.string(),
                             .created = wall_seconds(),
                             .engine_version = std::string(version()),
                             .command = command_line(),
                             .host = host_name(),
                             .parent = "",
                             .fork_step = 0};
  const auto run = RunFolder::create(root, identity, config);
  if (!run) return report(run.error());
  return supervise_locked(*run, config, options);
}

/// Looks for our place among the ranks of another launcher.
Result<void> look_around(TrainOptions& options) {
  DISCO_TRY(const Rendezvous rendezvous, rendezvous_from_environment());
  if (rendezvous.world_size == 1) return {};
  options.place = rendezvous.rank;
  options.ranks_here = rendezvous.local_size;
  return {};
}

int go_on(const TrainOptions& options) {
  const RunFolder run(fs::absolute(options.run).lexically_normal());
  if (!run.exists())
    return report(Error{"there is no run to go on with", run.root().string(),
                        "Give the folder of a run, or leave --resume out to start a new one."});
  const auto loaded = config_with_overrides(run, options.config.settings);
  if (!loaded) return report(loaded.error());
  if (!loaded->problems.empty()) return report(loaded->problems, run.config_path().string());
  return supervise_locked(run, loaded->config, options);
}

}  // namespace

void add_train(CLI::App& app, Action& action) {
  auto options = std::make_shared<TrainOptions>();
  auto* command = app.add_subcommand(
      "train",
      "Train a model; the run is a new folder that holds all about it. Started by torchrun, each process "
      "is one rank");
  command->add_option("run", options->run, "Folder of the run")->required()->type_name("RUN_DIR");
  options->config.add_to(*command);
  command->add_flag("--resume", options->resume, "Go on with the run from its last checkpoint, or from step 0");
  command->add_flag("--quiet", options->quiet, "Print no progress");
  command->callback([options, &action] {
    action = [options] {
      if (const auto seen = look_around(*options); !seen) return report(seen.error());
      if (options->place.value_or(0) != 0) return join(*options, RunConfig{}.distributed.timeout_seconds);
      if (!options->resume) return start_new(*options);
      if (!options->config.preset.empty() || !options->config.file.empty())
        return report(Problems{{"--resume", "uses the configuration of the run", "Use --set for what may change."}},
                      "the command line");
      return go_on(*options);
    };
  });
}

}  // namespace disco::cli
