// SPDX-License-Identifier: GPL-3.0-or-later
//
// What anyone may ask of a running engine: one JSON object a line in commands.jsonl. Each has an id and is answered by
// a CommandEvent. An engine obeys only commands appended after it started.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/described.h"
#include "engine/base/error.h"

namespace disco {

enum class CommandKind { pause, resume, stop, abort, checkpoint, evaluate, sample };
constexpr auto choices(std::type_identity<CommandKind>) {
  return std::array{
      Choice{CommandKind::pause, "pause", "Pause", "Save and end the workers: memory is given back"},
      Choice{CommandKind::resume, "resume", "Resume", "Go on exactly where the pause was"},
      Choice{CommandKind::stop, "stop", "Stop", "Save and end"},
      Choice{CommandKind::abort, "abort", "Stop without saving",
             "End at once; steps since the last checkpoint are lost"},
      Choice{CommandKind::checkpoint, "checkpoint", "Save checkpoint", "Save after the present step"},
      Choice{CommandKind::evaluate, "evaluate", "Evaluate now", "Judge the held-out pictures after the present step"},
      Choice{CommandKind::sample, "sample", "Look now", "Ask about the watched pictures after the present step"}};
}

struct Command {
  std::string id;  ///< unique; answered by a CommandEvent with the same id
  double time = 0;
  CommandKind command = CommandKind::stop;
};

constexpr auto describe(std::type_identity<Command>) {
  using C = Command;
  return std::tuple{field("id", &C::id, {.help = "Any text that was not used before in this run"}),
                    field("time", &C::time, {.unit = "s"}), field("command", &C::command)};
}
DISCO_DESCRIBED(Command);

/// Appends a command to RUN/commands.jsonl and returns its id. Does not wait for the answer.
[[nodiscard]] Result<std::string> send_command(const std::filesystem::path& run, CommandKind kind);

/// Follows commands.jsonl from its present end, or from a byte offset that another reader has reached.
class CommandReader {
 public:
  explicit CommandReader(const std::filesystem::path& run);
  CommandReader(const std::filesystem::path& run, std::uintmax_t offset);
  /// Commands appended since the last call; lines that are no command are reported in `problems`. Never blocks.
  [[nodiscard]] std::vector<Command> poll(std::vector<std::string>* problems = nullptr);
  [[nodiscard]] std::uintmax_t offset() const { return offset_; }

 private:
  std::filesystem::path path_;
  std::uintmax_t offset_ = 0;
};

}  // namespace disco
