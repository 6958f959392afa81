// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "engine/base/error.h"
#include "engine/data/source.h"
#include "engine/distributed/communicator.h"
#include "engine/evaluate/evaluation_set.h"
#include "engine/evaluate/predictions.h"
#include "engine/run/run_config.h"
#include "engine/train/event_log.h"
#include "engine/train/run_control.h"
#include "engine/train/trainer_state.h"

namespace disco {

/// The name of the metric that decides which checkpoint is best, or empty: matching accuracy, else held-out R@1, else
/// training-set R@1.
[[nodiscard]] std::string deciding_metric(const std::map<std::string, double>& metrics);

/// Whether the deciding metric is better than what `state` remembers, which it then becomes. NaN never is.
bool take_if_best(const std::map<std::string, double>& metrics, TrainerState& state);

/// Everything that asks the model what it has learned: held-out pictures, for small data sets the training pictures as
/// well, and the watched ones.
class Judge {
 public:
  Judge(const RunConfig& config, const data::DataSources& sources, const models::InputContract& contract,
        Communicator& communicator, RunControl& control, EventLog& events);

  /// Prepares the watched pictures (rank 0).
  [[nodiscard]] Result<void> watch(const data::DataSources& sources, const RunFolder& run,
                                   const models::InputContract& contract);

  /// Judges the model, writes the event, and keeps the best in `state`. Collective. Nothing when the run is to end.
  [[nodiscard]] Result<std::optional<std::map<std::string, double>>> evaluate(models::Model& model,
                                                                              TrainerState& state);
  /// Asks about the watched pictures and writes the event (rank 0; others do nothing).
  void look(models::Model& model, std::int64_t step);

  [[nodiscard]] double evaluation_seconds() const { return evaluation_seconds_; }
  [[nodiscard]] double look_seconds() const { return look_seconds_; }

 private:
  const RunConfig& config_;
  Communicator& communicator_;
  RunControl& control_;
  EventLog& events_;
  std::optional<EvaluationSet> held_out_, training_;
  std::optional<WatchedPictures> watched_;
  double evaluation_seconds_ = 0, look_seconds_ = 0;
};

}  // namespace disco
