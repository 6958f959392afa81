// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/inspect/serve.h"

#include <memory>

#include "app/cli/cli.h"

namespace disco::cli {

void add_serve(CLI::App& app, Action& action) {
  auto options = std::make_shared<ServeOptions>();
  auto* command = app.add_subcommand("serve", "Answer questions about a model, JSON lines on stdin and stdout");
  command->add_option("--model", options->model, "Loaded at the start; others by the question load")->type_name("DIR");
  command->add_option("--threads", options->threads, "Threads for arithmetic")->check(CLI::Range(1, 1024));
  command->add_option("--memory-mib", options->memory_mib, "Memory it may use; 0 chooses")
      ->check(CLI::Range(0, 1 << 30));
  command->callback([options, &action] { action = [options] { return serve(*options); }; });
}

}  // namespace disco::cli
