// SPDX-License-Identifier: GPL-3.0-or-later
//
// The state of a run as it is shown: derived from the last state event, the lock and the age of the heartbeat, so that
// a killed engine shows as died and never as running.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/described.h"
#include "engine/run/events.h"

namespace disco {

enum class ShownState {
  starting,
  running,
  evaluating,
  saving,
  paused,
  stalled,
  diverged,
  finished,
  stopped,
  failed,
  died,
  unreadable
};
constexpr auto choices(std::type_identity<ShownState>) {
  return std::array{Choice{ShownState::starting, "starting", "Starting"},
                    Choice{ShownState::running, "running", "Running"},
                    Choice{ShownState::evaluating, "evaluating", "Evaluating"},
                    Choice{ShownState::saving, "saving", "Saving"},
                    Choice{ShownState::paused, "paused", "Paused"},
                    Choice{ShownState::stalled, "stalled", "Stalled"},
                    Choice{ShownState::diverged, "diverged", "Diverged"},
                    Choice{ShownState::finished, "finished", "Finished"},
                    Choice{ShownState::stopped, "stopped", "Stopped"},
                    Choice{ShownState::failed, "failed", "Failed"},
                    Choice{ShownState::died, "died", "Died"},
                    Choice{ShownState::unreadable, "unreadable", "Unreadable"}};
}

/// Whether an engine works on the run now.
[[nodiscard]] bool is_live(ShownState state);

/// What a list of runs and the run bar need to know.
struct RunStatus {
  std::string path;
  std::string id;
  std::string name;
  std::string model;
  std::string data;
  double created = 0;
  double last_activity = 0;
  ShownState state = ShownState::starting;
  std::string reason;  ///< of the last state event, or what made it unreadable
  std::string hint;
  std::string phase;  ///< of the last progress event while starting, evaluating or saving
  std::int64_t phase_done = 0;
  std::int64_t phase_total = 0;
  std::string phase_detail;
  std::int64_t step = 0;
  std::int64_t total_steps = 0;  ///< 0 = not known
  double budget_minutes = 0;
  std::int64_t saved_step = 0;  ///< of the last complete checkpoint; 0 = none
  std::int64_t best_step = 0;
  std::string best_metric;  ///< "matching/accuracy" or "retrieval/image_to_text_r1"
  std::optional<double> best_value;
  std::optional<double> loss;
  double started = 0;          ///< wall seconds of the first event
  double running_seconds = 0;  ///< in sessions, without pauses
  double step_seconds = 0;     ///< usual length of a step
  double seconds_since_step = 0;
  int process = 0;  ///< of the lock holder; 0 = nobody
  std::string host;
  std::optional<std::int64_t> not_finite_step;  ///< first of the not finite losses that last until now
};

constexpr auto describe(std::type_identity<RunStatus>) {
  using C = RunStatus;
  return std::tuple{field("path", &C::path),
                    field("id", &C::id),
                    field("name", &C::name),
                    field("model", &C::model),
                    field("data", &C::data),
                    field("created", &C::created),
                    field("last_activity", &C::last_activity),
                    field("state", &C::state),
                    field("reason", &C::reason),
                    field("hint", &C::hint),
                    field("phase", &C::phase),
                    field("phase_done", &C::phase_done),
                    field("phase_total", &C::phase_total),
                    field("phase_detail", &C::phase_detail),
                    field("step", &C::step),
                    field("total_steps", &C::total_steps),
                    field("budget_minutes", &C::budget_minutes),
                    field("saved_step", &C::saved_step),
                    field("best_step", &C::best_step),
                    field("best_metric", &C::best_metric),
                    field("best_value", &C::best_value),
                    field("loss", &C::loss),
                    field("started", &C::started),
                    field("running_seconds", &C::running_seconds),
                    field("step_seconds", &C::step_seconds),
                    field("seconds_since_step", &C::seconds_since_step),
                    field("process", &C::process),
                    field("host", &C::host),
                    field("not_finite_step", &C::not_finite_step)};
}
DISCO_DESCRIBED(RunStatus);

/// Builds a RunStatus from events as they come; also what follows the open run.
class StatusTracker {
 public:
  /// Reads run.json and config.json; what is wrong with them makes the status unreadable.
  explicit StatusTracker(const std::filesystem::path& run);
  void take(const Event& event);
  /// The status now: asks the lock and looks at ages by this computer's clock.
  [[nodiscard]] RunStatus status() const;

 private:
  void take_state(const StateEvent& event);
  void take_step(const StepEvent& event);
  void take_progress(const ProgressEvent& event);
  [[nodiscard]] ShownState derive(bool held, bool other_host) const;

  std::filesystem::path run_;
  RunStatus known_;  ///< what events and files said; status() adds what depends on now
  RunState state_ = RunState::starting;
  double heard_ = 0;         ///< steady seconds when the last event came in
  double idle_seconds_ = 0;  ///< of the last heartbeat
  double step_time_ = 0;     ///< wall seconds of the last step event
};

/// Status from the head and the tail of the event file alone, without reading all of it: a folder with 200 runs is
/// listed in a fraction of a second. Never an Error: what cannot be read is ShownState::unreadable with its reason.
[[nodiscard]] RunStatus summarise_run(const std::filesystem::path& run);

/// All runs directly inside a workspace folder (folders with a run.json), newest first.
[[nodiscard]] Result<std::vector<RunStatus>> list_runs(const std::filesystem::path& workspace);

/// The sentence for a status, as the run bar shows it and `run show` prints it (English).
[[nodiscard]] std::string status_sentence(const RunStatus& status);

}  // namespace disco
