// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/run_status.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "engine/base/clock.h"
#include "engine/base/number.h"
#include "engine/run/run_folder.h"

namespace disco {
namespace fs = std::filesystem;

namespace {

constexpr double starting_grace_seconds = 15;  ///< a new run may take this long to take its lock
constexpr double silence_seconds = 10;         ///< on another computer: no event for this long means it is gone
constexpr double shortest_stall_seconds = 30;
constexpr double stall_steps = 20;           ///< a step this many times as long as usual is a stall
constexpr double phase_stall_seconds = 120;  ///< what is no step reports less often: a batch judged on a slow computer
constexpr std::size_t head_bytes = 64U << 10;
constexpr std::size_t tail_bytes = 64U << 10;
constexpr std::size_t evaluation_search_bytes = 4U << 20;

bool working(RunState state) {
  return state == RunState::starting || state == RunState::running || state == RunState::evaluating ||
         state == RunState::saving;
}

std::string percent(double share) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%d.%d", static_cast<int>(share * 100),
                static_cast<int>(std::lround(share * 1000)) % 10);
  return std::string(text.data()) + " %";
}

}  // namespace

bool is_live(ShownState state) {
  return state == ShownState::starting || state == ShownState::running || state == ShownState::evaluating ||
         state == ShownState::saving || state == ShownState::stalled || state == ShownState::diverged;
}

StatusTracker::StatusTracker(const fs::path& run) : run_(run), heard_(steady_seconds()) {
  const RunFolder folder(run);
  known_.path = run.string();
  known_.name = run.filename().string();
  const auto identity = folder.identity();
  if (!identity) {
    known_.state = ShownState::unreadable;
    known_.reason = identity.error().message();
    return;
  }
  known_.id = identity->id;
  if (!identity->name.empty()) known_.name = identity->name;
  known_.created = known_.last_activity = identity->created;
  known_.host = identity->host;
  const auto config = folder.config();
  if (!config) {
    known_.state = ShownState::unreadable;
    known_.reason = config.error().message();
    return;
  }
  known_.model = model_label(config->config.model);
  known_.data = data_label(config->config.data);
  known_.total_steps = config->config.budget.steps;
  known_.budget_minutes = config->config.budget.minutes;
}

void StatusTracker::take_state(const StateEvent& event) {
  state_ = event.state;
  idle_seconds_ = 0;
  known_.reason = event.reason;
  known_.hint = event.hint;
  if (event.step > 0) known_.step = event.step;
  if (event.state == RunState::running) known_.phase.clear();
}

void StatusTracker::take_step(const StepEvent& event) {
  known_.step = event.step;
  known_.loss = event.loss;
  idle_seconds_ = 0;
  known_.step_seconds =
      known_.step_seconds == 0 ? event.seconds.total : 0.9 * known_.step_seconds + 0.1 * event.seconds.total;
  step_time_ = event.time;
  if (std::isfinite(event.loss))
    known_.not_finite_step.reset();
  else if (!known_.not_finite_step)
    known_.not_finite_step = event.step;
}

void StatusTracker::take_progress(const ProgressEvent& event) {
  idle_seconds_ = 0;
  known_.phase = event.phase;
  known_.phase_done = event.done;
  known_.phase_total = event.total;
  known_.phase_detail = event.detail;
}

void StatusTracker::take(const Event& event) {
  heard_ = steady_seconds();
  known_.last_activity = std::max(known_.last_activity, time_of(event));
  if (known_.started == 0) known_.started = time_of(event);
  if (const auto* run = std::get_if<RunEvent>(&event)) {
    if (!run->model.empty()) known_.model = run->model;
    if (!run->data.empty()) known_.data = run->data;
    if (run->total_steps > 0) known_.total_steps = run->total_steps;
  } else if (const auto* state = std::get_if<StateEvent>(&event)) {
    take_state(*state);
  } else if (const auto* step = std::get_if<StepEvent>(&event)) {
    take_step(*step);
  } else if (const auto* evaluation = std::get_if<EvaluationEvent>(&event)) {
    if (!evaluation->best_metric.empty()) {
      known_.best_metric = evaluation->best_metric;
      known_.best_value = evaluation->best_value;
      known_.best_step = evaluation->best_step;
    }
  } else if (const auto* progress = std::get_if<ProgressEvent>(&event)) {
    take_progress(*progress);
  } else if (const auto* beat = std::get_if<HeartbeatEvent>(&event)) {
    idle_seconds_ = beat->idle_seconds;
    if (beat->total_steps > 0) known_.total_steps = beat->total_steps;
    known_.running_seconds = beat->running_seconds;
  } else if (const auto* budget = std::get_if<BudgetEvent>(&event)) {
    known_.total_steps = budget->total_steps;
  } else if (const auto* resumed = std::get_if<ResumedEvent>(&event)) {
    known_.step = resumed->step;
    known_.not_finite_step.reset();
    state_ = RunState::starting;
  }
}

