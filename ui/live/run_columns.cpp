// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/run_columns.h"

#include <QStandardPaths>
#include <algorithm>
#include <limits>

#include "engine/base/hash.h"
#include "engine/run/run_folder.h"
#include "ui/live/column_cache.h"
#include "ui/live/column_source.h"

namespace disco::ui {
namespace {

/// Below this a file is parsed faster than anyone notices.
constexpr std::uint64_t smallest_cached_run = 20'000;

}  // namespace

RunColumns::RunColumns(std::filesystem::path cache) : cache_(std::move(cache)) { resolve(); }

void RunColumns::resolve() {
  losses_.clear();
  rates_.clear();
  seconds_.clear();
  device_memory_ = Columns::none;
  loss_ = step_builder_.metric("loss");
  gradient_norm_ = step_builder_.metric("gradient_norm");
  logit_scale_ = step_builder_.metric("logit_scale");
  speed_ = step_builder_.metric("samples_per_second");
  for_each_field<StepSeconds>(
      [&](const auto& f) { seconds_.push_back(step_builder_.metric("seconds/" + std::string(f.key))); });
  host_memory_ = step_builder_.metric("memory/host");
}

void RunColumns::put(std::size_t metric, double value) {
  if (metric >= row_.values.size()) row_.values.resize(metric + 1, absent());
  row_.values[metric] = value;
}

void RunColumns::put_all(const std::map<std::string, double>& values, const char* prefix, Named& known) {
  std::size_t place = 0;
  for (const auto& [key, value] : values) {
    // The keys of one step are almost always those of the step before.
    if (place >= known.size() || known[place].first != key) {
      known.resize(place);
      known.emplace_back(key, step_builder_.metric(prefix + key));
    }
    put(known[place++].second, value);
  }
}

void RunColumns::take_step(const StepEvent& event) {
  row_.step = static_cast<double>(event.step);
  row_.samples = static_cast<double>(event.samples);
  row_.time = event.time;
  row_.seconds = event.seconds.total;
  row_.values.assign(step_builder_.metric_count(), absent());
  put(loss_, event.loss);
  put(gradient_norm_, event.gradient_norm);
  put(logit_scale_, event.logit_scale);
  put(speed_, event.samples_per_second);
  put_all(event.losses, "losses/", losses_);
  put_all(event.learning_rate, "learning_rate/", rates_);
  std::size_t part = 0;
  for_each_field<StepSeconds>([&](const auto& f) { put(seconds_[part++], event.seconds.*(f.member)); });
  put(host_memory_, static_cast<double>(event.memory.host));
  if (event.memory.device_peak > 0) {
    if (device_memory_ == Columns::none) device_memory_ = step_builder_.metric("memory/device_peak");
    put(device_memory_, static_cast<double>(event.memory.device_peak));
  }
  step_builder_.append(row_);
  last_step_ = event;
  steps_.reset();
}

void RunColumns::take_evaluation(const EvaluationEvent& event) {
  const Line line = step_builder_.view().line;
  StepRow row;
  row.step = static_cast<double>(event.step);
  row.time = event.time;
  row.samples = line.x_of_step(XAxis::samples, row.step);
  row.relative = line.x_of_step(XAxis::relative, row.step);
  for (const auto& [name, value] : event.metrics) {
    const std::size_t metric = evaluation_builder_.metric(name);
    row.values.resize(std::max(row.values.size(), metric + 1), absent());
    row.values[metric] = value;
  }
  evaluation_builder_.append(row);
  evaluations_.reset();
}

void RunColumns::take(const Event& event) {
  if (restoring_) return;  // the replayed events are known already
  if (const auto* step = std::get_if<StepEvent>(&event)) return take_step(*step);
  if (std::holds_alternative<ProgressEvent>(event)) return;
  if (std::holds_alternative<HeartbeatEvent>(event)) {
    last_heartbeat_ = event_line(event);
    return;
  }
  if (const auto* evaluation = std::get_if<EvaluationEvent>(&event)) take_evaluation(*evaluation);
  if (const auto* resumed = std::get_if<ResumedEvent>(&event)) {
    step_builder_.resume(static_cast<double>(resumed->step));
    evaluation_builder_.resume(static_cast<double>(resumed->step));
    steps_.reset();
    evaluations_.reset();
  }
  if (const auto* state = std::get_if<StateEvent>(&event); state && state->state == RunState::paused)
    step_builder_.pause();
  side_lines_.push_back(event_line(event));
}

std::shared_ptr<const Columns> RunColumns::steps() {
  if (!steps_) steps_ = std::make_shared<Columns>(step_builder_.view());
  return steps_;
}

std::shared_ptr<const Columns> RunColumns::evaluations() {
  if (!evaluations_) evaluations_ = std::make_shared<Columns>(evaluation_builder_.view());
  return evaluations_;
}

std::filesystem::path RunColumns::cache_file(const std::filesystem::path& run) const {
  if (cache_.empty()) return {};
  const auto identity = RunFolder(run).identity();
  if (!identity || identity->id.empty()) return {};
  // The id comes from a file: it names no path.
  return cache_ / (hash128_hex(std::as_bytes(std::span(identity->id))) + ".columns");
}

std::uint64_t RunColumns::restore(const std::filesystem::path& run, const std::function<void(const Event&)>& replay) {
  const auto file = cache_file(run);
  if (file.empty()) return 0;
  auto stored = load_columns(file, RunFolder(run).events_path());
  if (!stored) return 0;
  cached_rows_ = stored->columns.line.size();
  step_builder_.restore(std::move(stored->columns));
  resolve();
  restoring_ = true;
  for (const std::string& line : stored->side_lines) {
    auto event = parse_event(line);
    if (!event || !*event) continue;
    replay(**event);
    if (const auto* step = std::get_if<StepEvent>(&**event)) {
      last_step_ = *step;
      continue;
    }
    if (const auto* evaluation = std::get_if<EvaluationEvent>(&**event)) take_evaluation(*evaluation);
    if (const auto* resumed = std::get_if<ResumedEvent>(&**event))
      evaluation_builder_.resume(static_cast<double>(resumed->step));
    if (std::holds_alternative<HeartbeatEvent>(**event))
      last_heartbeat_ = line;
    else
      side_lines_.push_back(line);
  }
  restoring_ = false;
  return stored->offset;
}

void RunColumns::save(const std::filesystem::path& run, std::uint64_t offset) {
  const Columns columns = step_builder_.view();
  const std::uint64_t rows = columns.line.size();
  if (rows < smallest_cached_run || rows < cached_rows_ + cached_rows_ / 4) return;
  const auto file = cache_file(run);
  if (file.empty()) return;
  StoredColumns stored{columns, side_lines_, offset};
  if (!last_heartbeat_.empty()) stored.side_lines.push_back(last_heartbeat_);
  stored.side_lines.push_back(event_line(last_step_));
  // A cache can be made again: a full disk is no reason to disturb anyone.
  if (store_columns(file, RunFolder(run).events_path(), stored)) cached_rows_ = rows;
}

std::unique_ptr<ColumnSource> make_column_source() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::CacheLocation);
  return std::make_unique<RunColumns>(folder.isEmpty() ? std::filesystem::path()
                                                       : std::filesystem::path(folder.toStdString()) / "columns");
}

}  // namespace disco::ui
