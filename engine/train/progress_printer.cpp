// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/progress_printer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "engine/base/number.h"

namespace disco {
namespace {

constexpr double line_interval = 1.0;

std::string fixed(double value, int digits) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

std::string percent(double share) { return fixed(share * 100, 1) + " %"; }

}  // namespace

void ProgressPrinter::line(const std::string& text) {
  std::fprintf(out_, "%s\n", text.c_str());
  std::fflush(out_);
}

void ProgressPrinter::take_step(const StepEvent& event) {
  step_seconds_ = step_seconds_ == 0 ? event.seconds.total : 0.95 * step_seconds_ + 0.05 * event.seconds.total;
  const bool last = event.step == total_steps_;
  if (!last && event.time - printed_ < line_interval) return;
  printed_ = event.time;
  std::string text = "step " + std::to_string(event.step);
  if (total_steps_ > 0) text += "/" + std::to_string(total_steps_);
  text += "  loss " + fixed(event.loss, 4) + "  " + fixed(event.samples_per_second, 1) + " pictures/s";
  if (total_steps_ > event.step)
    text += "  " + duration_text(step_seconds_ * static_cast<double>(total_steps_ - event.step)) + " left";
  line(text);
}

void ProgressPrinter::take_evaluation(const EvaluationEvent& event) {
  std::string text = "evaluation at step " + std::to_string(event.step) + ":";
  const auto add = [&](const char* key, const char* label) {
    const auto found = event.metrics.find(key);
    if (found != event.metrics.end()) text += std::string("  ") + label + " " + percent(found->second);
  };
  add("matching/accuracy", "matching");
  add("retrieval/image_to_text_r1", "held-out R@1");
  add("training/image_to_text_r1", "training R@1");
  line(text + "  (" + std::to_string(event.samples) + " pictures in " + fixed(event.seconds, 1) + " s)");
}

void ProgressPrinter::take(const Event& event) {
  if (const auto* run = std::get_if<RunEvent>(&event)) {
    total_steps_ = run->total_steps;
    line(run->name + ": " + run->model + " with " + fixed(static_cast<double>(run->parameters) / 1e6, 1) +
         " M parameters on " + run->data + ", batch " + std::to_string(run->batch) + ", " + std::to_string(run->ranks) +
         (run->ranks == 1 ? " rank" : " ranks"));
  } else if (const auto* step = std::get_if<StepEvent>(&event)) {
    take_step(*step);
  } else if (const auto* evaluation = std::get_if<EvaluationEvent>(&event)) {
    take_evaluation(*evaluation);
  } else if (const auto* budget = std::get_if<BudgetEvent>(&event)) {
    total_steps_ = budget->total_steps;
    line("a step takes " + fixed(budget->step_seconds, 3) + " s, so the budget is " + std::to_string(total_steps_) +
         " steps");
  } else if (const auto* saved = std::get_if<CheckpointEvent>(&event)) {
    line("saved " + saved->path + (saved->best ? " (the best so far)" : ""));
  } else if (const auto* warning = std::get_if<WarningEvent>(&event)) {
    line("warning: " + warning->message);
  } else if (const auto* resumed = std::get_if<ResumedEvent>(&event)) {
    line("going on from step " + std::to_string(resumed->step));
  } else if (const auto* progress = std::get_if<ProgressEvent>(&event)) {
    if (progress->phase != phase_ && progress->phase != "evaluating" && progress->phase != "saving")
      line(progress->phase + "…");
    phase_ = progress->phase;
  } else if (const auto* state = std::get_if<StateEvent>(&event)) {
    if (state->reason.empty()) return;
    line(std::string(id_of(state->state)) + ": " + state->reason + (state->hint.empty() ? "" : ". " + state->hint));
  }
}

}  // namespace disco
