// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QString>
#include <filesystem>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/run/events.h"
#include "engine/run/run_folder.h"

namespace disco::ui {

/// A run folder without an engine; events are appended by hand.
class RunFixture {
 public:
  RunFixture(const QString& workspace, const QString& name, double created = wall_seconds()) {
    RunIdentity identity;
    identity.id = "id-" + name.toStdString();
    identity.name = name.toStdString();
    identity.created = created;
    identity.host = host_name();
    identity.command = {"disco-engine", "train", "a run"};
    RunConfig config;
    config.budget.steps = 2960;
    path_ = std::filesystem::path(workspace.toStdString()) / name.toStdString();
    folder_ = RunFolder::create(path_, identity, config).value();
  }

  void say(const Event& event) const {
    static_cast<void>(LineAppender::open(folder_.events_path())->append(event_line(event)));
  }
  void step(std::int64_t number, double loss = 1.0) const {
    StepEvent event;
    event.step = number;
    event.loss = loss;
    event.seconds.total = 0.1;
    say(event);
  }
  void state(RunState state, std::int64_t step = 0, const std::string& reason = {}) const {
    StateEvent event;
    event.state = state;
    event.step = step;
    event.reason = reason;
    say(event);
  }

  [[nodiscard]] const RunFolder& folder() const { return folder_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] QString qpath() const { return QString::fromStdString(path_.string()); }

 private:
  std::filesystem::path path_;
  RunFolder folder_{std::filesystem::path()};
};

}  // namespace disco::ui
