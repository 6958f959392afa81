// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/run_folder.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

#include "engine/base/clock.h"

namespace disco {
namespace fs = std::filesystem;

namespace {

template <class T>
Result<T> read_described(const fs::path& path) {
  DISCO_TRY(const std::string text, read_file(path, 1U << 20));
  DISCO_TRY(const Json json, parse_json(text, path.string()));
  T value;
  Problems problems;
  read_json(json, value, "", problems, UnknownKeys::ignore);
  if (!problems.empty()) return tl::unexpected(to_error(problems, path.string()));
  return value;
}

}  // namespace

Result<RunFolder> RunFolder::create(const fs::path& root, const RunIdentity& identity, const RunConfig& config) {
  std::error_code code;
  if (fs::exists(root / "run.json", code))
    return failure("there is a run already", root.string(),
                   "Choose another name, or go on with it: disco-engine train --resume.");
  if (fs::exists(root, code) && !fs::is_empty(root, code))
    return failure("is not empty", root.string(), "Choose a new folder for the run.");
  fs::create_directories(root / "checkpoints", code);
  if (!code) fs::create_directories(root / "samples", code);
  if (code) return failure("cannot be made: " + code.message(), root.string(), "Choose a place that can be written.");
  RunFolder folder(root);
  DISCO_CHECK(write_atomically(folder.config_path(), write_json(config).dump(2) + "\n"));
  DISCO_CHECK(write_atomically(folder.identity_path(), write_json(identity).dump(2) + "\n"));
  return folder;
}

fs::path RunFolder::checkpoint_path(std::int64_t step) const {
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), "step-%08lld", static_cast<long long>(step));
  return checkpoints_path() / name.data();
}

bool RunFolder::exists() const {
  std::error_code code;
  return fs::exists(identity_path(), code);
}

Result<RunIdentity> RunFolder::identity() const { return read_described<RunIdentity>(identity_path()); }

Result<LoadedConfig> RunFolder::config() const { return load_config_file(config_path().string()); }

Result<void> RunFolder::rename(const std::string& name) const {
  if (name.empty()) return failure("a run needs a name", identity_path().string());
  DISCO_TRY(auto who, identity());
  who.name = name;
  return write_atomically(identity_path(), write_json(who).dump(2) + "\n");
}

Result<FileLock> RunFolder::lock() const {
  DISCO_TRY(auto lock, FileLock::try_acquire(lock_path()));
  if (!lock) {
    const auto holder = lock_holder();
    const std::string who = holder ? "process " + std::to_string(holder->process) + " on " +
                                         (holder->host == host_name() ? "this computer" : holder->host)
                                   : "another process";
    return failure("is held by another engine (" + who + ")", root_.string(),
                   "Open that run, or start under a new name.");
  }
  const LockHolder self{static_cast<int>(::getpid()), host_name(), boot_id()};
  DISCO_CHECK(lock->write(write_json(self).dump() + "\n"));
  return std::move(*lock);
}

std::optional<LockHolder> RunFolder::lock_holder() const {
  if (!FileLock::is_held(lock_path())) return std::nullopt;
  return read_described<LockHolder>(lock_path()).value_or(LockHolder{});
}

std::vector<std::int64_t> RunFolder::checkpoint_steps() const {
  std::vector<std::int64_t> steps;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(checkpoints_path(), code)) {
    const std::string name = entry.path().filename().string();
    std::int64_t step = 0;
    if (!name.starts_with("step-")) continue;
    const auto [end, error] = std::from_chars(name.data() + 5, name.data() + name.size(), step);
    if (error != std::errc{} || end != name.data() + name.size()) continue;
    if (fs::exists(entry.path() / "manifest.json", code)) steps.push_back(step);
  }
  std::sort(steps.begin(), steps.end());
  return steps;
}

std::string free_run_name(const fs::path& workspace, const std::string& stem) {
  std::error_code code;
  std::int64_t highest = 0;
  for (const auto& entry : fs::directory_iterator(workspace, code)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(stem + "-")) continue;
    std::int64_t number = 0;
    const char* begin = name.data() + stem.size() + 1;
    const auto [end, error] = std::from_chars(begin, name.data() + name.size(), number);
    if (error == std::errc{} && end == name.data() + name.size()) highest = std::max(highest, number);
  }
  return stem + "-" + std::to_string(highest + 1);
}

}  // namespace disco
