// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/rank.h"

#include <torch/torch.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <thread>

#include "engine/base/clock.h"
#include "engine/data/loader.h"
#include "engine/data/source.h"
#include "engine/distributed/communicator.h"
#include "engine/train/budget.h"
#include "engine/train/checkpoint_folder.h"
#include "engine/train/event_log.h"
#include "engine/train/judge.h"
#include "engine/train/run_checkpoint.h"
#include "engine/train/run_control.h"
#include "engine/train/starting_model.h"
#include "engine/train/trainer.h"
#include "models/registry.h"

namespace disco {
namespace {

constexpr int exit_failed = 1;
constexpr int exit_lost_peer = 4;
/// An abort reaches every rank within this; a collective that fails earlier may be its consequence.
constexpr auto abort_grace = std::chrono::milliseconds(500);

std::uintmax_t commands_from(const RunFolder& run) {
  std::uintmax_t offset = CommandReader(run.root()).offset();
  if (const char* text = std::getenv("DISCO_COMMANDS_FROM"))
    std::from_chars(text, text + std::char_traits<char>::length(text), offset);
  return offset;
}

/// A rank of a run: everything that must live as long as training does, made step by step.
class Rank {
 public:
  Rank(const RunFolder& run, const RankOptions& options) : run_(run), options_(options), began_(steady_seconds()) {}

  int run();

 private:
  Result<void> configure();
  Result<RunState> train();
  Result<void> agree_on_checkpoint();
  Result<void> make_model();
  Result<void> restore(TrainerState& state);
  [[nodiscard]] Result<data::Loader> make_loader(const TrainerState& state) const;
  void set_budget(TrainerState& state, const data::Loader& loader);
  void introduce(const TrainerState& state);
  int fail(const Error& error);

