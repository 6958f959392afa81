// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/run_watch_worker.h"

#include <algorithm>

#include "engine/base/clock.h"

namespace disco::ui {
namespace {

constexpr int poll_interval = 100;          // ms; polling is the rule, the file watcher only wakes it earlier
constexpr int reading_interval = 0;         // while a long file is read for the first time
constexpr int retry_interval = 5000;        // while the folder cannot be reached
constexpr int snapshot_interval = 40;       // at most 25 a second
constexpr int reading_snapshots = 200;      // fewer while reading: each makes the pages draw again
constexpr int starting_grace = 15000;       // an engine that was just started has no folder yet
constexpr int status_interval = 500;        // ages of steps and heartbeats move without events
constexpr std::uint64_t budget = 4U << 20;  // bytes a look
constexpr std::size_t most_answers = 64;
constexpr std::size_t most_warnings = 100000;
constexpr std::uint64_t worth_caching = 8U << 20;

}  // namespace

RunWatchWorker::RunWatchWorker(ColumnSourceFactory columns)
    : make_columns_(std::move(columns)), timer_(this), watcher_(this) {
  timer_.setTimerType(Qt::CoarseTimer);
  connect(&timer_, &QTimer::timeout, this, &RunWatchWorker::look);
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, [this] {
    if (since_poll_.elapsed() >= snapshot_interval) look();
  });
}

void RunWatchWorker::open(const std::filesystem::path& run) {
  close();
  if (run.empty()) return;
  reading_ = std::make_unique<Reading>(run);
  reading_->since_open.start();
  if (make_columns_) reading_->columns = make_columns_();
  read_files();
  if (reading_->columns) {
    const std::uint64_t offset = reading_->columns->restore(run, [this](const Event& event) { take(event); });
    if (offset > 0) reading_->tail = RunTail(run, offset);
  }
  since_snapshot_.invalidate();
  wake_on(run);
  timer_.start(reading_interval);
  look();
}

void RunWatchWorker::close() {
  timer_.stop();
  if (!watcher_.files().isEmpty()) watcher_.removePaths(watcher_.files());
  if (reading_ && reading_->columns && reading_->tail.offset() >= worth_caching)
    reading_->columns->save(reading_->folder.root(), reading_->tail.offset());
  reading_.reset();
}

void RunWatchWorker::wake_on(const std::filesystem::path& run) {
  watcher_.addPath(QString::fromStdString(RunFolder(run).events_path().string()));
}

void RunWatchWorker::read_files() {
  Reading& r = *reading_;
  if (!r.identity)
    if (auto identity = r.folder.identity()) r.identity = std::make_shared<const RunIdentity>(std::move(*identity));
  if (!r.config)
    if (auto config = r.folder.config()) r.config = std::make_shared<const RunConfig>(std::move(config->config));
}

void RunWatchWorker::look() {
  if (!reading_) return;
  if (!reading_->identity || !reading_->config) {
    read_files();
    // A run is opened the moment it is started, before its engine has made the folder: it begins anew once there is
    // something to read, so that nothing remembers the time without.
    if (reading_->identity && reading_->config) return open(std::filesystem::path(reading_->folder.root()));
  }
  Reading& r = *reading_;
  since_poll_.start();
  const std::uint64_t lines = r.progress.lines;
  const auto progress = r.tail.poll([this](Event&& event) { take(event); }, budget);
  if (progress) {
    r.progress = *progress;
    r.problem.reset();
    r.last_read = wall_seconds();
  } else {
    r.problem = progress.error();
  }
  if (watcher_.files().isEmpty()) wake_on(r.folder.root());
  const bool reading = !r.problem && !r.progress.caught_up;
  const bool first_end = !reading && !r.was_caught_up && !r.problem;
  if (first_end) {
    r.was_caught_up = true;
    if (r.columns && r.tail.offset() >= worth_caching) r.columns->save(r.folder.root(), r.tail.offset());
  }
  const int interval = r.problem ? retry_interval : reading ? reading_interval : poll_interval;
  if (timer_.interval() != interval) timer_.start(interval);
  const bool news = r.progress.lines != lines || r.problem.has_value() || first_end;
  const int least = reading ? reading_snapshots : news ? snapshot_interval : status_interval;
  if (!since_snapshot_.isValid() || since_snapshot_.elapsed() >= least) hand_over();
}

