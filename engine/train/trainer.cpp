// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/trainer.h"

#include <torch/torch.h>

#include <array>
#include <chrono>
#include <cmath>

#include "engine/base/clock.h"
#include "engine/base/random.h"
#include "engine/train/checkpoint_folder.h"
#include "engine/train/run_checkpoint.h"
#include "engine/train/schedule.h"

namespace disco {
namespace {

constexpr std::int64_t most_skipped_in_a_row = 50;
constexpr std::int64_t data_wait_window = 50;  // steps
constexpr double tolerated_data_wait = 0.05;
constexpr std::array requests{Request::stop, Request::pause, Request::checkpoint, Request::evaluate, Request::sample};

bool asks(unsigned bits, Request request) { return (bits & static_cast<unsigned>(request)) != 0; }

bool due(std::int64_t step, std::int64_t every) { return step % every == 0; }

/// Before the first checkpoint was written: weights and two moments at the speed of an ordinary disk.
double expected_save_seconds(const AdamW& optimizer) {
  constexpr double bytes_per_second = 250e6;
  double bytes = 0;
  for (const auto& parameter : optimizer.parameters()) bytes += 3 * static_cast<double>(parameter.nbytes());
  return bytes / bytes_per_second;
}

}  // namespace

Trainer::Trainer(const TrainerParts& parts, TrainerState state)
    : parts_(parts),
      config_(parts.config),
      state_(std::move(state)),
      step_(parts.config, parts.model, parts.optimizer, parts.communicator),
      seconds_before_(state_.trained_seconds),
      saved_step_(parts.saved_step) {}

double Trainer::running_seconds() const { return seconds_before_ + steady_seconds() - parts_.began; }

Trainer::Agreement Trainer::agree(std::int64_t rows) {
  std::array<double, requests.size() + 2> mine{};
  const unsigned pending = parts_.control.pending();
  for (std::size_t i = 0; i < requests.size(); ++i) mine[i] = asks(pending, requests[i]) ? 1 : 0;
  mine[requests.size()] = static_cast<double>(rows);
  mine[requests.size() + 1] = static_cast<double>(resident_bytes());
  auto all = torch::from_blob(mine.data(), {static_cast<std::int64_t>(mine.size())}, at::kDouble);
  parts_.communicator.all_reduce(all, Reduce::sum);
  Agreement agreement;
  for (std::size_t i = 0; i < requests.size(); ++i)
    if (mine[i] > 0) agreement.requests |= static_cast<unsigned>(requests[i]);
  agreement.rows = static_cast<std::int64_t>(mine[requests.size()]);
  agreement.memory = static_cast<std::int64_t>(mine[requests.size() + 1]);
  return agreement;
}

Result<RunState> Trainer::run() {
  parts_.control.state(RunState::running, state_.step);
  parts_.control.stepped(state_.step, state_.total_steps, running_seconds());
  if (state_.step == 0) DISCO_CHECK(baseline());
  agreed_ = agree(0);
  while (!complete() && !asks(agreed_.requests, Request::stop) && !asks(agreed_.requests, Request::pause)) {
    const std::int64_t before = state_.step;
    DISCO_CHECK(step());
    if (state_.step > before) DISCO_CHECK(what_is_due(agreed_.requests));
  }
  return end();
}

/// What the model says before it has learned anything: where all curves begin.
Result<void> Trainer::baseline() {
  parts_.judge.look(parts_.model, 0);
  looked_step_ = 0;
  return evaluate();
}

Result<void> Trainer::step() {
  step_began_ = steady_seconds();
  while (!parts_.loader.ready(std::chrono::milliseconds(100))) {
    if (parts_.communicator.size() > 1 || !parts_.control.ending()) continue;
    agreed_ = agree(0);  // nobody else is in the step, so it need not be taken
    return {};
  }
  DISCO_TRY(auto batch, parts_.loader.next());
  if (!batch) return failure("the data ended at step " + std::to_string(state_.step), "data");
  const double data_seconds = steady_seconds() - step_began_;
  // Any random number of the networks depends on seed, step and rank alone, so that resuming needs no generator.
  torch::manual_seed(mix64(config_.seed ^ mix64(static_cast<std::uint64_t>(state_.step) * 64U +
                                                static_cast<std::uint64_t>(parts_.communicator.rank()))));
  const double share = learning_rate_share(config_.schedule, state_.applied_steps, state_.total_steps);
  const StepOutcome outcome = step_.take(*batch, share);
  agreed_ = agree(batch->count);
  ++state_.step;
  state_.applied_steps += outcome.applied ? 1 : 0;
  state_.samples += agreed_.rows;
  parts_.control.stepped(state_.step, state_.total_steps, running_seconds());
  tell_step(*batch, outcome, agreed_, data_seconds, share);
  measure_budget(steady_seconds() - step_began_);
  return tell_not_finite(outcome);
}

void Trainer::tell_step(const data::Batch& batch, const StepOutcome& outcome, const Agreement& agreement,
                        double data_seconds, double share) {
  for (const auto& bad : batch.bad) parts_.events.warn("bad_sample", bad.message(), state_.step);
  if (!first()) return;
  StepEvent event{.step = state_.step,
                  .epoch = parts_.loader.epoch_of(state_.step),
                  .samples = state_.samples,
                  .loss = outcome.loss,
                  .losses = {{"image_to_text", outcome.image_to_text}, {"text_to_image", outcome.text_to_image}},
                  .learning_rate = step_.learning_rates(share),
                  .gradient_norm = outcome.gradient_norm,
                  .logit_scale = outcome.logit_scale,
                  .applied = outcome.applied};
  event.memory.host = agreement.memory;
  StepSeconds& seconds = event.seconds;
  seconds.data = data_seconds;
  seconds.forward = outcome.forward;
  seconds.loss = outcome.loss_seconds;
  seconds.backward = outcome.backward;
  seconds.communication = outcome.communication;
  seconds.optimizer = outcome.optimizer;
  seconds.total = steady_seconds() - step_began_;
  seconds.other = seconds.total - (seconds.data + seconds.forward + seconds.loss + seconds.backward +
                                   seconds.communication + seconds.optimizer);
  event.samples_per_second = static_cast<double>(agreement.rows) / seconds.total;
  parts_.events.write(event);
  tell_data_wait(batch, data_seconds, seconds.total);
}

/// Says it in words when training waits for data more than now and then, and which stage of the loader is slowest.
void Trainer::tell_data_wait(const data::Batch& batch, double data_seconds, double total) {
  data_wait_ += data_seconds;
  waited_total_ += total;
  if (++wait_steps_ < data_wait_window) return;
  const double share = data_wait_ / waited_total_;
  if (share > tolerated_data_wait)
    parts_.events.warn("data_wait",
                       std::to_string(static_cast<int>(std::lround(share * 100))) +
                           " % of the time is spent waiting for data; the slowest stage is " +
                           std::string(data::slowest_stage(batch.times)),
                       state_.step);
  data_wait_ = waited_total_ = 0;
  wait_steps_ = 0;
}

Result<void> Trainer::tell_not_finite(const StepOutcome& outcome) {
  if (outcome.applied) {
    state_.skipped_in_a_row = 0;
    return {};
  }
  ++state_.skipped_steps;
  if (++state_.skipped_in_a_row == 1)
    parts_.events.warn("not_finite", "Loss or gradients are not finite; the step was skipped and the weights stayed",
                       state_.step, state_.skipped_steps);
  if (state_.skipped_in_a_row < most_skipped_in_a_row) return {};
  return failure(
      "training diverged: gradients were not finite in " + std::to_string(most_skipped_in_a_row) + " steps in a row",
      "step " + std::to_string(state_.step),
      "Start again from the last checkpoint with a lower optimizer.learning_rate.");
}

/// Turns a budget in minutes into steps once enough of them were measured (or a quarter of the time has gone).
void Trainer::measure_budget(double step_seconds) {
  if (state_.total_steps > 0) return;
  measured_.push_back(step_seconds);
  const double budget = config_.budget.minutes * 60;
  auto total = torch::zeros({1}, at::kDouble);
  if (first() && (std::ssize(measured_) >= measured_steps || running_seconds() > budget / 4)) {
    const double save = save_seconds_ > 0 ? save_seconds_ : expected_save_seconds(parts_.optimizer);
    const MeasuredCosts costs{
        .step = usual_seconds(measured_),
        .evaluation = parts_.judge.evaluation_seconds() + (config_.checkpoint.keep_best ? save : 0),
        .sample = parts_.judge.look_seconds(),
        .checkpoint = save};
    total.fill_(static_cast<double>(state_.step + steps_that_fit(budget - running_seconds(), costs, config_)));
    parts_.events.write(BudgetEvent{.total_steps = total.item<std::int64_t>(), .step_seconds = costs.step});
  }
  parts_.communicator.broadcast(total, 0);
  state_.total_steps = static_cast<std::int64_t>(total.item<double>());
}

Result<void> Trainer::what_is_due(unsigned bits) {
  if (due(state_.step, config_.sample.every_steps) || asks(bits, Request::sample)) {
    parts_.control.done(Request::sample);
    parts_.judge.look(parts_.model, state_.step);
    looked_step_ = state_.step;
  }
  if (due(state_.step, config_.evaluate.every_steps) || asks(bits, Request::evaluate)) {
    parts_.control.done(Request::evaluate);
    DISCO_CHECK(evaluate());
  }
  const bool best = config_.checkpoint.keep_best && state_.best_step == state_.step;
  if (due(state_.step, config_.checkpoint.every_steps) || best || asks(bits, Request::checkpoint)) {
    parts_.control.done(Request::checkpoint);
    DISCO_CHECK(save(/*must=*/false));
  }
  return {};
}

Result<void> Trainer::evaluate() {
  DISCO_TRY(auto metrics, parts_.judge.evaluate(parts_.model, state_));
  if (metrics) {
    metrics_ = std::move(*metrics);
    evaluated_step_ = state_.step;
  } else {
    agreed_ = agree(0);  // someone asked to end in the middle of it
  }
  parts_.control.state(RunState::running, state_.step);
  return {};
}

/// Rank 0 saves. A failure is told and the run goes on, with the checkpoint before it still whole: space may come back
/// before the next one. Where a checkpoint must be written (the end, a pause) it is an Error.
Result<void> Trainer::save(bool must) {
  if (!first() || saved_step_ == state_.step) return {};
  const double began = steady_seconds();
  parts_.control.state(RunState::saving, state_.step);
  parts_.control.working_on("saving");
  state_.trained_seconds = running_seconds();
  const auto metrics = evaluated_step_ == state_.step ? metrics_ : std::map<std::string, double>{};
  const auto bytes = save_run_checkpoint(parts_.run, parts_.model, parts_.optimizer, state_, metrics);
  if (!bytes) {
    parts_.events.warn("checkpoint_failed", "The checkpoint could not be saved: " + bytes.error().message(),
                       state_.step);
    if (must) return tl::unexpected(bytes.error());
    parts_.control.state(RunState::running, state_.step);
    return {};
  }
  saved_step_ = state_.step;
  const bool best = config_.checkpoint.keep_best && state_.best_step == state_.step;
  if (best) DISCO_CHECK(link_checkpoint(parts_.run, "best", state_.step));
  save_seconds_ = steady_seconds() - began;
  parts_.events.write(
      CheckpointEvent{.step = state_.step,
                      .path = checkpoint_in_run(parts_.run, state_.step),
                      .bytes = *bytes,
                      .seconds = save_seconds_,
                      .metrics = metrics,
                      .best = best,
                      .removed = rotate_checkpoints(parts_.run, config_.checkpoint.keep_last,
                                                    config_.checkpoint.keep_best ? state_.best_step : 0)});
  parts_.events.sync();
  parts_.control.state(RunState::running, state_.step);
  return {};
}

Result<RunState> Trainer::end() {
  if (complete()) {
    if (evaluated_step_ != state_.step) DISCO_CHECK(evaluate());
    if (looked_step_ != state_.step) parts_.judge.look(parts_.model, state_.step);
  }
  RunState outcome = RunState::paused;
  std::string reason = "Paused after step " + std::to_string(state_.step);
  if (complete() && evaluated_step_ == state_.step) {
    outcome = RunState::finished;
    reason = "All " + std::to_string(state_.step) + " steps are done";
  } else if (asks(agreed_.requests, Request::stop)) {
    outcome = RunState::stopped;
    reason = "Stopped after step " + std::to_string(state_.step);
  }
  if (state_.step > 0) DISCO_CHECK(save(/*must=*/true));
  parts_.control.state(outcome, state_.step, reason);
  parts_.events.sync();
  return outcome;
}

}  // namespace disco
