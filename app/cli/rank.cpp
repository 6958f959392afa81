// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/rank.h"

#include <memory>

#include "app/cli/cli.h"

namespace disco::cli {

/// One rank process, as `train` starts it; not for people.
void add_rank(CLI::App& app, Action& action) {
  struct Options {
    std::string run;
    RankOptions rank;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("rank", "One rank of a run")->group("");
  command->add_option("run", options->run)->required();
  command->add_flag("--resume", options->rank.resume);
  command->add_option("--set", options->rank.overrides)->allow_extra_args(false);
  command->callback(
      [options, &action] { action = [options] { return run_rank(RunFolder(options->run), options->rank); }; });
}

}  // namespace disco::cli
