// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QProcess>
#include <QTimer>
#include <deque>
#include <functional>
#include <optional>

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/run/events.h"
#include "engine/run/serve_protocol.h"

namespace disco::ui {

class EngineClient;

/// The question helper: one long-lived `disco-engine serve` child that answers what needs LibTorch. One question is in
/// flight; of those that wait, the newest of its kind wins. A helper that ends is started again with growing pauses,
/// and the question it was at is answered with an error. GUI thread; never waits.
class ServeClient : public QObject {
  Q_OBJECT

 public:
  enum class State { stopped, starting, idle, busy, waiting_to_restart };
  Q_ENUM(State)

  using Answer = std::function<void(const Result<Json>& answer)>;
  using Progress = std::function<void(const ProgressEvent& progress)>;

  explicit ServeClient(EngineClient& engine, QObject* parent = nullptr);
  ~ServeClient() override;

  /// Asks "load", "rank", "preview" or "measure" with the body of serve_protocol.h. `answer` is called once on the GUI
  /// thread, unless `context` is gone or a newer question of the same kind and context replaced this one before it was
  /// sent. The answer is the whole JSON line.
  void ask(const QString& kind, const Json& body, QObject* context, Answer answer, Progress progress = {});
  /// Drops what this context asked and was not answered; a question in flight is answered into nothing.
  void forget(QObject* context);
  /// Ends the child and starts it anew with the next question. A long question is broken off this way.
  void restart();

  [[nodiscard]] State state() const { return state_; }
  /// Last lines of the helper's stderr.
  [[nodiscard]] QString log() const;

 Q_SIGNALS:
  void state_changed();
  /// The child ended; whoever relied on a loaded model loads it again.
  void ended(const QString& sentence);

 private:
  struct Question {
    QString kind;
    QPointer<QObject> context;
    std::string line;
    std::string id;
    Answer answer;
    Progress progress;
  };
  void send_next();
  void start_child();
  void read_answers();
  void child_ended(const QString& sentence);
  void set_state(State state);

  EngineClient& engine_;
  std::unique_ptr<QProcess> child_;
  std::deque<Question> waiting_;
  std::optional<Question> in_flight_;
  QByteArray buffer_;
  QByteArray log_;
  QTimer restart_timer_;
  State state_ = State::stopped;
  int failures_ = 0;
  std::uint64_t next_id_ = 1;
};

}  // namespace disco::ui
