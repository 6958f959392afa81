// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <exception>

#include "app/cli/cli.h"
#include "engine/base/version.h"

int main(int argc, char** argv) {
  using namespace disco::cli;
  CLI::App app("Train vision-language models and see what happens", "disco-engine");
  app.set_version_flag("--version", "disco-engine " + std::string(disco::version()));
  app.require_subcommand(1);
  Action action;
  add_train(app, action);
  add_rank(app, action);
  add_config(app, action);
  add_run(app, action);
  add_predict(app, action);
  add_evaluate(app, action);
  add_data(app, action);
  add_serve(app, action);
  add_bench(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_ok : exit_usage;
  }
  try {
    return action();
  } catch (const std::exception& error) {  // the last resort: what should have been an Error
    std::fprintf(stderr, "disco-engine: %s\n", error.what());
    return exit_failed;
  }
}