ShownState StatusTracker::derive(bool held, bool other_host) const {
  const bool alive = held || (other_host && steady_seconds() - heard_ < silence_seconds);
  switch (state_) {
    case RunState::finished:
      return ShownState::finished;
    case RunState::stopped:
      return ShownState::stopped;
    case RunState::failed:
      return ShownState::failed;
    case RunState::paused:
      return ShownState::paused;
    default:
      break;
  }
  if (!alive) {
    const bool new_run = known_.started == 0 && wall_seconds() - known_.created < starting_grace_seconds;
    return new_run ? ShownState::starting : ShownState::died;
  }
  if (known_.not_finite_step && state_ == RunState::running) return ShownState::diverged;
  const bool stepping = state_ == RunState::running && known_.step_seconds > 0;
  const double patience =
      stepping ? std::max(shortest_stall_seconds, stall_steps * known_.step_seconds) : phase_stall_seconds;
  if (idle_seconds_ > patience) return ShownState::stalled;
  switch (state_) {
    case RunState::evaluating:
      return ShownState::evaluating;
    case RunState::saving:
      return ShownState::saving;
    case RunState::running:
      return known_.step > 0 || known_.phase.empty() ? ShownState::running : ShownState::starting;
    default:
      return ShownState::starting;
  }
}

RunStatus StatusTracker::status() const {
  RunStatus now = known_;
  if (now.state == ShownState::unreadable) return now;
  const RunFolder folder(run_);
  const auto holder = folder.lock_holder();
  if (holder) {
    now.process = holder->process;
    now.host = holder->host;
  }
  now.state = derive(holder.has_value(), !now.host.empty() && now.host != host_name());
  const auto steps = folder.checkpoint_steps();
  now.saved_step = steps.empty() ? 0 : steps.back();
  // Before the first step: since anything moved.
  if (working(state_))
    now.seconds_since_step = step_time_ > 0 ? std::max(0.0, wall_seconds() - step_time_) : idle_seconds_;
  if (now.state == ShownState::died && now.reason.empty())
    now.reason = now.started == 0 ? "The engine never started" : "The engine ended without a last word";
  return now;
}

namespace {

/// Feeds whole lines of `text` to the tracker, each kind's last one only mattering where it is overwritten anyway.
void take_lines(StatusTracker& tracker, std::string_view text) {
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string_view::npos; begin = end + 1)
    if (auto event = parse_event(text.substr(begin, end - begin)); event && *event) tracker.take(**event);
}

std::string read_range(std::ifstream& file, std::uint64_t from, std::size_t count) {
  std::string text(count, '\0');
  file.clear();
  file.seekg(static_cast<std::streamoff>(from));
  file.read(text.data(), static_cast<std::streamsize>(count));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

/// The last line of an evaluation in front of `end`, searched backwards without parsing.
std::string last_evaluation(std::ifstream& file, std::uint64_t end) {
  static constexpr std::string_view mark = "{\"kind\":\"evaluation\"";
  const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(end, evaluation_search_bytes));
  const std::string text = read_range(file, end - count, count);
  const auto at = text.rfind(mark);
  if (at == std::string::npos) return "";
  return text.substr(at, text.find('\n', at) - at);
}

}  // namespace

