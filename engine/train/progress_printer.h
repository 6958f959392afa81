// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "engine/run/events.h"

namespace disco {

/// Events as lines for a person who watches a terminal: a step line a second, everything rarer at once.
class ProgressPrinter {
 public:
  explicit ProgressPrinter(std::FILE* out) : out_(out) {}
  void take(const Event& event);

 private:
  void line(const std::string& text);
  void take_step(const StepEvent& event);
  void take_evaluation(const EvaluationEvent& event);

  std::FILE* out_;
  double printed_ = 0;  ///< event time of the last step line
  std::int64_t total_steps_ = 0;
  double step_seconds_ = 0;
  std::string phase_;
};

}  // namespace disco
