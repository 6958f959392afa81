// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/workspace_watch.h"

#include <algorithm>

#include "ui/shell/workspace_watch_worker.h"

namespace disco::ui {

int WorkspaceSnapshot::live() const {
  return static_cast<int>(std::count_if(runs.begin(), runs.end(), [](const auto& run) { return is_live(run.state); }));
}

const RunStatus* WorkspaceSnapshot::find(const QString& run_folder) const {
  const std::string path = run_folder.toStdString();
  const auto found = std::find_if(runs.begin(), runs.end(), [&path](const auto& run) { return run.path == path; });
  return found == runs.end() ? nullptr : &*found;
}

WorkspaceWatch::WorkspaceWatch(QObject* parent)
    : QObject(parent), worker_(new WorkspaceWatchWorker), snapshot_(std::make_shared<WorkspaceSnapshot>()) {
  worker_->moveToThread(&thread_);
  // In the thread itself, before it ends: the cache is stored whenever the window closes.
  connect(&thread_, &QThread::finished, worker_, &WorkspaceWatchWorker::close, Qt::DirectConnection);
  connect(&thread_, &QThread::finished, worker_, &QObject::deleteLater);
  connect(
      worker_, &WorkspaceWatchWorker::ready, this,
      [this](std::shared_ptr<const WorkspaceSnapshot> snapshot) {
        if (snapshot->folder != snapshot_->folder) return;  // of the workspace before, still on its way
        snapshot_ = std::move(snapshot);
        Q_EMIT updated(snapshot_);
      },
      Qt::QueuedConnection);
  thread_.setObjectName(QStringLiteral("workspace-watch"));
  thread_.start();
}

WorkspaceWatch::~WorkspaceWatch() {
  thread_.quit();
  thread_.wait();
}

void WorkspaceWatch::open(const QString& folder) {
  auto empty = std::make_shared<WorkspaceSnapshot>();
  empty->folder = folder;
  snapshot_ = std::move(empty);
  Q_EMIT updated(snapshot_);
  QMetaObject::invokeMethod(
      worker_, [worker = worker_, folder] { worker->open(folder); }, Qt::QueuedConnection);
}

void WorkspaceWatch::refresh() {
  QMetaObject::invokeMethod(worker_, &WorkspaceWatchWorker::look, Qt::QueuedConnection);
}

}  // namespace disco::ui
