// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the engine says: one JSON object a line in events.jsonl, written by rank 0, read by everyone. The struct is the
// format: its keys, in order, with "kind" before them. Units are seconds, bytes and samples. Readers ignore keys they
// do not know, so that an older studio can watch a newer engine.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/described.h"
#include "engine/base/error.h"
#include "engine/base/json.h"

namespace disco {

/// The first event: what is about to be trained, in words and numbers a reader needs without config.json.
struct RunEvent {
  double time = 0;
  std::string name;
  std::string model;
  std::string data;
  std::int64_t parameters = 0;
  std::int64_t training_samples = 0;  ///< 0 = endless
  std::int64_t held_out_samples = 0;
  std::int64_t batch = 0;
  std::int64_t negatives = 0;    ///< wrong captions that each picture is compared with in a step
  std::int64_t total_steps = 0;  ///< 0 = not known yet (a budget in minutes)
  int ranks = 1;
  int compute_threads = 1;
};

enum class RunState { starting, running, evaluating, saving, paused, finished, stopped, failed };
constexpr auto choices(std::type_identity<RunState>) {
  return std::array{Choice{RunState::starting, "starting", "Starting"},
                    Choice{RunState::running, "running", "Running"},
                    Choice{RunState::evaluating, "evaluating", "Evaluating"},
                    Choice{RunState::saving, "saving", "Saving"},
                    Choice{RunState::paused, "paused", "Paused"},
                    Choice{RunState::finished, "finished", "Finished"},
                    Choice{RunState::stopped, "stopped", "Stopped"},
                    Choice{RunState::failed, "failed", "Failed"}};
}

struct StateEvent {
  double time = 0;
  RunState state = RunState::starting;
  std::int64_t step = 0;
  std::string reason;  ///< a sentence; for failed: what happened
  std::string hint;    ///< what to do about it
};

struct StepSeconds {
  double data = 0;
  double copy = 0;
  double forward = 0;
  double loss = 0;
  double backward = 0;
  double communication = 0;  ///< not hidden behind backward
  double optimizer = 0;
  double other = 0;
  double total = 0;  ///< the sum of the parts: the wall time of the step
};

struct StepMemory {
  std::int64_t host = 0;  ///< resident, all ranks of this computer
  std::int64_t device_allocated = 0;
  std::int64_t device_reserved = 0;
  std::int64_t device_peak = 0;
};

struct StepEvent {
  double time = 0;
  std::int64_t step = 0;  ///< 1 = after the first applied step
  double epoch = 0;
  std::int64_t samples = 0;
  double loss = 0;
  std::map<std::string, double> losses;         ///< image_to_text, text_to_image
  std::map<std::string, double> learning_rate;  ///< image, text
  double gradient_norm = 0;                     ///< before clipping
  double logit_scale = 0;                       ///< s, not its logarithm
  double samples_per_second = 0;
  bool applied = true;  ///< false: gradients were not finite and the weights stayed
  StepSeconds seconds;
  StepMemory memory;
};

struct EvaluationEvent {
  double time = 0;
  std::int64_t step = 0;
  double seconds = 0;
  std::int64_t samples = 0;
  std::map<std::string, double> metrics;  ///< "matching/accuracy", "retrieval/image_to_text_r1" …, shares of 1
  std::string best_metric;                ///< the one by which checkpoints are compared
  double best_value = 0;                  ///< its best finite value so far, this evaluation included
  std::int64_t best_step = 0;
};

struct PredictionItem {
  std::string id;     ///< hash of the picture's content: the same picture in every event
  std::string image;  ///< path inside the run folder, at least 384 px
  std::string view;   ///< path inside the run folder: the picture as the model sees it
  std::vector<std::string> candidates;
  std::vector<std::string> differs;  ///< per candidate: "" for the right one, else what was changed
  std::vector<double> probabilities;
  int correct = 0;
};

struct PredictionEvent {
  double time = 0;
  std::int64_t step = 0;
  std::vector<PredictionItem> items;
};

struct ProgressEvent {
  double time = 0;
  std::string phase;  ///< "reading data", "building model", "measuring", "evaluating", "saving"
  std::int64_t done = 0;
  std::int64_t total = 0;  ///< 0 = not known
  std::string detail;
};

struct CheckpointEvent {
  double time = 0;
  std::int64_t step = 0;
  std::string path;  ///< inside the run folder
  std::int64_t bytes = 0;
  double seconds = 0;
  std::map<std::string, double> metrics;
  bool best = false;
  std::vector<std::string> removed;  ///< checkpoints that made room for it
};

struct WarningEvent {
  double time = 0;
  std::string code;  ///< "bad_sample", "not_finite", "data_wait", "clamped_schedule" …
  std::string message;
  std::int64_t count = 1;
  std::int64_t step = 0;
};

struct HeartbeatEvent {
  double time = 0;
  std::string phase;
  std::int64_t step = 0;
  std::int64_t total_steps = 0;  ///< 0 = not known yet
  double running_seconds = 0;    ///< of all sessions so far, pauses left out
  double idle_seconds = 0;       ///< since the last sign of progress: a hung trainer does not look alive
};

/// A resumed engine goes on behind this step; readers drop earlier step events that lie behind it.
struct ResumedEvent {
  double time = 0;
  std::int64_t step = 0;
  std::string checkpoint;
  std::vector<std::string> overrides;  ///< path=value as given to this resume
};

struct BudgetEvent {
  double time = 0;
  std::int64_t total_steps = 0;
  double step_seconds = 0;  ///< as measured
};

/// The answer to a command.
struct CommandEvent {
  double time = 0;
  std::string id;
  std::string command;
  bool accepted = true;
  std::string message;
};

constexpr auto describe(std::type_identity<RunEvent>) {
  using C = RunEvent;
  return std::tuple{field("time", &C::time),
                    field("name", &C::name),
                    field("model", &C::model),
                    field("data", &C::data),
                    field("parameters", &C::parameters),
                    field("training_samples", &C::training_samples),
                    field("held_out_samples", &C::held_out_samples),
                    field("batch", &C::batch),
                    field("negatives", &C::negatives),
                    field("total_steps", &C::total_steps),
                    field("ranks", &C::ranks),
                    field("compute_threads", &C::compute_threads)};
}
constexpr auto describe(std::type_identity<StateEvent>) {
  using C = StateEvent;
  return std::tuple{field("time", &C::time), field("state", &C::state), field("step", &C::step),
                    field("reason", &C::reason), field("hint", &C::hint)};
}
constexpr auto describe(std::type_identity<StepSeconds>) {
  using C = StepSeconds;
  return std::tuple{
      field("data", &C::data),           field("copy", &C::copy),         field("forward", &C::forward),
      field("loss", &C::loss),           field("backward", &C::backward), field("communication", &C::communication),
      field("optimizer", &C::optimizer), field("other", &C::other),       field("total", &C::total)};
}
constexpr auto describe(std::type_identity<StepMemory>) {
  using C = StepMemory;
  return std::tuple{field("host", &C::host), field("device_allocated", &C::device_allocated),
                    field("device_reserved", &C::device_reserved), field("device_peak", &C::device_peak)};
}
constexpr auto describe(std::type_identity<StepEvent>) {
  using C = StepEvent;
  return std::tuple{field("time", &C::time),
                    field("step", &C::step),
                    field("epoch", &C::epoch),
                    field("samples", &C::samples),
                    field("loss", &C::loss),
                    field("losses", &C::losses),
                    field("learning_rate", &C::learning_rate),
                    field("gradient_norm", &C::gradient_norm),
                    field("logit_scale", &C::logit_scale),
                    field("samples_per_second", &C::samples_per_second),
                    field("applied", &C::applied),
                    field("seconds", &C::seconds),
                    field("memory", &C::memory)};
}
constexpr auto describe(std::type_identity<EvaluationEvent>) {
  using C = EvaluationEvent;
  return std::tuple{field("time", &C::time),
                    field("step", &C::step),
                    field("seconds", &C::seconds),
                    field("samples", &C::samples),
                    field("metrics", &C::metrics),
                    field("best_metric", &C::best_metric),
                    field("best_value", &C::best_value),
                    field("best_step", &C::best_step)};
}
constexpr auto describe(std::type_identity<PredictionItem>) {
  using C = PredictionItem;
  return std::tuple{field("id", &C::id),           field("image", &C::image),
                    field("view", &C::view),       field("candidates", &C::candidates),
                    field("differs", &C::differs), field("probabilities", &C::probabilities),
                    field("correct", &C::correct)};
}
constexpr auto describe(std::type_identity<PredictionEvent>) {
  using C = PredictionEvent;
  return std::tuple{field("time", &C::time), field("step", &C::step), field("items", &C::items)};
}
constexpr auto describe(std::type_identity<ProgressEvent>) {
  using C = ProgressEvent;
  return std::tuple{field("time", &C::time), field("phase", &C::phase), field("done", &C::done),
                    field("total", &C::total), field("detail", &C::detail)};
}
constexpr auto describe(std::type_identity<CheckpointEvent>) {
  using C = CheckpointEvent;
  return std::tuple{field("time", &C::time),   field("step", &C::step),       field("path", &C::path),
                    field("bytes", &C::bytes), field("seconds", &C::seconds), field("metrics", &C::metrics),
                    field("best", &C::best),   field("removed", &C::removed)};
}
constexpr auto describe(std::type_identity<WarningEvent>) {
  using C = WarningEvent;
  return std::tuple{field("time", &C::time), field("code", &C::code), field("message", &C::message),
                    field("count", &C::count), field("step", &C::step)};
}
constexpr auto describe(std::type_identity<HeartbeatEvent>) {
  using C = HeartbeatEvent;
  return std::tuple{field("time", &C::time),
                    field("phase", &C::phase),
                    field("step", &C::step),
                    field("total_steps", &C::total_steps),
                    field("running_seconds", &C::running_seconds),
                    field("idle_seconds", &C::idle_seconds)};
}
constexpr auto describe(std::type_identity<ResumedEvent>) {
  using C = ResumedEvent;
  return std::tuple{field("time", &C::time), field("step", &C::step), field("checkpoint", &C::checkpoint),
                    field("overrides", &C::overrides)};
}
constexpr auto describe(std::type_identity<BudgetEvent>) {
  using C = BudgetEvent;
  return std::tuple{field("time", &C::time), field("total_steps", &C::total_steps),
                    field("step_seconds", &C::step_seconds)};
}
constexpr auto describe(std::type_identity<CommandEvent>) {
  using C = CommandEvent;
  return std::tuple{field("time", &C::time), field("id", &C::id), field("command", &C::command),
                    field("accepted", &C::accepted), field("message", &C::message)};
}

DISCO_DESCRIBED(RunEvent);
DISCO_DESCRIBED(StateEvent);
DISCO_DESCRIBED(StepSeconds);
DISCO_DESCRIBED(StepMemory);
DISCO_DESCRIBED(StepEvent);
DISCO_DESCRIBED(EvaluationEvent);
DISCO_DESCRIBED(PredictionItem);
DISCO_DESCRIBED(PredictionEvent);
DISCO_DESCRIBED(ProgressEvent);
DISCO_DESCRIBED(CheckpointEvent);
DISCO_DESCRIBED(WarningEvent);
DISCO_DESCRIBED(HeartbeatEvent);
DISCO_DESCRIBED(ResumedEvent);
DISCO_DESCRIBED(BudgetEvent);
DISCO_DESCRIBED(CommandEvent);

/// All kinds; the alternative decides the value of "kind" (event_kinds, in the same order).
using Event = std::variant<RunEvent, StateEvent, StepEvent, EvaluationEvent, PredictionEvent, ProgressEvent,
                           CheckpointEvent, WarningEvent, HeartbeatEvent, ResumedEvent, BudgetEvent, CommandEvent>;
inline constexpr std::array<std::string_view, std::variant_size_v<Event>> event_kinds{
    "run",        "state",   "step",      "evaluation", "prediction", "progress",
    "checkpoint", "warning", "heartbeat", "resumed",    "budget",     "command"};

/// One line without its newline. A time of 0 is replaced by now.
[[nodiscard]] std::string event_line(const Event& event);

/// Reads one line. Nothing for a kind this version does not know; an Error for a line that is not an event.
[[nodiscard]] Result<std::optional<Event>> parse_event(std::string_view line);

/// The time of any event.
[[nodiscard]] double time_of(const Event& event);

}  // namespace disco
