// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "ui/live/reduce.h"

namespace disco::ui {

/// Smooths and reduces on a thread of its own. Of several requests for one chart only the newest is worked on.
class CurveWorker : public QObject {
  Q_OBJECT

 public:
  explicit CurveWorker(QObject* parent = nullptr);
  ~CurveWorker() override;

  /// Replaces what was asked for `chart` and not begun. Any thread.
  void ask(int chart, ReduceRequest request);
  /// Whether everything asked for was delivered.
  [[nodiscard]] bool idle() const { return asked_ == delivered_; }

 Q_SIGNALS:
  /// On the thread of this object.
  void ready(int chart, const std::shared_ptr<const disco::ui::ReducedChart>& reduced);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::map<int, ReduceRequest> waiting_;
  bool end_ = false;
  std::uint64_t asked_ = 0;
  std::uint64_t delivered_ = 0;
  std::thread thread_;
};

}  // namespace disco::ui
