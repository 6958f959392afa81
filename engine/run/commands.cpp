// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/commands.h"

#include <unistd.h>

#include <atomic>
#include <fstream>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/base/json.h"
#include "engine/run/run_folder.h"

namespace disco {
namespace fs = std::filesystem;

Result<std::string> send_command(const fs::path& run, CommandKind kind) {
  static std::atomic<int> counter{0};
  const RunFolder folder(run);
  if (!folder.exists()) return failure("is not a run: it has no run.json", run.string(), "Give the folder of a run.");
  const double now = wall_seconds();
  Command command{std::to_string(static_cast<std::int64_t>(now * 1e3)) + "-" + std::to_string(::getpid()) + "-" +
                      std::to_string(++counter),
                  now, kind};
  DISCO_TRY(const LineAppender file, LineAppender::open(folder.commands_path()));
  DISCO_CHECK(file.append(write_json(command).dump()));
  return command.id;
}

CommandReader::CommandReader(const fs::path& run) : path_(RunFolder(run).commands_path()) {
  std::error_code code;
  const auto size = fs::file_size(path_, code);
  offset_ = code ? 0 : size;
}

CommandReader::CommandReader(const fs::path& run, std::uintmax_t offset)
    : path_(RunFolder(run).commands_path()), offset_(offset) {}

std::vector<Command> CommandReader::poll(std::vector<std::string>* problems) {
  std::vector<Command> commands;
  std::error_code code;
  const auto size = fs::file_size(path_, code);
  if (code || size == offset_) return commands;
  if (size < offset_) offset_ = 0;  // replaced by a shorter file: what is in it is new to us
  std::ifstream file(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset_));
  std::string text(static_cast<std::size_t>(size - offset_), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string line = text.substr(begin, end - begin);
    if (line.empty()) continue;
    Command command;
    Problems found;
    if (auto json = parse_json(line, path_.string()))
      read_json(*json, command, "", found, UnknownKeys::ignore);
    else
      found.push_back({"", json.error().message(), ""});
    if (found.empty())
      commands.push_back(std::move(command));
    else if (problems)
      problems->push_back(found.front().message());
  }
  offset_ += begin;
  return commands;
}

}  // namespace disco
