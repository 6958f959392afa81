// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/serve_client.h"

#include <algorithm>

#include "ui/shell/engine_client.h"

namespace disco::ui {
namespace {

constexpr int first_pause = 500;  // ms; doubles with each failure in a row
constexpr int longest_pause = 30000;
constexpr int kept_log = 16000;
constexpr int longest_line = 64 << 20;
constexpr int end_patience = 300;  // ms that a helper gets to end by itself when the window closes

std::string text_of(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

ServeClient::ServeClient(EngineClient& engine, QObject* parent) : QObject(parent), engine_(engine) {
  restart_timer_.setSingleShot(true);
  connect(&restart_timer_, &QTimer::timeout, this, [this] {
    set_state(State::stopped);
    send_next();
  });
}

ServeClient::~ServeClient() {
  if (!child_) return;
  child_->disconnect(this);
  child_->closeWriteChannel();  // serve ends when its input does
  if (!child_->waitForFinished(end_patience)) child_->kill();
  child_->waitForFinished(end_patience);
}

void ServeClient::ask(const QString& kind, const Json& body, QObject* context, Answer answer, Progress progress) {
  std::erase_if(waiting_, [&](const Question& waiting) {
    return !waiting.context || (waiting.kind == kind && waiting.context == context);
  });
  Question question;
  question.kind = kind;
  question.context = context;
  question.id = "q" + std::to_string(next_id_++);
  question.answer = std::move(answer);
  question.progress = std::move(progress);
  Json line = Json::object();
  line["id"] = question.id;
  line["kind"] = kind.toStdString();
  for (const auto& [key, value] : body.items()) line[key] = value;
  question.line = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  waiting_.push_back(std::move(question));
  send_next();
}

void ServeClient::forget(QObject* context) {
  std::erase_if(waiting_, [context](const Question& waiting) { return waiting.context == context; });
  if (in_flight_ && in_flight_->context == context) in_flight_->context.clear();
}

void ServeClient::restart() {
  failures_ = 0;
  if (!child_) return;
  child_->disconnect(this);
  child_->kill();
  child_.release()->deleteLater();
  in_flight_.reset();
  buffer_.clear();
  set_state(State::stopped);
  send_next();
}

QString ServeClient::log() const { return QString::fromUtf8(log_); }

void ServeClient::send_next() {
  if (in_flight_ || waiting_.empty() || restart_timer_.isActive()) return;
  if (!child_) {
    start_child();
    return;
  }
  if (state_ == State::starting) return;
  in_flight_ = std::move(waiting_.front());
  waiting_.pop_front();
  child_->write(in_flight_->line.data(), static_cast<qint64>(in_flight_->line.size()));
  set_state(State::busy);
}

void ServeClient::start_child() {
  const QString program = engine_.program();
  if (program.isEmpty()) {
    const std::deque<Question> unanswered = std::exchange(waiting_, {});
    const Result<Json> error = failure("disco-engine was not found beside this program or in PATH", {},
                                       "Choose the program in Settings, Engine");
    for (const Question& question : unanswered)
      if (question.context && question.answer) question.answer(error);
    return;
  }
  child_ = std::make_unique<QProcess>();
  child_->setProgram(program);
  child_->setArguments(engine_.serve_arguments());
  connect(child_.get(), &QProcess::started, this, [this] {
    set_state(State::idle);
    send_next();
  });
  connect(child_.get(), &QProcess::readyReadStandardOutput, this, &ServeClient::read_answers);
  connect(child_.get(), &QProcess::readyReadStandardError, this,
          [this] { log_ = (log_ + child_->readAllStandardError()).right(kept_log); });
  connect(child_.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) child_ended(tr("The question helper cannot be started."));
  });
  connect(child_.get(), &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
    child_ended(status == QProcess::CrashExit ? tr("The question helper ended by signal %1.").arg(code)
                                              : tr("The question helper ended with code %1.").arg(code));
  });
  buffer_.clear();
  set_state(State::starting);
  child_->start();
}

void ServeClient::read_answers() {
  buffer_ += child_->readAllStandardOutput();
  if (buffer_.size() > longest_line) {  // nothing of ours is that long
    restart();
    return;
  }
  for (qsizetype end = 0; (end = buffer_.indexOf('\n')) >= 0;) {
    const QByteArray line = buffer_.left(end);
    buffer_.remove(0, end + 1);
    const auto json = parse_json(std::string_view(line.constData(), static_cast<std::size_t>(line.size())), "serve");
    if (!json || !json->is_object() || !in_flight_ || text_of(*json, "id") != in_flight_->id) continue;
    const std::string kind = text_of(*json, "kind");
    if (kind == "progress") {
      ProgressEvent progress;
      Problems problems;
      read_json(*json, progress, {}, problems, UnknownKeys::ignore);
      if (in_flight_->context && in_flight_->progress) in_flight_->progress(progress);
      continue;
    }
    const Question question = std::move(*in_flight_);
    in_flight_.reset();
    failures_ = 0;
    set_state(State::idle);
    if (question.context && question.answer) {
      if (kind == "error")
        question.answer(failure(text_of(*json, "what"), text_of(*json, "where"), text_of(*json, "hint")));
      else
        question.answer(*json);
    }
    if (!child_) return;  // the answer's receiver restarted the helper
  }
  send_next();
}

void ServeClient::child_ended(const QString& sentence) {
  if (!child_) return;
  child_->disconnect(this);
  log_ = (log_ + child_->readAllStandardError()).right(kept_log);
  child_.release()->deleteLater();
  buffer_.clear();
  ++failures_;
  const std::optional<Question> broken = std::exchange(in_flight_, std::nullopt);
  restart_timer_.start(std::min(longest_pause, first_pause << std::min(failures_ - 1, 6)));
  set_state(State::waiting_to_restart);
  Q_EMIT ended(sentence);
  if (broken && broken->context && broken->answer)
    broken->answer(failure(sentence.toStdString(), {}, log_.right(400).toStdString()));
}

void ServeClient::set_state(State state) {
  if (state == state_) return;
  state_ = state;
  Q_EMIT state_changed();
}

}  // namespace disco::ui
