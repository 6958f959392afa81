// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/curve_worker.h"

namespace disco::ui {

CurveWorker::CurveWorker(QObject* parent) : QObject(parent), thread_([this] { work(); }) {}

CurveWorker::~CurveWorker() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void CurveWorker::ask(int chart, ReduceRequest request) {
  {
    const std::lock_guard lock(mutex_);
    const bool replaced = waiting_.contains(chart);
    waiting_[chart] = std::move(request);
    if (!replaced) ++asked_;
  }
  wake_.notify_one();
}

void CurveWorker::work() {
  Reducer reducer;
  for (;;) {
    int chart = 0;
    ReduceRequest request;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return end_ || !waiting_.empty(); });
      if (end_) return;
      const auto first = waiting_.begin();
      chart = first->first;
      request = std::move(first->second);
      waiting_.erase(first);
    }
    auto reduced = std::make_shared<const ReducedChart>(reducer.reduce(request));
    QMetaObject::invokeMethod(
        this,
        [this, chart, reduced = std::move(reduced)] {
          ++delivered_;
          Q_EMIT ready(chart, reduced);
        },
        Qt::QueuedConnection);
  }
}

}  // namespace disco::ui
