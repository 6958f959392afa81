// SPDX-License-Identifier: GPL-3.0-or-later
//
// Checkpoints on disk: written under a temporary name, flushed, renamed. At any moment, also after a kill or a full
// disk, a checkpoint is complete or absent.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/base/described.h"
#include "engine/base/error.h"
#include "engine/run/run_folder.h"

namespace disco {

/// A file of a checkpoint as manifest.json lists it.
struct ManifestFile {
  std::string name;
  std::int64_t bytes = 0;
  std::string xxh3_128;
};
constexpr auto describe(std::type_identity<ManifestFile>) {
  using C = ManifestFile;
  return std::tuple{field("name", &C::name), field("bytes", &C::bytes), field("xxh3_128", &C::xxh3_128)};
}
DISCO_DESCRIBED(ManifestFile);

/// manifest.json: written last, so that its presence means that all the rest is there.
struct Manifest {
  int schema_version = 1;
  std::int64_t step = 0;
  std::map<std::string, double> metrics;
  std::vector<ManifestFile> files;
};
constexpr auto describe(std::type_identity<Manifest>) {
  using C = Manifest;
  return std::tuple{field("schema_version", &C::schema_version), field("step", &C::step), field("metrics", &C::metrics),
                    field("files", &C::files)};
}
DISCO_DESCRIBED(Manifest);

/// Makes checkpoints/step-XXXXXXXX: `fill` writes the files into the folder it is given, then they are flushed, listed
/// in the manifest and the folder is renamed. Returns the bytes written. On failure nothing is left behind and earlier
/// checkpoints are untouched. Test hooks: kill_point checkpoint.write, checkpoint.fsync, checkpoint.rename.
[[nodiscard]] Result<std::int64_t> write_checkpoint(
    const RunFolder& run, std::int64_t step, const std::map<std::string, double>& metrics,
    const std::function<Result<void>(const std::filesystem::path& folder)>& fill);

/// Points `latest` or `best` at a step, atomically.
[[nodiscard]] Result<void> link_checkpoint(const RunFolder& run, const std::string& link, std::int64_t step);

/// A checkpoint's path inside the run folder, as events name it: "checkpoints/step-00001000".
[[nodiscard]] std::string checkpoint_in_run(const RunFolder& run, std::int64_t step);

/// Deletes all complete checkpoints but the last `keep_last` and `best_step` (0 = none); returns their paths inside the
/// run.
std::vector<std::string> rotate_checkpoints(const RunFolder& run, int keep_last, std::int64_t best_step);

/// Removes what killed engines left under temporary names. Only for the holder of the run's lock.
void remove_stale_checkpoints(const RunFolder& run);

/// Reads manifest.json of a checkpoint folder and compares sizes and checksums of the files beside it.
[[nodiscard]] Result<Manifest> verify_checkpoint(const std::filesystem::path& folder);

}  // namespace disco
