// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/checkpoint_folder.h"

#include <fcntl.h>
#include <stdio.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "engine/base/files.h"
#include "engine/base/hash.h"
#include "engine/base/json.h"

namespace disco {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view temporary_mark = ".tmp";
constexpr std::string_view manifest_name = "manifest.json";

Result<Manifest> flush_and_list(const fs::path& folder) {
  Manifest manifest;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code)) {
    DISCO_CHECK(sync_path(entry.path()));
    DISCO_TRY(std::string hash, file_hash128_hex(entry.path()));
    manifest.files.push_back({.name = entry.path().filename().string(),
                              .bytes = static_cast<std::int64_t>(entry.file_size(code)),
                              .xxh3_128 = std::move(hash)});
  }
  if (code) return failure("cannot be listed: " + code.message(), folder.string());
  std::sort(manifest.files.begin(), manifest.files.end(),
            [](const ManifestFile& a, const ManifestFile& b) { return a.name < b.name; });
  return manifest;
}

/// Renames; where the step was saved before (a resume from an earlier one came by again), the two change places first,
/// so that one of them is there at every moment.
Result<void> put_in_place(const fs::path& temporary, const fs::path& target) {
  if (!fs::exists(target)) return rename_durably(temporary, target);
  if (::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) != 0)
    return failure("cannot be replaced: " + errno_text(errno), target.string());
  std::error_code code;
  fs::remove_all(temporary, code);
  return sync_path(target.parent_path());
}

Result<std::int64_t> fill_and_rename(const RunFolder& run, std::int64_t step,
                                     const std::map<std::string, double>& metrics, const fs::path& temporary,
                                     const std::function<Result<void>(const fs::path& folder)>& fill) {
  std::error_code code;
  fs::create_directories(temporary, code);
  if (code) return failure("cannot be made: " + code.message(), temporary.string(), "Free some space and try again.");
  DISCO_CHECK(fill(temporary));
  kill_point("checkpoint.write");
  DISCO_TRY(Manifest manifest, flush_and_list(temporary));
  manifest.step = step;
  manifest.metrics = metrics;
  std::int64_t bytes = 0;
  for (const auto& file : manifest.files) bytes += file.bytes;
  DISCO_CHECK(write_atomically(temporary / manifest_name, write_json(manifest).dump(2) + "\n"));
  DISCO_CHECK(sync_path(temporary));
  kill_point("checkpoint.fsync");
  DISCO_CHECK(put_in_place(temporary, run.checkpoint_path(step)));
  kill_point("checkpoint.rename");
  return bytes;
}

}  // namespace

Result<std::int64_t> write_checkpoint(const RunFolder& run, std::int64_t step,
                                      const std::map<std::string, double>& metrics,
                                      const std::function<Result<void>(const fs::path& folder)>& fill) {
  const fs::path temporary = run.checkpoint_path(step).string() + std::string(temporary_mark);
  std::error_code code;
  fs::remove_all(temporary, code);
  auto outcome = fill_and_rename(run, step, metrics, temporary, fill);
  if (!outcome) fs::remove_all(temporary, code);
  return outcome;
}

Result<void> link_checkpoint(const RunFolder& run, const std::string& link, std::int64_t step) {
  const fs::path path = run.checkpoints_path() / link;
  const fs::path temporary = path.string() + std::string(temporary_mark);
  std::error_code code;
  fs::remove(temporary, code);
  fs::create_symlink(run.checkpoint_path(step).filename(), temporary, code);
  if (code) return failure("cannot be linked: " + code.message(), path.string());
  return rename_durably(temporary, path);
}

std::string checkpoint_in_run(const RunFolder& run, std::int64_t step) {
  return run.checkpoint_path(step).lexically_relative(run.root()).generic_string();
}

std::vector<std::string> rotate_checkpoints(const RunFolder& run, int keep_last, std::int64_t best_step) {
  std::vector<std::int64_t> steps = run.checkpoint_steps();
  const auto kept = std::min(steps.size(), static_cast<std::size_t>(std::max(1, keep_last)));
  steps.resize(steps.size() - kept);
  std::vector<std::string> removed;
  for (const std::int64_t step : steps) {
    if (step == best_step) continue;
    const fs::path folder = run.checkpoint_path(step);
    // Renamed first: a kill in the middle of the deletion must not leave a folder that looks complete.
    const fs::path doomed = folder.string() + std::string(temporary_mark);
    std::error_code code;
    fs::remove_all(doomed, code);
    fs::rename(folder, doomed, code);
    if (code) continue;
    fs::remove_all(doomed, code);
    removed.push_back(checkpoint_in_run(run, step));
  }
  return removed;
}

void remove_stale_checkpoints(const RunFolder& run) {
  std::error_code code;
  std::vector<fs::path> stale;
  for (const auto& entry : fs::directory_iterator(run.checkpoints_path(), code)) {
    if (entry.path().filename().string().ends_with(temporary_mark)) stale.push_back(entry.path());
  }
  for (const auto& path : stale) fs::remove_all(path, code);
}

Result<Manifest> verify_checkpoint(const fs::path& folder) {
  const fs::path path = folder / manifest_name;
  DISCO_TRY(const std::string text, read_file(path, 16U << 20));
  DISCO_TRY(const Json json, parse_json(text, path.string()));
  Manifest manifest;
  Problems problems;
  read_json(json, manifest, "", problems, UnknownKeys::ignore);
  if (!problems.empty()) return tl::unexpected(to_error(problems, path.string()));
  for (const auto& file : manifest.files) {
    const fs::path member = folder / fs::path(file.name).filename();
    const std::string hint = "The checkpoint is damaged; remove its folder to go on from the one before it.";
    std::error_code code;
    const auto bytes = fs::file_size(member, code);
    if (code) return failure("is missing", member.string(), hint);
    if (static_cast<std::int64_t>(bytes) != file.bytes)
      return failure("has " + std::to_string(bytes) + " bytes instead of " + std::to_string(file.bytes),
                     member.string(), hint);
    DISCO_TRY(const std::string hash, file_hash128_hex(member));
    if (hash != file.xxh3_128) return failure("does not match its checksum", member.string(), hint);
  }
  return manifest;
}

}  // namespace disco
