// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/run_watch.h"

#include "ui/shell/run_watch_worker.h"

namespace disco::ui {

RunWatch::RunWatch(ColumnSourceFactory columns, QObject* parent)
    : QObject(parent), worker_(new RunWatchWorker(std::move(columns))) {
  worker_->moveToThread(&thread_);
  // In the thread itself, before it ends: the cache is stored whenever the window closes.
  connect(&thread_, &QThread::finished, worker_, &RunWatchWorker::close, Qt::DirectConnection);
  connect(&thread_, &QThread::finished, worker_, &QObject::deleteLater);
  connect(worker_, &RunWatchWorker::ready, this, &RunWatch::take, Qt::QueuedConnection);
  thread_.setObjectName(QStringLiteral("run-watch"));
  thread_.start();
}

RunWatch::~RunWatch() {
  thread_.quit();
  thread_.wait();
}

void RunWatch::open(const std::filesystem::path& run) {
  if (run == run_) return;
  run_ = run;
  snapshot_.reset();
  Q_EMIT updated(snapshot_);
  QMetaObject::invokeMethod(
      worker_, [worker = worker_, run] { worker->open(run); }, Qt::QueuedConnection);
}

void RunWatch::refresh() { QMetaObject::invokeMethod(worker_, &RunWatchWorker::look, Qt::QueuedConnection); }

void RunWatch::take(std::shared_ptr<const RunSnapshot> snapshot) {
  if (snapshot->folder != run_) return;  // of the run before, still on its way
  snapshot_ = std::move(snapshot);
  Q_EMIT updated(snapshot_);
}

}  // namespace disco::ui
