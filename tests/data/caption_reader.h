// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "engine/data/cartoons/vocabulary.h"

namespace disco::data::cartoons {

/// Subject, object, place, count and side as a reader finds them in a complete caption; -1 where nothing is found.
/// Written without the code that makes captions, so that it can contradict it.
inline std::array<int, 5> read_caption(const std::string& caption) {
  std::array<int, 5> found = {-1, -1, -1, -1, -1};
  const std::string text = " " + caption + " ";
  const auto says = [&](std::string_view words) {
    const std::string wanted = " " + std::string(words);
    for (auto at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + 1)) {
      const char after = text[at + wanted.size()];
      if (after == ' ' || after == ',' || after == ':') return true;
    }
    return false;
  };
  bool plural = false;
  for (int i = 0; i < kSubjects; ++i) {
    const Noun& noun = subjects()[static_cast<std::size_t>(i)];
    if (says(noun.singular) || says(noun.plural)) found[0] = i;
  }
  for (int i = 0; i < kObjects; ++i) {
    if (says(objects()[static_cast<std::size_t>(i)].singular)) found[1] = i;
  }
  for (int i = 0; i < kPlaces; ++i) {
    for (const std::string_view phrase : places()[static_cast<std::size_t>(i)].phrases) {
      if (says(phrase)) found[2] = i;
    }
  }
  if (says("two") || says("a pair of")) plural = true, found[3] = 2;
  if (says("three") || says("a trio of")) plural = true, found[3] = 3;
  if (!plural) found[3] = 1;
  const std::string subject(plural ? subjects()[static_cast<std::size_t>(std::max(0, found[0]))].plural
                                   : subjects()[static_cast<std::size_t>(std::max(0, found[0]))].singular);
  const auto after_subject = text.find(" " + subject);
  const auto left = text.find(" left", after_subject), right = text.find(" right", after_subject);
  if (left != std::string::npos || right != std::string::npos) found[4] = left < right ? 0 : 1;
  return found;
}

}  // namespace disco::data::cartoons
