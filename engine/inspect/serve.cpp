// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/inspect/serve.h"

#include <torch/torch.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <optional>
#include <thread>

#include "engine/base/clock.h"
#include "engine/base/json.h"
#include "engine/inspect/measure.h"
#include "engine/inspect/preview.h"
#include "engine/inspect/ranker.h"
#include "engine/run/events.h"
#include "engine/run/run_config.h"
#include "engine/run/serve_protocol.h"

namespace disco {
namespace fs = std::filesystem;
namespace {

constexpr int exit_too_large = 5;
constexpr std::size_t longest_question = std::size_t{16} << 20;

/// A folder for pictures that answers refer to, removed at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "disco-serve-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~ScratchFolder() { clear(); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  void clear() {
    std::error_code code;
    if (!path_.empty()) fs::remove_all(path_, code);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

class Server {
 public:
  explicit Server(const ServeOptions& options) : options_(options) {
    limit_ = options.memory_mib > 0 ? options.memory_mib << 20
                                    : static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE) / 4;
    watcher_ = std::jthread([this](const std::stop_token& token) { watch_memory(token); });
  }

  int run();

 private:
  void watch_memory(const std::stop_token& token);
  void answer(const std::string& line);
  Result<Json> respond(const std::string& kind, const Json& question);
  Result<Json> load(const Json& question);
  Result<Json> rank(const Json& question);
  Result<Json> show_samples(const Json& question);
  Result<Json> take_steps(const Json& question);
  void say(const std::string& kind, Json fields);

  ServeOptions options_;
  std::int64_t limit_ = 0;
  ScratchFolder scratch_;
  std::optional<Ranker> ranker_;
  std::mutex mutex_;  // one line at a time on stdout, and the id of the question
  Json id_;
  int pictures_ = 0;
  std::jthread watcher_;
};

template <class T>
Result<T> read_question(const Json& question) {
  T value;
  Problems problems;
  read_json(question, value, "", problems, UnknownKeys::ignore);
  if (!problems.empty()) return tl::unexpected(to_error(problems, "question"));
  return value;
}

Result<RunConfig> read_run_config(const Json& document) {
  LoadedConfig loaded = load_config(document);
  if (!loaded.problems.empty()) return tl::unexpected(to_error(loaded.problems, ""));
  return std::move(loaded.config);
}

void Server::say(const std::string& kind, Json fields) {
  const std::scoped_lock lock(mutex_);
  Json line{{"id", id_}, {"kind", kind}};
  line.update(fields);
  std::printf("%s\n", line.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
  std::fflush(stdout);
}

void Server::watch_memory(const std::stop_token& token) {
  while (!token.stop_requested()) {
    if (const std::int64_t used = resident_bytes(); used > limit_) {
      say("error",
          write_json(ProblemAnswer{"needs more than the " + std::to_string(limit_ >> 20) + " MiB of memory it may use",
                                   "serve", "Use a smaller model, or allow more with --memory-mib."}));
      scratch_.clear();
      ::_exit(exit_too_large);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

Result<Json> Server::load(const Json& question) {
  DISCO_TRY(const auto wanted, read_question<LoadQuestion>(question));
  DISCO_TRY(Ranker ranker, Ranker::load(wanted.model));
  ranker_.emplace(std::move(ranker));
  return write_json(ranker_->about());
}

Result<Json> Server::rank(const Json& question) {
  DISCO_TRY(const auto wanted, read_question<RankQuestion>(question));
  if (!ranker_) return failure("no model is loaded", "rank", "Load one first.");
  const fs::path view = scratch_.path() / ("view-" + std::to_string(++pictures_) + ".png");
  DISCO_TRY(const RankAnswer answer, ranker_->rank(wanted.image, wanted.captions, view));
  return write_json(answer);
}

Result<Json> Server::show_samples(const Json& question) {
  DISCO_TRY(const auto wanted, read_question<PreviewQuestion>(question));
  DISCO_TRY(const RunConfig config, read_run_config(wanted.config));
  const fs::path folder = scratch_.path() / ("preview-" + std::to_string(++pictures_));
  DISCO_TRY(const PreviewAnswer answer, preview(config, wanted.count, folder));
  return write_json(answer);
}

Result<Json> Server::take_steps(const Json& question) {
  DISCO_TRY(const auto wanted, read_question<MeasureQuestion>(question));
  DISCO_TRY(const RunConfig config, read_run_config(wanted.config));
  const auto tell = [&](int done) {
    say("progress",
        write_json(ProgressEvent{
            .time = wall_seconds(), .phase = "measuring", .done = done, .total = wanted.steps, .detail = ""}));
    return true;
  };
  auto measured = measure(config, wanted.steps, tell);
  at::set_num_threads(options_.threads);
  if (!measured) return tl::unexpected(measured.error());
  return write_json(measured->answer);
}

Result<Json> Server::respond(const std::string& kind, const Json& question) {
  if (kind == "load") return load(question);
  if (kind == "rank") return rank(question);
  if (kind == "preview") return show_samples(question);
  if (kind == "measure") return take_steps(question);
  return failure("is not a question this program knows: " + kind, "kind", "Ask load, rank, preview or measure.");
}

void Server::answer(const std::string& line) {
  auto question = parse_json(line, "question");
  {
    const std::scoped_lock lock(mutex_);
    id_ = question && question->is_object() && question->contains("id") ? (*question)["id"] : Json(nullptr);
  }
  std::string kind;
  if (question && question->is_object()) {
    const auto found = question->find("kind");
    if (found != question->end() && found->is_string()) kind = found->get<std::string>();
  }
  Result<Json> response = failure("is not a JSON object with a kind", "question");
  try {
    if (!kind.empty()) response = respond(kind, *question);
  } catch (const std::exception& error) {
    const auto* torch_error = dynamic_cast<const c10::Error*>(&error);
    response = failure(torch_error ? torch_error->what_without_backtrace() : error.what(), kind);
  }
  if (response)
    say(kind, std::move(*response));
  else
    say("error", write_json(ProblemAnswer{response.error().what, response.error().where, response.error().hint}));
}

int Server::run() {
  if (!options_.model.empty()) {
    auto ranker = Ranker::load(options_.model);
    if (!ranker) {
      say("error", write_json(ProblemAnswer{ranker.error().what, ranker.error().where, ranker.error().hint}));
      return 1;
    }
    ranker_.emplace(std::move(*ranker));
  }
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line.size() > longest_question)
      say("error", write_json(ProblemAnswer{"is longer than 16 MiB", "question", ""}));
    else if (!line.empty())
      answer(line);
  }
  return 0;
}

}  // namespace

int serve(const ServeOptions& options) {
  at::globalContext().setFlushDenormal(true);
  at::set_num_threads(options.threads);
  std::ofstream("/proc/self/oom_score_adj") << 800;
  return Server(options).run();
}

}  // namespace disco
