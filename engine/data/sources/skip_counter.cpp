// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/sources/skip_counter.h"

#include <algorithm>

namespace disco::data {
namespace {

constexpr std::size_t kExamples = 5;

}  // namespace

void SkipCounter::add(const std::string& reason, const std::string& example) {
  Skipped& skipped = reasons_[reason];
  skipped.reason = reason;
  ++skipped.count;
  if (skipped.examples.size() < kExamples) skipped.examples.push_back(example);
}

std::vector<Skipped> SkipCounter::by_count() const {
  std::vector<Skipped> all;
  for (const auto& [reason, skipped] : reasons_) all.push_back(skipped);
  std::ranges::stable_sort(all, std::ranges::greater{}, &Skipped::count);
  return all;
}

std::string skipped_text(const std::vector<Skipped>& skipped) {
  std::string text;
  for (const Skipped& part : skipped) {
    if (!text.empty()) text += "; ";
    text += std::to_string(part.count) + " x " + part.reason;
    if (!part.examples.empty()) text += " (" + part.examples.front() + (part.count > 1 ? " …)" : ")");
  }
  return text;
}

}  // namespace disco::data
