// SPDX-License-Identifier: GPL-3.0-or-later
//
// The subcommands of disco-engine: each adds itself to the parser and leaves what is to be done in `action`.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/json.h"

namespace disco::cli {

inline constexpr int exit_ok = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_usage = 2;  ///< the command line or a configuration is wrong

/// What the chosen subcommand does; returns the exit code.
using Action = std::function<int()>;

void add_train(CLI::App& app, Action& action);
void add_rank(CLI::App& app, Action& action);
void add_predict(CLI::App& app, Action& action);
void add_evaluate(CLI::App& app, Action& action);
void add_data(CLI::App& app, Action& action);
void add_config(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);
void add_serve(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);

/// Prints "disco-engine: message" on stderr and returns exit_failed.
int report(const Error& error);
/// Prints each problem on a line of its own and returns exit_usage.
int report(const Problems& problems, const std::string& where);

/// Prints a document on stdout, indented.
void print_json(const Json& json);

/// The path of the running program.
[[nodiscard]] std::string program_path();
/// The words this program was started with.
[[nodiscard]] std::vector<std::string> command_line();

}  // namespace disco::cli
