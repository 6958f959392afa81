// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <optional>

#include "engine/base/error.h"
#include "engine/run/commands.h"
#include "ui/shell/page.h"

namespace disco::ui {

/// What a person asked of the current run and the engine has not answered yet; pause, resume, stop and so on. A state
/// shows only after the engine says so: until then "Pausing…".
class RunControl : public QObject {
  Q_OBJECT

 public:
  explicit RunControl(PageContext& context, QObject* parent = nullptr);

  /// Pause when an engine works on the run, else resume.
  void pause_or_resume();
  void stop();
  /// Asks first: steps since the last checkpoint are lost.
  void stop_without_saving();
  void save();
  void evaluate();
  /// Puts the command that started the run on the clipboard.
  void copy_command();

  /// The request that waits for its answer.
  [[nodiscard]] std::optional<CommandKind> pending() const;
  /// Whether it has waited for 10 s.
  [[nodiscard]] bool unanswered() const;

 Q_SIGNALS:
  void changed();

 private:
  struct Request {
    CommandKind kind;
    QString id;  ///< empty for a resume that starts a new engine
    QElapsedTimer since;
    bool answered = false;
  };
  void send(CommandKind kind);
  void wait_for(CommandKind kind, const QString& id);
  void look();
  void clear();
  void report(const Error& error);

  PageContext& context_;
  std::optional<Request> request_;
  QTimer timer_;
};

}  // namespace disco::ui
