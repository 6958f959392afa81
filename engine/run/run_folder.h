// SPDX-License-Identifier: GPL-3.0-or-later
//
// A run is a folder; this is where each thing in it lies, and how one is made and recognised.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/described.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/json.h"
#include "engine/run/run_config.h"

namespace disco {

/// Content of run.json: what the run is. Written once; only `name` changes (rename).
struct RunIdentity {
  int schema_version = 1;
  std::string id;
  std::string name;
  double created = 0;  ///< wall seconds
  std::string engine_version;
  std::vector<std::string> command;  ///< argv that started it
  std::string host;
  std::string parent;  ///< id of the run it was forked from, or empty
  std::int64_t fork_step = 0;
};
constexpr auto describe(std::type_identity<RunIdentity>) {
  using C = RunIdentity;
  return std::tuple{field("schema_version", &C::schema_version),
                    field("id", &C::id),
                    field("name", &C::name),
                    field("created", &C::created),
                    field("engine_version", &C::engine_version),
                    field("command", &C::command),
                    field("host", &C::host),
                    field("parent", &C::parent),
                    field("fork_step", &C::fork_step)};
}
DISCO_DESCRIBED(RunIdentity);

/// Who holds a run's lock.
struct LockHolder {
  int process = 0;
  std::string host;
  std::string boot;
};
constexpr auto describe(std::type_identity<LockHolder>) {
  using C = LockHolder;
  return std::tuple{field("process", &C::process), field("host", &C::host), field("boot", &C::boot)};
}
DISCO_DESCRIBED(LockHolder);

/// Paths inside a run folder.
class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path root) : root_(std::move(root)) {}

  /// Makes the folder with run.json and config.json. Refuses a folder that already holds anything.
  [[nodiscard]] static Result<RunFolder> create(const std::filesystem::path& root, const RunIdentity& identity,
                                                const RunConfig& config);

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  [[nodiscard]] std::filesystem::path identity_path() const { return root_ / "run.json"; }
  [[nodiscard]] std::filesystem::path config_path() const { return root_ / "config.json"; }
  [[nodiscard]] std::filesystem::path events_path() const { return root_ / "events.jsonl"; }
  [[nodiscard]] std::filesystem::path commands_path() const { return root_ / "commands.jsonl"; }
  [[nodiscard]] std::filesystem::path log_path() const { return root_ / "engine.log"; }
  [[nodiscard]] std::filesystem::path lock_path() const { return root_ / "lock"; }
  [[nodiscard]] std::filesystem::path samples_path() const { return root_ / "samples"; }
  [[nodiscard]] std::filesystem::path checkpoints_path() const { return root_ / "checkpoints"; }
  /// checkpoints/step-00001200
  [[nodiscard]] std::filesystem::path checkpoint_path(std::int64_t step) const;

  [[nodiscard]] bool exists() const;
  [[nodiscard]] Result<RunIdentity> identity() const;
  [[nodiscard]] Result<LoadedConfig> config() const;
  [[nodiscard]] Result<void> rename(const std::string& name) const;

  /// Takes the run's lock, or says which process holds it.
  [[nodiscard]] Result<FileLock> lock() const;
  /// Who holds the lock now; nothing when nobody does. Only asks.
  [[nodiscard]] std::optional<LockHolder> lock_holder() const;

  /// Steps of the complete checkpoints (those with a manifest), ascending by number.
  [[nodiscard]] std::vector<std::int64_t> checkpoint_steps() const;

 private:
  std::filesystem::path root_;
};

/// A name not yet taken in `workspace`: "cartoons-4" when the last one is cartoons-3.
[[nodiscard]] std::string free_run_name(const std::filesystem::path& workspace, const std::string& stem);

}  // namespace disco