  RunFolder run_;
  RankOptions options_;
  double began_;
  RunConfig config_;
  std::unique_ptr<Communicator> communicator_;
  std::unique_ptr<EventLog> events_ = EventLog::silent();
  std::optional<RunControl> control_;
  std::string checkpoint_;  ///< folder to go on from; empty = from the start
  std::shared_ptr<models::Model> model_;
  std::optional<AdamW> optimizer_;
  std::optional<data::DataSources> sources_;
};

Result<void> Rank::configure() {
  DISCO_TRY(LoadedConfig loaded, config_with_overrides(run_, options_.overrides));
  if (!loaded.problems.empty()) return tl::unexpected(to_error(loaded.problems, run_.config_path().string()));
  config_ = std::move(loaded.config);
  resolve_threads(config_);
  at::globalContext().setFlushDenormal(true);  // before worker threads start: they take it over
  at::set_num_threads(config_.compute_threads);
  const auto timeout = std::chrono::duration<double>(config_.distributed.timeout_seconds);
  DISCO_TRY(communicator_,
            communicator_from_environment(std::chrono::duration_cast<std::chrono::milliseconds>(timeout)));
  if (communicator_->rank() == 0) {
    DISCO_TRY(events_, EventLog::open(run_.events_path()));
  }
  control_.emplace(run_, *events_, communicator_->rank(), commands_from(run_));
  return {};
}

/// Rank 0 looks for the checkpoint to go on from and tells the others, so that all take the same.
Result<void> Rank::agree_on_checkpoint() {
  std::string answer = "-";
  std::optional<ResumePoint> point;
  Error problem;
  if (communicator_->rank() == 0) {
    remove_stale_checkpoints(run_);
    auto found = find_resume_point(run_);
    if (found && *found) answer = (*found)->folder.string();
    if (!found) answer = "!" + found.error().message();
    if (!found) problem = found.error();
    if (found) point = std::move(*found);
  }
  answer = communicator_->broadcast_bytes(answer, 0);
  if (answer.starts_with("!"))
    return tl::unexpected(communicator_->rank() == 0 ? problem : Error{answer.substr(1), "", ""});
  if (answer != "-") checkpoint_ = answer;
  if (!options_.resume) return {};
  events_->write(ResumedEvent{.step = point ? point->step : 0,
                              .checkpoint = point ? "checkpoints/" + point->folder.filename().string() : "",
                              .overrides = options_.overrides});
  if (point)
    for (const auto& damaged : point->damaged)
      events_->warn("damaged_checkpoint", "A later checkpoint was passed over: " + damaged, point->step);
  return {};
}

Result<void> Rank::make_model() {
  control_->working_on("building model");
  if (checkpoint_.empty()) {
    DISCO_TRY(model_, starting_model(config_));
  } else {
    DISCO_TRY(model_, models::load_model(checkpoint_));
  }
  model_->train();
  optimizer_.emplace(parameter_groups(*model_, config_.optimizer.weight_decay),
                     AdamWOptions{config_.optimizer.beta1, config_.optimizer.beta2, config_.optimizer.epsilon});
  return {};
}

/// Takes moments and counters from the checkpoint. What the overrides of this resume name wins over what was saved.
Result<void> Rank::restore(TrainerState& state) {
  state.seed = config_.seed;
  if (!checkpoint_.empty()) {
    const AdamWOptions wanted = optimizer_->options();
    DISCO_CHECK(load_optimizer(checkpoint_, *optimizer_));
    DISCO_TRY(state, load_trainer_state(checkpoint_));
    for (const auto& item : options_.overrides)
      if (item.starts_with("optimizer.")) optimizer_->set_options(wanted);
    if (state.data_fingerprint != sources_->train->fingerprint())
      events_->warn("data_changed", "The data is not what it was when the run was saved; it goes on with what is there",
                    state.step);
  }
  state.data_fingerprint = sources_->train->fingerprint();
  return {};
}

/// A budget in steps, samples or epochs as a number of steps; what was measured or planned before holds, unless this
/// resume names another budget.
void Rank::set_budget(TrainerState& state, const data::Loader& loader) {
  const bool new_budget = std::any_of(options_.overrides.begin(), options_.overrides.end(),
                                      [](const std::string& item) { return item.starts_with("budget."); });
  if (state.total_steps > 0 && new_budget)
    events_->warn("new_budget", "The budget was changed; the learning rate follows the schedule of the new one",
                  state.step);
  if (state.total_steps > 0 && !new_budget) return;
  const double epochs_per_step = loader.epoch_of(1);
  state.total_steps = steps_of_budget(config_.budget, config_.batch.size,
                                      epochs_per_step > 0 ? std::optional(1 / epochs_per_step) : std::nullopt);
}

/// The event that tells readers what is trained.
void Rank::introduce(const TrainerState& state) {
  if (communicator_->rank() != 0) return;
  RunEvent event;
  if (const auto identity = run_.identity()) event.name = identity->name;
  event.model = model_label(config_.model);
  event.data = data_label(config_.data);
  for (const auto& parameter : model_->parameters()) event.parameters += parameter.numel();
  event.training_samples = sources_->train->size().value_or(0);
  event.held_out_samples = sources_->validation ? sources_->validation->size().value_or(0) : 0;
  event.batch = config_.batch.size;
  std::int64_t near_misses = 0;
  if (const auto sample = sources_->train->read(0))
    near_misses = std::min<std::int64_t>(config_.data.negatives_per_picture, std::ssize(sample->negatives));
  const bool shared = config_.objective.extra_negatives == ExtraNegatives::shared;
  event.negatives = event.batch - 1 + near_misses * (shared ? event.batch : 1);
  event.total_steps = state.total_steps;
  event.ranks = communicator_->size();
  event.compute_threads = config_.compute_threads;
  events_->write(event);
}

Result<data::Loader> Rank::make_loader(const TrainerState& state) const {
  const models::InputContract& input = model_->input();
  return data::Loader::create(sources_->train, {.batch_size = config_.batch.size,
                                                .rank = communicator_->rank(),
                                                .world = communicator_->size(),
                                                .threads = config_.data.loader_threads,
                                                .seed = config_.seed,
                                                .start_step = state.step,
                                                .preprocess = input.image,
                                                .tokenizer = input.tokenizer,
                                                .context_length = input.context_length,
                                                .augment = config_.data.augment,
                                                .negatives = config_.data.negatives_per_picture,
                                                .largest_bad_share = config_.data.largest_bad_share});
}

Result<RunState> Rank::train() {
  DISCO_CHECK(agree_on_checkpoint());
  DISCO_CHECK(make_model());
  control_->working_on("reading data");
  DISCO_TRY(sources_,
            data::open_sources(config_.data, {.seed = config_.seed, .picture_size = model_->input().image.size}));
  TrainerState state;
  DISCO_CHECK(restore(state));
  DISCO_TRY(data::Loader loader, make_loader(state));
  set_budget(state, loader);
  introduce(state);
  Judge judge(config_, *sources_, model_->input(), *communicator_, *control_, *events_);
  DISCO_CHECK(judge.watch(*sources_, run_, model_->input()));
  Trainer trainer({.run = run_,
                   .config = config_,
                   .communicator = *communicator_,
                   .control = *control_,
                   .events = *events_,
                   .model = *model_,
                   .optimizer = *optimizer_,
                   .loader = loader,
                   .judge = judge,
                   .began = began_,
                   .saved_step = checkpoint_.empty() ? 0 : state.step},
                  state);
  return trainer.run();
}

int Rank::fail(const Error& error) {
  std::fprintf(stderr, "%s\n", error.message().c_str());
  if (control_)
    control_->state(RunState::failed, control_->step(),
                    error.where.empty() ? error.what : error.where + ": " + error.what, error.hint);
  return exit_failed;
}

int Rank::run() {
  // The one place where LibTorch's exceptions end.
  try {
    if (auto configured = configure(); !configured) return fail(configured.error());
    const auto ended = train();
    return ended ? 0 : fail(ended.error());
  } catch (const CommunicationError& error) {
    std::this_thread::sleep_for(abort_grace);
    std::fprintf(stderr, "%s\n", error.what());
    return exit_lost_peer;
  } catch (const std::bad_alloc&) {
    return fail({"there is not enough memory", "", "Use a smaller batch.size or model."});
  } catch (const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    if (text.find("not enough memory") != std::string::npos)
      return fail({"there is not enough memory", "", "Use a smaller batch.size or model."});
    return fail({"LibTorch reports: " + text, "", ""});
  } catch (const std::exception& error) {
    return fail({error.what(), "", ""});
  }
}

}  // namespace

int run_rank(const RunFolder& run, const RankOptions& options) {
  RunControl::catch_signals();
  return Rank(run, options).run();
}

}  // namespace disco
