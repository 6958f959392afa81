// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace disco {

/// A share with the bounds between which the true one lies with 95 % confidence.
struct Interval {
  double low = 0;
  double high = 1;
};

/// Wilson's score interval for `hits` of `trials` (Wilson 1927): right also for few trials and shares near 0 and 1.
/// `hits` may be fractional (ties). No trials: 0 to 1.
[[nodiscard]] Interval wilson_interval(double hits, std::int64_t trials);

/// The caption-matching task: which of a picture's candidates the model takes for the right one.
class MatchingCounter {
 public:
  /// `scores` of the candidates of one picture; ties share the hit, a NaN is a miss. `differs` names what each wrong
  /// candidate changes ("" for the right one).
  void add(std::span<const float> scores, const std::vector<std::string>& differs, int correct);
  /// "matching/accuracy", "_low", "_high", and for each attribute X that is changed "matching/X": the share of wrong
  /// candidates of that kind that score below the right one.
  void report(std::map<std::string, double>& metrics) const;

  /// Hits and trials: of the whole task under "", else by the attribute that is changed.
  using Counts = std::map<std::string, std::array<double, 2>>;
  [[nodiscard]] const Counts& counts() const { return counts_; }
  /// Adds what another rank counted.
  void merge(const Counts& other);

 private:
  Counts counts_;
};

/// Softmax over the candidates' logits.
[[nodiscard]] std::vector<double> softmax(std::span<const float> logits);

}  // namespace disco
