// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "app/cli/cli.h"
#include "engine/base/version.h"

namespace {

/// The same for work in this process as the supervisor does for ranks: waiting threads sleep. OpenMP reads the variable
/// before main(), so the program starts itself again, once.
void start_again_with_sleeping_threads(char** argv) {
  const std::string_view command = argv[1] == nullptr ? "" : argv[1];
  if (command != "serve" && command != "bench" && command != "evaluate") return;
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  ::setenv("OMP_WAIT_POLICY", "PASSIVE", 1);
  ::execv("/proc/self/exe", argv);  // returns only when it fails, and then this process does the work as it is
}

}  // namespace

int main(int argc, char** argv) {
  using namespace disco::cli;
  start_again_with_sleeping_threads(argv);
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