void RunWatchWorker::take(const Event& event) {
  Reading& r = *reading_;
  r.tracker.take(event);
  if (r.columns) r.columns->take(event);
  if (const auto* run = std::get_if<RunEvent>(&event)) {
    r.run = std::make_shared<const RunEvent>(*run);
  } else if (const auto* step = std::get_if<StepEvent>(&event)) {
    r.last_step = std::make_shared<const StepEvent>(*step);
  } else if (const auto* evaluation = std::get_if<EvaluationEvent>(&event)) {
    r.last_evaluation = std::make_shared<const EvaluationEvent>(*evaluation);
  } else if (const auto* prediction = std::get_if<PredictionEvent>(&event)) {
    r.predictions.items.push_back(std::make_shared<const PredictionEvent>(*prediction));
    r.predictions.dirty = true;
  } else if (const auto* checkpoint = std::get_if<CheckpointEvent>(&event)) {
    take_checkpoint(*checkpoint);
  } else if (const auto* warning = std::get_if<WarningEvent>(&event)) {
    if (r.warnings.items.size() < most_warnings) r.warnings.items.push_back(*warning);
    r.warnings.dirty = true;
  } else if (const auto* answer = std::get_if<CommandEvent>(&event)) {
    if (r.answers.items.size() >= most_answers) r.answers.items.erase(r.answers.items.begin());
    r.answers.items.push_back(*answer);
    r.answers.dirty = true;
  } else if (const auto* resumed = std::get_if<ResumedEvent>(&event)) {
    take_resumed(*resumed);
  }
}

void RunWatchWorker::take_resumed(const ResumedEvent& event) {
  Reading& r = *reading_;
  // What lies behind the step will be computed again.
  r.predictions.dirty |= std::erase_if(r.predictions.items, [&](const auto& p) { return p->step > event.step; }) > 0;
  r.checkpoints.dirty |= std::erase_if(r.checkpoints.items, [&](const auto& c) { return c.step > event.step; }) > 0;
  if (r.last_evaluation && r.last_evaluation->step > event.step) r.last_evaluation.reset();
  if (r.last_step && r.last_step->step > event.step) r.last_step.reset();
}

void RunWatchWorker::take_checkpoint(const CheckpointEvent& event) {
  auto& list = reading_->checkpoints;
  std::erase_if(list.items, [&event](const CheckpointEvent& old) {
    const bool removed = std::find(event.removed.begin(), event.removed.end(), old.path) != event.removed.end();
    return removed || old.path == event.path;
  });
  if (event.best)
    for (CheckpointEvent& old : list.items) old.best = false;
  list.items.push_back(event);
  list.dirty = true;
}

void RunWatchWorker::hand_over() {
  Reading& r = *reading_;
  r.predictions.refresh();
  r.checkpoints.refresh();
  r.warnings.refresh();
  r.answers.refresh();
  auto snapshot = std::make_shared<RunSnapshot>();
  snapshot->folder = r.folder.root();
  snapshot->sequence = ++sequence_;
  snapshot->status = r.tracker.status();
  if (!r.identity && r.since_open.elapsed() < starting_grace && !r.folder.exists())
    snapshot->status.state = ShownState::starting;
  snapshot->identity = r.identity;
  snapshot->config = r.config;
  snapshot->run = r.run;
  if (r.columns) {
    snapshot->steps = r.columns->steps();
    snapshot->evaluations = r.columns->evaluations();
  }
  snapshot->last_step = r.last_step;
  snapshot->last_evaluation = r.last_evaluation;
  snapshot->predictions = r.predictions.view;
  snapshot->checkpoints = r.checkpoints.view;
  snapshot->warnings = r.warnings.view;
  snapshot->answers = r.answers.view;
  snapshot->progress = r.progress;
  snapshot->problem = r.problem;
  snapshot->last_read = r.last_read;
  since_snapshot_.start();
  Q_EMIT ready(std::move(snapshot));
}

}  // namespace disco::ui
