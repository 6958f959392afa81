// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/config_options.h"
#include "engine/inspect/evaluate_model.h"

namespace disco::cli {
namespace {

struct Options {
  std::string model;
  ConfigOptions config;
  bool grey = false;
  bool json = false;
};

/// The configuration whose data are judged by: the one given, else that of the run which the model belongs to.
Result<LoadedConfig> config_for(const Options& options) {
  if (options.config.given()) return read_config(options.config);
  return config_of_model(options.model);
}

int run(const Options& options) {
  auto loaded = config_for(options);
  if (!loaded) return report(loaded.error());
  // A budget means nothing here.
  std::erase_if(loaded->problems, [](const Problem& problem) { return problem.path == "budget"; });
  if (!loaded->problems.empty()) return report(loaded->problems, options.config.name());
  const auto result = evaluate_model(options.model, loaded->config, options.grey);
  if (!result) return report(result.error());
  if (options.json) {
    print_json({{"samples", result->samples},
                {"unreadable", result->unreadable},
                {"seconds", result->seconds},
                {"metrics", write_json(result->metrics)}});
    return exit_ok;
  }
  for (const auto& [name, value] : result->metrics) std::printf("%-32s %6.2f %%\n", name.c_str(), value * 100);
  std::printf("%lld held-out pictures\n", static_cast<long long>(result->samples));
  return exit_ok;
}

}  // namespace

void add_evaluate(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("evaluate", "Judge a model by held-out pictures");
  command->add_option("--model", options->model, "A model or checkpoint folder, or a run (its newest checkpoint)")
      ->required()
      ->type_name("DIR");
  options->config.add_to(*command);
  command->add_flag("--grey", options->grey, "Show it flat grey instead of the pictures: what can be guessed");
  command->add_flag("--json", options->json, "Answer as JSON");
  command->footer("The data are those of the run the model belongs to, or of --preset, --config and --set.");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace disco::cli
