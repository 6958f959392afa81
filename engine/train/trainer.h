// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/data/loader.h"
#include "engine/distributed/communicator.h"
#include "engine/run/run_config.h"
#include "engine/run/run_folder.h"
#include "engine/train/budget.h"
#include "engine/train/judge.h"
#include "engine/train/run_control.h"
#include "engine/train/trainer_state.h"
#include "engine/train/training_step.h"

namespace disco {

/// What a trainer works with; all of it outlives the trainer.
struct TrainerParts {
  const RunFolder& run;
  const RunConfig& config;
  Communicator& communicator;
  RunControl& control;
  EventLog& events;
  models::Model& model;
  AdamW& optimizer;
  data::Loader& loader;
  Judge& judge;
  double began = 0;             ///< steady seconds when this session began
  std::int64_t saved_step = 0;  ///< of the checkpoint gone on from; 0 = none
};

/// The loop: batch, step, event; evaluation, predictions and checkpoints when they are due; an end when the budget is
/// used up or someone asks for it. Every rank runs the same loop and they agree about requests after each step.
class Trainer {
 public:
  Trainer(const TrainerParts& parts, TrainerState state);

  /// Returns how the run ended (finished, stopped, paused); an Error when it cannot go on. The last state is in a
  /// checkpoint then, except when nothing was learned since the one before.
  [[nodiscard]] Result<RunState> run();
  [[nodiscard]] const TrainerState& state() const { return state_; }

 private:
  /// What all ranks know after talking to each other.
  struct Agreement {
    unsigned requests = 0;
    std::int64_t rows = 0;
    std::int64_t memory = 0;
  };
  Agreement agree(std::int64_t rows);
  [[nodiscard]] Result<void> baseline();
  [[nodiscard]] Result<void> step();
  void tell_step(const data::Batch& batch, const StepOutcome& outcome, const Agreement& agreement, double data_seconds,
                 double share);
  void tell_data_wait(const data::Batch& batch, double data_seconds, double total);
  [[nodiscard]] Result<void> tell_not_finite(const StepOutcome& outcome);
  void measure_budget(double step_seconds);
  [[nodiscard]] Result<void> what_is_due(unsigned requests);
  [[nodiscard]] Result<void> evaluate();
  [[nodiscard]] Result<void> save(bool must);
  [[nodiscard]] Result<RunState> end();
  [[nodiscard]] bool complete() const { return state_.total_steps > 0 && state_.step >= state_.total_steps; }
  [[nodiscard]] bool first() const { return parts_.communicator.rank() == 0; }
  [[nodiscard]] double running_seconds() const;

  TrainerParts parts_;
  const RunConfig& config_;
  TrainerState state_;
  TrainingStep step_;
  Agreement agreed_;
  double seconds_before_;  ///< of earlier sessions
  double step_began_ = 0;
  std::vector<double> measured_;
  std::int64_t evaluated_step_ = -1, looked_step_ = -1, saved_step_;
  std::map<std::string, double> metrics_;  ///< of the last evaluation
  double save_seconds_ = 0;
  double data_wait_ = 0, waited_total_ = 0;
  std::int64_t wait_steps_ = 0;
};

}  // namespace disco
