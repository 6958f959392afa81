// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/matching.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/evaluate/retrieval.h"

namespace disco {

Interval wilson_interval(double hits, std::int64_t trials) {
  if (trials <= 0) return {};
  constexpr double z = 1.959963984540054;  // of the normal distribution, two-sided 95 %
  const double n = static_cast<double>(trials);
  const double share = hits / n;
  const double middle = (share + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

void MatchingCounter::add(std::span<const float> scores, const std::vector<std::string>& differs, int correct) {
  const auto count = [&](const std::string& kind, std::span<const float> compared, std::int64_t right) {
    auto& [hits, trials] = counts_[kind];
    hits += rank_of_right(compared, std::span<const std::int64_t>(&right, 1)).hit(1);
    trials += 1;
  };
  count("", scores, correct);
  for (std::size_t i = 0; i < scores.size() && i < differs.size(); ++i) {
    if (static_cast<int>(i) == correct || differs[i].empty()) continue;
    count(differs[i], std::array{scores[static_cast<std::size_t>(correct)], scores[i]}, 0);
  }
}

void MatchingCounter::merge(const Counts& other) {
  for (const auto& [kind, count] : other) {
    counts_[kind][0] += count[0];
    counts_[kind][1] += count[1];
  }
}

void MatchingCounter::report(std::map<std::string, double>& metrics) const {
  for (const auto& [kind, count] : counts_) {
    const auto& [hits, trials] = count;
    metrics["matching/" + (kind.empty() ? "accuracy" : kind)] = hits / trials;
    if (!kind.empty()) continue;
    const Interval interval = wilson_interval(hits, static_cast<std::int64_t>(trials));
    metrics["matching/accuracy_low"] = interval.low;
    metrics["matching/accuracy_high"] = interval.high;
  }
}

std::vector<double> softmax(std::span<const float> logits) {
  double highest = -std::numeric_limits<double>::infinity();
  for (const float logit : logits) highest = std::max(highest, static_cast<double>(logit));
  std::vector<double> shares;
  double sum = 0;
  for (const float logit : logits) sum += shares.emplace_back(std::exp(static_cast<double>(logit) - highest));
  for (double& share : shares) share /= sum;
  return shares;
}

}  // namespace disco
