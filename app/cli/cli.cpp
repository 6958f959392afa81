// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace disco::cli {

int report(const Error& error) {
  std::fprintf(stderr, "disco-engine: %s\n", error.message().c_str());
  return exit_failed;
}

int report(const Problems& problems, const std::string& where) {
  const char* count = problems.size() == 1 ? "a problem" : "problems";
  std::fprintf(stderr, "disco-engine: %s %s:\n", where.c_str(),
               ("has " + (problems.size() == 1 ? "" : std::to_string(problems.size()) + " ") + count).c_str());
  for (const auto& problem : problems) std::fprintf(stderr, "  %s\n", problem.message().c_str());
  return exit_usage;
}

void print_json(const Json& json) { std::printf("%s\n", json.dump(2).c_str()); }

std::string program_path() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

std::vector<std::string> command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

}  // namespace disco::cli
