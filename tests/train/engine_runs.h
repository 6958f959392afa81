// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStringList>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/base/files.h"
#include "engine/run/run_folder.h"
#include "engine/run/run_tail.h"

namespace disco {

/// The real disco-engine on a model small enough for tests.
struct Engine {
  int exit_code = -1;
  std::string out, errors;

  static QString program() { return QCoreApplication::applicationDirPath() + QStringLiteral("/../bin/disco-engine"); }

  static Engine call(const QStringList& arguments, const std::vector<std::pair<QString, QString>>& environment = {}) {
    QProcess process;
    QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
    for (const auto& [name, value] : environment) variables.insert(name, value);
    process.setProcessEnvironment(variables);
    process.start(program(), arguments);
    process.waitForFinished(120000);
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            process.readAllStandardOutput().toStdString(), process.readAllStandardError().toStdString()};
  }

  /// Arguments of `train` for a small model on cartoons; `more` are --set values.
  static QStringList train(const std::string& run, const QStringList& more = {}) {
    QStringList arguments{QStringLiteral("train"), QString::fromStdString(run)};
    QStringList settings{QStringLiteral("budget.steps=8"),
                         QStringLiteral("batch.size=8"),
                         QStringLiteral("model.clip.embed_dim=32"),
                         QStringLiteral("model.clip.vision.image_size=32"),
                         QStringLiteral("model.clip.vision.patch_size=16"),
                         QStringLiteral("model.clip.vision.width=32"),
                         QStringLiteral("model.clip.vision.layers=1"),
                         QStringLiteral("model.clip.vision.heads=2"),
                         QStringLiteral("model.clip.vision.mlp_width=64"),
                         QStringLiteral("model.clip.text.context_length=32"),
                         QStringLiteral("model.clip.text.width=32"),
                         QStringLiteral("model.clip.text.layers=1"),
                         QStringLiteral("model.clip.text.heads=2"),
                         QStringLiteral("model.clip.text.mlp_width=64"),
                         QStringLiteral("schedule.warmup_steps=2"),
                         QStringLiteral("evaluate.every_steps=4"),
                         QStringLiteral("evaluate.pictures=20"),
                         QStringLiteral("sample.pictures=4"),
                         QStringLiteral("sample.every_steps=4"),
                         QStringLiteral("checkpoint.every_steps=3"),
                         QStringLiteral("checkpoint.keep_best=false"),
                         QStringLiteral("data.loader_threads=1"),
                         QStringLiteral("compute_threads=1")};
    settings += more;
    for (const auto& setting : settings) arguments << QStringLiteral("--set") << setting;
    return arguments;
  }
};

/// All events of a run whose lines are complete, in order.
inline std::vector<Event> events_of(const std::filesystem::path& run) {
  std::vector<Event> events;
  RunTail tail(run);
  while (true) {
    const auto progress = tail.poll([&](Event&& event) { events.push_back(std::move(event)); });
    if (!progress || progress->caught_up) return events;
  }
}

template <class T>
std::vector<T> all_of_kind(const std::filesystem::path& run) {
  std::vector<T> found;
  for (const auto& event : events_of(run))
    if (const auto* item = std::get_if<T>(&event)) found.push_back(*item);
  return found;
}

inline StateEvent last_state(const std::filesystem::path& run) {
  const auto states = all_of_kind<StateEvent>(run);
  return states.empty() ? StateEvent{} : states.back();
}

/// Names and checksums of weights and moments of a step, for comparing two histories bit for bit.
inline std::string fingerprint(const std::filesystem::path& run, std::int64_t step) {
  const auto text = read_file(RunFolder(run).checkpoint_path(step) / "manifest.json");
  if (!text) return text.error().message();
  const auto manifest = parse_json(*text, "manifest");
  if (!manifest) return manifest.error().message();
  std::string prints;
  for (const auto& file : manifest->at("files"))
    if (file.at("name").get<std::string>().ends_with(".safetensors")) prints += file.dump() + "\n";
  return prints;
}

}  // namespace disco
