// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ui/live/columns.h"
#include "ui/shell/run_watch.h"

namespace disco::ui {

/// Makes the columns of the charts from events, and keeps those of long runs in a cache. Lives on the reading thread of
/// a RunWatch.
///
/// Metrics of steps are named by their path in the event: "loss", "losses/image_to_text", "seconds/data",
/// "memory/host" …; those of evaluations as in the event: "matching/accuracy" ….
class RunColumns : public ColumnSource {
 public:
  /// `cache` is a folder for caches, outside of every run; empty = none.
  explicit RunColumns(std::filesystem::path cache);

  void take(const Event& event) override;
  [[nodiscard]] std::shared_ptr<const Columns> steps() override;
  [[nodiscard]] std::shared_ptr<const Columns> evaluations() override;
  std::uint64_t restore(const std::filesystem::path& run, const std::function<void(const Event&)>& replay) override;
  void save(const std::filesystem::path& run, std::uint64_t offset) override;

 private:
  using Named = std::vector<std::pair<std::string, std::size_t>>;

  void resolve();
  void take_step(const StepEvent& event);
  void take_evaluation(const EvaluationEvent& event);
  void put(std::size_t metric, double value);
  void put_all(const std::map<std::string, double>& values, const char* prefix, Named& known);
  [[nodiscard]] std::filesystem::path cache_file(const std::filesystem::path& run) const;

  std::filesystem::path cache_;
  ColumnBuilder step_builder_;
  ColumnBuilder evaluation_builder_;
  std::shared_ptr<const Columns> steps_;
  std::shared_ptr<const Columns> evaluations_;
  StepRow row_;
  Named losses_;
  Named rates_;
  std::vector<std::size_t> seconds_;
  std::size_t loss_ = 0;
  std::size_t gradient_norm_ = 0;
  std::size_t logit_scale_ = 0;
  std::size_t speed_ = 0;
  std::size_t host_memory_ = 0;
  std::size_t device_memory_ = Columns::none;
  std::vector<std::string> side_lines_;  ///< events that are no steps, for the cache
  std::string last_heartbeat_;
  StepEvent last_step_;
  std::uint64_t cached_rows_ = 0;
  bool restoring_ = false;
};

}  // namespace disco::ui
