// SPDX-License-Identifier: GPL-3.0-or-later
#include <sched.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/base/json.h"
#include "engine/train/rank.h"

namespace disco {
namespace {

/// What a resume may change: how long, how fast, how often and on how many ranks, not what is learned from what.
constexpr std::array<std::string_view, 9> changeable{"budget.",      "schedule.",       "optimizer.",
                                                     "checkpoint.",  "evaluate.",       "sample.",
                                                     "distributed.", "compute_threads", "data.loader_threads"};

int usable_cores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
  return std::max(1, CPU_COUNT(&cores));
}

}  // namespace

Result<LoadedConfig> config_with_overrides(const RunFolder& run, const std::vector<std::string>& overrides) {
  DISCO_TRY(LoadedConfig loaded, run.config());
  if (overrides.empty()) return loaded;
  Json document = write_json(loaded.config);
  Problems problems;
  for (const auto& item : overrides) {
    const auto equals = item.find('=');
    const std::string path = item.substr(0, equals);
    if (equals == std::string::npos) {
      problems.push_back({item, "is not of the form path=value", ""});
    } else if (std::none_of(changeable.begin(), changeable.end(),
                            [&](std::string_view prefix) { return path.starts_with(prefix); })) {
      problems.push_back({path, "cannot be changed when a run goes on", "Start a new run for it."});
    } else {
      set_from_text(document, path, item.substr(equals + 1), problems);
    }
  }
  LoadedConfig changed = load_config(document);
  changed.problems.insert(changed.problems.begin(), problems.begin(), problems.end());
  return changed;
}

void resolve_threads(RunConfig& config) {
  const int cores = std::max(1, usable_cores() / config.distributed.local_ranks);
  if (config.compute_threads == 0) config.compute_threads = cores;
  if (config.data.loader_threads == 0) config.data.loader_threads = std::max(1, cores / 2);
}

}  // namespace disco
