// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace disco::models {

/// A name without the prefixes that data-parallel wrappers and compilers put in front: "module." and "_orig_mod.", any
/// number of them, in any order. A layer called module inside of the name stays.
[[nodiscard]] inline std::string_view without_prefixes(std::string_view name) {
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view prefix : {"module.", "_orig_mod."}) {
      if (!name.starts_with(prefix)) continue;
      name.remove_prefix(prefix.size());
      found = true;
    }
  }
  return name;
}

/// Takes the prefixes off all names and notes which were changed.
template <class Value>
[[nodiscard]] std::map<std::string, Value> strip_prefixes(std::map<std::string, Value> values,
                                                          std::vector<std::pair<std::string, std::string>>& renamed) {
  std::map<std::string, Value> stripped;
  for (auto& [name, value] : values) {
    const std::string plain(without_prefixes(name));
    if (plain != name) renamed.emplace_back(name, plain);
    stripped.insert_or_assign(plain, std::move(value));
  }
  return stripped;
}

}  // namespace disco::models
