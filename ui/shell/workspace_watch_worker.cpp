// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/workspace_watch_worker.h"

#include <sys/stat.h>

#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QStandardPaths>
#include <algorithm>

#include "engine/base/files.h"
#include "engine/base/json.h"
#include "engine/run/run_folder.h"

namespace disco::ui {
namespace fs = std::filesystem;

namespace {

constexpr int look_interval = 1000;
constexpr int cache_delay = 5000;
constexpr int progress_interval = 100;  // ms between "Reading 120 of 1,000 runs…"
constexpr std::uint64_t largest_cache = 64U << 20;

/// Modification time in nanoseconds, 0 when there is no such file.
std::int64_t changed_at(const fs::path& path, std::int64_t* size = nullptr) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return 0;
  if (size != nullptr) *size = info.st_size;
  return static_cast<std::int64_t>(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec;
}

}  // namespace

WorkspaceWatchWorker::WorkspaceWatchWorker() : timer_(this), cache_timer_(this) {
  timer_.setInterval(look_interval);
  timer_.setTimerType(Qt::CoarseTimer);
  connect(&timer_, &QTimer::timeout, this, &WorkspaceWatchWorker::look);
  cache_timer_.setSingleShot(true);
  cache_timer_.setInterval(cache_delay);
  connect(&cache_timer_, &QTimer::timeout, this, &WorkspaceWatchWorker::save_cache);
}

void WorkspaceWatchWorker::open(const QString& folder) {
  close();
  folder_ = folder;
  known_.clear();
  first_ = true;
  load_cache();
  timer_.start();
  look();
}

void WorkspaceWatchWorker::close() {
  timer_.stop();
  if (cache_timer_.isActive()) save_cache();
  cache_timer_.stop();
}

std::vector<fs::path> WorkspaceWatchWorker::run_folders(std::optional<Error>& problem) const {
  std::vector<fs::path> folders;
  const fs::path workspace = folder_.toStdString();
  std::error_code code;
  if (!fs::exists(workspace, code) && !code) return folders;  // made when the first run starts
  for (auto entry = fs::directory_iterator(workspace, code); !code && entry != fs::directory_iterator();
       entry.increment(code)) {
    std::error_code ignored;
    if (fs::exists(entry->path() / "run.json", ignored)) folders.push_back(entry->path());
  }
  if (code)
    problem = Error{"Cannot read this folder: " + code.message(), workspace.string(),
                    "Make it readable, or choose another workspace"};
  return folders;
}

WorkspaceWatchWorker::Known WorkspaceWatchWorker::stamps(const fs::path& run) {
  const RunFolder folder(run);
  Known known;
  known.events_time = changed_at(folder.events_path(), &known.events_size);
  known.identity_time = changed_at(folder.identity_path());
  known.lock_time = changed_at(folder.lock_path());
  return known;
}

void WorkspaceWatchWorker::update_run(const fs::path& run) {
  Known now = stamps(run);
  const auto before = known_.find(run);
  // A live run's state moves with the clock and the lock, a starting one's before its first event.
  if (before != known_.end() && before->second == now && !is_live(before->second.status.state)) return;
  now.status = summarise_run(run);
  changed_ = true;
  known_.insert_or_assign(run, std::move(now));
}

void WorkspaceWatchWorker::look() {
  if (folder_.isEmpty()) return;
  std::optional<Error> problem;
  const std::vector<fs::path> folders = run_folders(problem);
  const auto total = static_cast<int>(folders.size());
  QElapsedTimer since;
  since.start();
  int read = 0;
  for (const fs::path& folder : folders) {
    update_run(folder);
    ++read;
    if (!first_ || since.elapsed() < progress_interval) continue;
    hand_over(read, total, false, problem);
    since.start();
  }
  if (!problem)
    changed_ |= std::erase_if(known_, [&folders](const auto& entry) {
                  return std::find(folders.begin(), folders.end(), entry.first) == folders.end();
                }) > 0;
  if (changed_ && !cache_timer_.isActive()) cache_timer_.start();
  changed_ = false;
  first_ = false;
  hand_over(read, total, true, problem);
}

void WorkspaceWatchWorker::hand_over(int read, int total, bool complete, std::optional<Error> problem) {
  auto snapshot = std::make_shared<WorkspaceSnapshot>();
  snapshot->folder = folder_;
  snapshot->read = read;
  snapshot->total = total;
  snapshot->complete = complete;
  snapshot->problem = std::move(problem);
  snapshot->runs.reserve(known_.size());
  for (const auto& [path, known] : known_) snapshot->runs.push_back(known.status);
  std::sort(snapshot->runs.begin(), snapshot->runs.end(), [](const RunStatus& a, const RunStatus& b) {
    return a.created != b.created ? a.created > b.created : a.path < b.path;
  });
  snapshot->from_cache = !complete && read == 0;
  Q_EMIT ready(std::move(snapshot));
}

QString WorkspaceWatchWorker::cache_file() const {
  const QByteArray hash = QCryptographicHash::hash(folder_.toUtf8(), QCryptographicHash::Sha1).toHex().left(16);
  return QStandardPaths::writableLocation(QStandardPaths::CacheLocation) +
         QStringLiteral("/workspace-%1.json").arg(QString::fromLatin1(hash));
}

void WorkspaceWatchWorker::load_cache() {
  const auto text = read_file(cache_file().toStdString(), largest_cache);
  if (!text) return;
  const auto json = parse_json(*text, {});
  if (!json || !json->is_array()) return;
  for (const Json& item : *json) {
    Known known;
    Problems problems;
    read_json(item, known.status, {}, problems, UnknownKeys::ignore);
    if (!problems.empty() || known.status.path.empty()) continue;
    const fs::path path = known.status.path;
    known_.emplace(path, std::move(known));  // without stamps: the first look reads it again
  }
  if (!known_.empty()) hand_over(0, static_cast<int>(known_.size()), false, std::nullopt);
}

void WorkspaceWatchWorker::save_cache() const {
  Json list = Json::array();
  for (const auto& [path, known] : known_) list.push_back(write_json(known.status));
  const fs::path file = cache_file().toStdString();
  std::error_code code;
  fs::create_directories(file.parent_path(), code);
  static_cast<void>(write_atomically(file, list.dump()));  // only a cache: without it the next start is slower
}

}  // namespace disco::ui