RunStatus summarise_run(const fs::path& run) {
  StatusTracker tracker(run);
  if (tracker.status().state == ShownState::unreadable) return tracker.status();
  const fs::path path = RunFolder(run).events_path();
  std::error_code code;
  const std::uint64_t size = fs::file_size(path, code);
  std::ifstream file(path, std::ios::binary);
  if (code || !file) return tracker.status();
  const std::string head = read_range(file, 0, static_cast<std::size_t>(std::min<std::uint64_t>(size, head_bytes)));
  if (size <= head_bytes) {
    take_lines(tracker, head);
    return tracker.status();
  }
  take_lines(tracker, std::string_view(head).substr(0, head.find('\n') + 1));
  const std::uint64_t from = std::max<std::uint64_t>(head_bytes / 2, size - tail_bytes);
  if (auto event = parse_event(last_evaluation(file, from)); event && *event) tracker.take(**event);
  const std::string tail = read_range(file, from, static_cast<std::size_t>(size - from));
  take_lines(tracker, std::string_view(tail).substr(std::min(tail.size(), tail.find('\n') + 1)));
  return tracker.status();
}

Result<std::vector<RunStatus>> list_runs(const fs::path& workspace) {
  std::error_code code;
  std::vector<RunStatus> runs;
  if (!fs::exists(workspace, code)) return runs;
  for (auto entry = fs::directory_iterator(workspace, code); !code && entry != fs::directory_iterator();
       entry.increment(code))
    if (fs::exists(entry->path() / "run.json", code)) runs.push_back(summarise_run(entry->path()));
  if (code)
    return failure("cannot be read: " + code.message(), workspace.string(),
                   "Make it readable, or choose another workspace.");
  std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.created > b.created; });
  return runs;
}

std::string status_sentence(const RunStatus& s) {
  const std::string at = "step " + grouped_text(s.step);
  switch (s.state) {
    case ShownState::starting: {
      if (s.phase.empty()) return "Starting";
      std::string text = "Starting: " + s.phase;
      if (s.phase_total > 0) text += ", " + grouped_text(s.phase_done) + " of " + grouped_text(s.phase_total);
      return text;
    }
    case ShownState::running: {
      if (s.total_steps <= 0) return "S" + at.substr(1);
      const double left = s.step_seconds * static_cast<double>(std::max<std::int64_t>(0, s.total_steps - s.step));
      const auto share = 100 * s.step / std::max<std::int64_t>(1, s.total_steps);
      return "S" + at.substr(1) + " of " + grouped_text(s.total_steps) + " · " + std::to_string(share) + " % · " +
             duration_text(left) + " left";
    }
    case ShownState::evaluating:
      return s.phase_total > 0
                 ? "Evaluating: " + grouped_text(s.phase_done) + " of " + grouped_text(s.phase_total) + " pictures"
                 : "Evaluating";
    case ShownState::saving:
      return "Saving step " + grouped_text(s.step);
    case ShownState::paused:
      return "Paused at " + at + ". Memory is given back; Resume goes on exactly here.";
    case ShownState::stalled:
      return "No step for " + duration_text(s.seconds_since_step) +
             (s.step_seconds > 0 ? "; usually " + number_text(std::round(s.step_seconds * 10) / 10) + " s." : ".") +
             (s.phase.empty() ? "" : " Phase: " + s.phase + ".");
    case ShownState::diverged:
      return "Loss is not finite since step " + grouped_text(s.not_finite_step.value_or(s.step)) +
             ". The steps were not applied" +
             (s.saved_step > 0 ? "; checkpoint " + grouped_text(s.saved_step) + " is healthy." : ".");
    case ShownState::finished: {
      std::string text = "Finished in " + duration_text(s.running_seconds) + ".";
      if (s.best_value)
        text += " Best " + s.best_metric + " " + percent(*s.best_value) + " at step " + grouped_text(s.best_step) + ".";
      return text;
    }
    case ShownState::stopped:
      return "Stopped at " + at + (s.saved_step == s.step && s.step > 0 ? " and saved." : ".");
    case ShownState::failed:
      return s.reason.empty() ? "Failed at " + at + "." : s.reason;
    case ShownState::died:
      return s.reason + (s.step > 0 ? " after " + at : "") + ". " +
             (s.saved_step > 0 ? "Saved up to step " + grouped_text(s.saved_step) + "." : "Nothing was saved.");
    case ShownState::unreadable:
      return s.reason;
  }
  return "";
}

}  // namespace disco
