// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace disco {

/// What one question found: chances of a hit, with ties broken at random.
struct RankOutcome {
  bool finite = true;       ///< false: no right answer has a finite score, which counts as a miss
  std::int64_t better = 0;  ///< answers that score higher than the best right one
  std::int64_t tied = 1;    ///< answers that score the same, the right ones included
  std::int64_t tied_right = 1;

  /// The probability that a right answer is among the first k when equal scores are ordered at random:
  /// 1 - C(tied - tied_right, m) / C(tied, m) with m = k - better places left. A collapsed model, whose scores are all
  /// equal, gets k / N and not 100 %.
  [[nodiscard]] double hit(std::int64_t k) const;
};

/// Places the best right answer among all. `right` holds the indices of right answers. A NaN among the wrong answers
/// is never better; a NaN right answer is a miss.
[[nodiscard]] RankOutcome rank_of_right(std::span<const float> scores, std::span<const std::int64_t> right);

/// Recall at 1, 5 and 10 of one direction.
class RecallCounter {
 public:
  explicit RecallCounter(std::int64_t answers) : answers_(answers) {}
  void add(const RankOutcome& outcome);
  /// Adds "<prefix>_r1", "_r5", "_r10" as shares of 1; where there are fewer answers than k, the key names the number
  /// there is. Questions whose right answers are not finite are counted in "<prefix>_not_finite" when there are any.
  void report(const std::string& prefix, std::map<std::string, double>& metrics) const;

 private:
  std::int64_t answers_ = 0;
  std::int64_t questions_ = 0;
  std::int64_t not_finite_ = 0;
  std::map<std::int64_t, double> hits_;
};

}  // namespace disco
