// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "engine/base/error.h"
#include "engine/data/cartoons/composition.h"

namespace disco::data::cartoons {

struct WriteCartoonsOptions {
  std::int64_t count = 1000;
  std::uint64_t seed = 1;
  int size = 384;  ///< side of the pictures in pixels
  Split split = Split::kTraining;
  /// Told now and then how far it is; false ends the writing with what is there.
  std::function<bool(std::int64_t done, std::int64_t total)> progress;
};

/// Writes scenes as a data set that any trainer reads: 000000.png and on, beside each a .txt with its captions (the
/// first line is the complete one), captions.csv with a row for every picture and caption, and scenes.jsonl with the
/// near misses of training scenes or the candidates of held-out ones. The folder is made; it must be empty.
[[nodiscard]] Result<void> write_cartoons(const std::filesystem::path& folder, const WriteCartoonsOptions& options);

}  // namespace disco::data::cartoons
