// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/engine_client.h"

#include <signal.h>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTimer>
#include <filesystem>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/run/run_folder.h"
#include "engine/run/settings.h"
#include "ui/shell/app_state.h"
#include "ui/shell/settings.h"

namespace disco::ui {
namespace {

constexpr int launch_check = 150;     // ms between looks at engines that were just started
constexpr double launch_limit = 600;  // s; then the run's own events have long taken over
constexpr qint64 shown_log = 4000;

/// Where configurations and first words of starting engines lie until the run folder exists.
QString starting_folder() {
  return QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + QStringLiteral("/starting");
}

bool alive(qint64 process) {
  // A child of ours that ended would be a zombie; detached engines are not our children.
  return ::kill(static_cast<pid_t>(process), 0) == 0;
}

QString last_words(const QString& file) {
  const auto text = read_file(file.toStdString(), 64U << 20);
  return text ? QString::fromStdString(*text).right(shown_log).trimmed() : QString();
}

QString quoted(const QString& word) {
  static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_@%+=:,./~-]+$"));
  if (plain.match(word).hasMatch()) return word;
  QString inner = word;
  inner.replace(QLatin1Char('\''), QStringLiteral("'\\''"));
  return QLatin1Char('\'') + inner + QLatin1Char('\'');
}

}  // namespace

/// An engine that was started and has not shown yet that it owns its run.
struct EngineClient::Launch {
  QString run_folder;
  QString log_file;
  qint64 process = 0;
  double since = 0;
  std::uintmax_t events_size = 0;  ///< before; growth means that the engine took over
  bool is_new = false;
};

EngineClient::EngineClient(AppState& state, Settings& settings, QObject* parent)
    : QObject(parent), state_(state), settings_(settings) {}

EngineClient::~EngineClient() = default;

QString EngineClient::program() const {
  const QString chosen = settings_.get(keys::engine_program);
  if (!chosen.isEmpty()) return QFileInfo(chosen).isExecutable() ? chosen : QString();
  const QString name = QStringLiteral("disco-engine");
  const QString beside = QCoreApplication::applicationDirPath() + QLatin1Char('/') + name;
  return QFileInfo(beside).isExecutable() ? beside : QStandardPaths::findExecutable(name);
}

QStringList EngineClient::serve_arguments() const {
  return {QStringLiteral("serve"), QStringLiteral("--threads"), QString::number(settings_.get(keys::serve_threads))};
}

QString EngineClient::command_line(const QString& program, const QStringList& arguments) {
  QStringList words{quoted(program)};
  for (const QString& argument : arguments) words += quoted(argument);
  return words.join(QLatin1Char(' '));
}

Result<QString> EngineClient::start(const QString& name, const Json& config) {
  const QString run = QDir(state_.workspace()).filePath(name);
  if (QFileInfo::exists(run + QStringLiteral("/run.json")))
    return failure("A run called " + name.toStdString() + " exists", run.toStdString(), "Choose another name");
  if (!QDir().mkpath(state_.workspace()))
    return failure("The workspace cannot be written", state_.workspace().toStdString(),
                   "Choose another workspace in Settings");
  const QString file = starting_folder() + QLatin1Char('/') + name + QStringLiteral(".json");
  QDir().mkpath(starting_folder());
  DISCO_CHECK(write_atomically(file.toStdString(), config.dump(2) + "\n"));
  DISCO_CHECK(launch(run, {QStringLiteral("train"), run, QStringLiteral("--config"), file}));
  return run;
}

Result<void> EngineClient::resume(const QString& run_folder, const QStringList& overrides) {
  const RunFolder folder(run_folder.toStdString());
  if (overrides.isEmpty() && folder.lock_holder()) {
    DISCO_CHECK(command(run_folder, CommandKind::resume));
    return {};
  }
  QStringList arguments{QStringLiteral("train"), run_folder, QStringLiteral("--resume")};
  for (const QString& override : overrides) arguments << QStringLiteral("--set") << override;
  return launch(run_folder, arguments);
}

Result<QString> EngineClient::command(const QString& run_folder, CommandKind kind) {
  DISCO_TRY(const std::string id, send_command(run_folder.toStdString(), kind));
  return QString::fromStdString(id);
}

Result<void> EngineClient::launch(const QString& run_folder, const QStringList& arguments) {
  const QString engine = program();
  if (engine.isEmpty())
    return failure("disco-engine was not found beside this program or in PATH", {},
                   "Choose the program in Settings, Engine");
  QDir().mkpath(starting_folder());
  const QString log = starting_folder() + QLatin1Char('/') + QFileInfo(run_folder).fileName() + QStringLiteral(".log");
  QProcess process;
  process.setProgram(engine);
  process.setArguments(arguments);
  process.setWorkingDirectory(QDir::homePath());
  process.setStandardInputFile(QProcess::nullDevice());
  process.setStandardOutputFile(QProcess::nullDevice());
  process.setStandardErrorFile(log);
  qint64 id = 0;
  // Detached: in a session of its own, so that neither closing the window nor its terminal ends the training.
  if (!process.startDetached(&id))
    return failure("disco-engine cannot be started: " + process.errorString().toStdString(), engine.toStdString());
  const RunFolder folder(run_folder.toStdString());
  std::error_code code;
  const auto size = std::filesystem::file_size(folder.events_path(), code);
  launches_.push_back({run_folder, log, id, steady_seconds(), code ? 0 : size, !folder.exists()});
  if (launches_.size() == 1) QTimer::singleShot(launch_check, this, &EngineClient::check_launches);
  return {};
}

void EngineClient::check_launches() {
  std::vector<Launch> waiting;
  std::vector<Launch> ready;
  std::vector<Launch> failed;
  for (Launch& launch : launches_) {
    const RunFolder folder(launch.run_folder.toStdString());
    std::error_code code;
    const auto size = std::filesystem::file_size(folder.events_path(), code);
    const bool owns = launch.is_new ? folder.exists() : !code && size > launch.events_size;
    const bool gone = !alive(launch.process);
    if (owns)
      ready.push_back(launch);
    else if (gone)
      failed.push_back(launch);
    else if (steady_seconds() - launch.since < launch_limit)
      waiting.push_back(launch);
  }
  launches_ = std::move(waiting);
  for (const Launch& launch : ready) Q_EMIT started(launch.run_folder);
  for (const Launch& launch : failed)
    Q_EMIT start_failed(launch.run_folder, tr("%1 did not start.").arg(QFileInfo(launch.run_folder).fileName()),
                        last_words(launch.log_file));
  if (!launches_.empty()) QTimer::singleShot(launch_check, this, &EngineClient::check_launches);
}

}  // namespace disco::ui
