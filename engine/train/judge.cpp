// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/judge.h"

#include <cmath>

#include "engine/base/clock.h"
#include "engine/evaluate/evaluator.h"

namespace disco {
namespace {

/// Larger training sets are not judged by their own pictures: it would say little and take long.
constexpr std::int64_t largest_training_set_judged = 5000;
constexpr int most_captions = 5;

}  // namespace

std::string deciding_metric(const std::map<std::string, double>& metrics) {
  for (const char* name : {"matching/accuracy", "retrieval/image_to_text_r1", "training/image_to_text_r1"})
    if (metrics.contains(name)) return name;
  return {};
}

bool take_if_best(const std::map<std::string, double>& metrics, TrainerState& state) {
  const std::string name = deciding_metric(metrics);
  if (name.empty()) return false;
  const double value = metrics.at(name);
  state.best_metric = name;
  if (!std::isfinite(value) || (state.best_value && value <= *state.best_value)) return false;
  state.best_value = value;
  state.best_step = state.step;
  return true;
}

Judge::Judge(const RunConfig& config, const data::DataSources& sources, const models::InputContract& contract,
             Communicator& communicator, RunControl& control, EventLog& events)
    : config_(config), communicator_(communicator), control_(control), events_(events) {
  if (sources.validation && sources.validation->size().value_or(config.evaluate.pictures) > 0)
    held_out_.emplace(sources.validation, contract, config.evaluate.pictures, most_captions);
  const auto training_size = sources.train->size();
  if (training_size && *training_size <= largest_training_set_judged)
    training_.emplace(sources.train, contract, config.evaluate.pictures, most_captions);
}

Result<void> Judge::watch(const data::DataSources& sources, const RunFolder& run,
                          const models::InputContract& contract) {
  if (communicator_.rank() != 0 || config_.sample.pictures == 0) return {};
  const auto& source = held_out_ ? *sources.validation : *sources.train;
  DISCO_TRY(WatchedPictures watched,
            WatchedPictures::open(source, config_.sample.pictures, contract, run, config_.seed));
  if (!watched.empty()) watched_.emplace(std::move(watched));
  return {};
}

Result<std::optional<std::map<std::string, double>>> Judge::evaluate(models::Model& model, TrainerState& state) {
  if (!held_out_ && !training_) return std::optional(std::map<std::string, double>{});
  control_.state(RunState::evaluating, state.step);
  EvaluationEvent event{.step = state.step};
  const std::int64_t all = (held_out_ ? held_out_->size() : 0) + (training_ ? training_->size() : 0);
  std::int64_t before = 0;
  for (const auto* set : {held_out_ ? &*held_out_ : nullptr, training_ ? &*training_ : nullptr}) {
    if (set == nullptr) continue;
    const bool training = training_ && set == &*training_;
    const EvaluationOptions options{.batch = config_.evaluate.batch,
                                    .precision = config_.precision,
                                    .retrieval_prefix = training ? "training/" : "retrieval/",
                                    .go_on = [&](std::int64_t done, std::int64_t /*total*/) {
                                      control_.working_on("evaluating", before + done * communicator_.size(), all,
                                                          training ? "training pictures" : "held-out pictures");
                                      return !control_.ending();
                                    }};
    DISCO_TRY(auto result, disco::evaluate(model, *set, options, communicator_));
    if (!result) return std::optional<std::map<std::string, double>>{};
    event.metrics.insert(result->metrics.begin(), result->metrics.end());
    event.seconds += result->seconds;
    event.samples += result->samples;
    before += set->size();
  }
  evaluation_seconds_ = event.seconds;
  take_if_best(event.metrics, state);
  event.best_metric = state.best_metric;
  event.best_value = state.best_value.value_or(0);
  event.best_step = state.best_step;
  events_.write(event);
  return std::optional(event.metrics);
}

void Judge::look(models::Model& model, std::int64_t step) {
  if (!watched_) return;
  const double began = steady_seconds();
  events_.write(
      PredictionEvent{.step = step, .items = watched_->predict(model, config_.precision, config_.evaluate.batch)});
  look_seconds_ = steady_seconds() - began;
}

}  // namespace disco
