// SPDX-License-Identifier: GPL-3.0-or-later
//
// Columns of a long run on disk, so that it opens at once the next time. Outside the run folder, thrown away and built
// again whenever it does not fit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "ui/live/columns.h"

namespace disco::ui {

struct StoredColumns {
  Columns columns;
  std::vector<std::string> side_lines;  ///< other events, as they stand in the file
  std::uint64_t offset = 0;             ///< bytes of events.jsonl that all this was made from
};

/// Writes the cache beside its final name and renames it.
[[nodiscard]] Result<void> store_columns(const std::filesystem::path& file, const std::filesystem::path& events,
                                         const StoredColumns& stored);

/// Maps a cache into memory. Nothing when there is none, when it is damaged, or when events.jsonl no longer begins with
/// what it was made from (its first and last bytes are compared by hash).
[[nodiscard]] std::optional<StoredColumns> load_columns(const std::filesystem::path& file,
                                                        const std::filesystem::path& events);

}  // namespace disco::ui
