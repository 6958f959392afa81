// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace disco::models {

/// What became of each tensor name of a checkpoint file.
struct KeyReport {
  int loaded = 0;                                            ///< tensors that went into the model
  std::vector<std::pair<std::string, std::string>> renamed;  ///< name in the file, name it was read as
  std::vector<std::string> ignored;                          ///< buffers that carry nothing, such as position_ids
  std::vector<std::string> unexpected;                       ///< names that the model has no place for
};

}  // namespace disco::models
