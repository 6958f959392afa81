// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/data/source.h"

namespace disco::data {

/// Counts what is skipped, by reason.
class SkipCounter {
 public:
  void add(const std::string& reason, const std::string& example);
  [[nodiscard]] std::vector<Skipped> by_count() const;

 private:
  std::map<std::string, Skipped> reasons_;
};

/// "12 x no .txt beside the picture (a.png, b.png …); 3 x …": for errors when nothing is left.
[[nodiscard]] std::string skipped_text(const std::vector<Skipped>& skipped);

}  // namespace disco::data
