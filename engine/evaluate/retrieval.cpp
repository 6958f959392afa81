// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/retrieval.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace disco {
namespace {
constexpr std::array<std::int64_t, 3> depths{1, 5, 10};
}

double RankOutcome::hit(std::int64_t k) const {
  if (!finite) return 0;
  const std::int64_t places = std::min(k - better, tied);
  if (places <= 0) return 0;
  // The share of orders in which all places go to tied wrong answers, as a product that cannot overflow.
  double miss = 1;
  for (std::int64_t i = 0; i < places; ++i)
    miss *= static_cast<double>(std::max<std::int64_t>(0, tied - tied_right - i)) / static_cast<double>(tied - i);
  return 1 - miss;
}

RankOutcome rank_of_right(std::span<const float> scores, std::span<const std::int64_t> right) {
  RankOutcome outcome{.finite = false, .better = 0, .tied = 0, .tied_right = 0};
  float best = 0;
  for (const std::int64_t index : right) {
    const float score = scores[static_cast<std::size_t>(index)];
    if (!std::isfinite(score) || (outcome.finite && score <= best)) continue;
    best = score;
    outcome.finite = true;
  }
  if (!outcome.finite) return outcome;
  for (const float score : scores) {
    outcome.better += score > best ? 1 : 0;
    outcome.tied += score == best ? 1 : 0;
  }
  for (const std::int64_t index : right) outcome.tied_right += scores[static_cast<std::size_t>(index)] == best ? 1 : 0;
  return outcome;
}

void RecallCounter::add(const RankOutcome& outcome) {
  ++questions_;
  not_finite_ += outcome.finite ? 0 : 1;
  for (const std::int64_t depth : depths) hits_[depth] += outcome.hit(std::min(depth, answers_));
}

void RecallCounter::report(const std::string& prefix, std::map<std::string, double>& metrics) const {
  if (questions_ == 0) return;
  for (const auto& [depth, hits] : hits_)
    metrics[prefix + "_r" + std::to_string(std::min(depth, answers_))] = hits / static_cast<double>(questions_);
  if (not_finite_ > 0) metrics[prefix + "_not_finite"] = static_cast<double>(not_finite_);
}

}  // namespace disco
