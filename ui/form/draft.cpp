// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/draft.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QPointer>
#include <QUndoCommand>
#include <functional>

#include "engine/base/files.h"
#include "engine/run/run_config.h"
#include "engine/run/settings.h"

namespace disco::ui {

namespace {

constexpr int merge_milliseconds = 500;
constexpr int undo_steps = 100;
constexpr const char* architecture_path = "model.architecture";

bool is_budget_leaf(const std::string& path) { return path.starts_with("budget."); }

}  // namespace

const std::vector<std::string>& budget_leaves() {
  static const std::vector<std::string> leaves = [] {
    std::vector<std::string> found;
    for (const Setting& setting : settings())
      if (is_budget_leaf(setting.path)) found.push_back(setting.path);
    return found;
  }();
  return leaves;
}

/// One edit of one row. Edits of the same row within half a second are one step back.
class SetValues : public QUndoCommand {
 public:
  SetValues(Draft& draft, std::string row, std::vector<SettingChange> changes, const QString& label)
      : QUndoCommand(label), draft_(draft), row_(std::move(row)), changes_(std::move(changes)) {
    clock_.start();
  }
  void redo() override { draft_.apply(changes_, true); }
  void undo() override { draft_.apply(changes_, false); }
  [[nodiscard]] int id() const override { return 1; }
  bool mergeWith(const QUndoCommand* other) override {
    const auto* next = static_cast<const SetValues*>(other);
    if (next->row_ != row_ || clock_.elapsed() > merge_milliseconds) return false;
    for (const SettingChange& change : next->changes_) {
      auto mine = std::find_if(changes_.begin(), changes_.end(), [&](const auto& c) { return c.path == change.path; });
      if (mine == changes_.end())
        changes_.push_back(change);
      else
        mine->after = change.after;
    }
    clock_.restart();
    return true;
  }

 private:
  Draft& draft_;
  std::string row_;
  std::vector<SettingChange> changes_;
  QElapsedTimer clock_;
};

/// Another preset, a duplicate, or everything back to the preset.
class StartOver : public QUndoCommand {
 public:
  StartOver(Draft& draft, Draft::State after, const QString& label)
      : QUndoCommand(label), draft_(draft), before_(draft.state()), after_(std::move(after)) {}
  void redo() override { draft_.replace(after_); }
  void undo() override { draft_.replace(before_); }

 private:
  Draft& draft_;
  Draft::State before_;
  Draft::State after_;
};

Draft::Draft(QString file, QObject* parent) : QObject(parent), file_(std::move(file)) {
  undo_.setUndoLimit(undo_steps);
  writer_.setMaxThreadCount(1);
  if (auto found = disco::presets())
    presets_ = std::move(*found);
  else
    load_problem_ = QString::fromStdString(found.error().message());
  if (!presets_.empty()) preset_ = QString::fromStdString(presets_.front().id);
  load();
  make_base();
}

Draft::~Draft() {
  undo_.disconnect(this);
  writer_.waitForDone();
}

Json Draft::base_value(const std::string& path) const { return value_at(base_, path); }

Json Draft::value(const std::string& path) const {
  if (path == budget_path) {
    Json all = Json::object();
    for (const std::string& leaf : budget_leaves()) all[leaf.substr(leaf.find('.') + 1)] = value(leaf);
    return all;
  }
  const auto found = changes_.find(path);
  return found == changes_.end() ? base_value(path) : found->second;
}

bool Draft::is_changed(const std::string& path) const {
  if (path != budget_path) return changes_.contains(path);
  return std::any_of(changes_.begin(), changes_.end(), [](const auto& change) { return is_budget_leaf(change.first); });
}

int Draft::changed_count() const {
  const auto outside =
      std::count_if(changes_.begin(), changes_.end(), [](const auto& c) { return !is_budget_leaf(c.first); });
  return static_cast<int>(outside) + (is_changed(budget_path) ? 1 : 0);
}

Json Draft::document() const {
  Json all = base_;
  for (const auto& [path, value] : changes_) put_at(all, path, value);
  return all;
}

Json Draft::overlay() const {
  Json all = preset_config_;
  for (const auto& [path, value] : changes_) put_at(all, path, value);
  return all;
}

QStringList Draft::set_arguments() const {
  QStringList arguments;
  for (const Setting& setting : settings()) {
    const auto found = changes_.find(setting.path);
    if (found != changes_.end())
      arguments << QString::fromStdString(setting.path + "=" + text_of_setting(found->second));
  }
  return arguments;
}

std::vector<SettingChange> Draft::plan(const std::string& path, const std::optional<Json>& value) const {
  std::vector<SettingChange> changes;
  const auto add = [&](const std::string& leaf, std::optional<Json> after) {
    std::optional<Json> before;
    if (const auto found = changes_.find(leaf); found != changes_.end()) before = found->second;
    if (after && *after == base_value(leaf)) after.reset();
    if (before != after) changes.push_back({leaf, before, after});
  };
  if (path != budget_path) {
    add(path, value);
    return changes;
  }
  for (const std::string& leaf : budget_leaves()) {
    std::optional<Json> after;
    if (value) after = value->value(leaf.substr(leaf.find('.') + 1), Json(0));
    add(leaf, after);
  }
  return changes;
}

void Draft::set_value(const std::string& path, const Json& value, const QString& label) {
  auto changes = plan(path, value);
  if (!changes.empty()) undo_.push(new SetValues(*this, path, std::move(changes), label));
}

void Draft::reset_value(const std::string& path, const QString& label) {
  auto changes = plan(path, std::nullopt);
  if (!changes.empty()) undo_.push(new SetValues(*this, path, std::move(changes), label));
}

void Draft::reset_all() {
  if (!changes_.empty()) undo_.push(new StartOver(*this, {preset_, name_, {}}, tr("Undo all changes")));
}

void Draft::set_preset(const QString& id) {
  if (id != preset_) undo_.push(new StartOver(*this, {id, name_, changes_}, tr("Start from another preset")));
}

void Draft::set_name(const QString& name) {
  if (name == name_) return;
  name_ = name;
  save();
  Q_EMIT name_changed();
}

void Draft::start_from(const QString& preset, const Json& config, const QString& name) {
  State after{preset, name, {}};
  if (!config.is_null()) {
    Json start = Json::object();
    for (const Preset& known : presets_)
      if (QString::fromStdString(known.id) == preset) start = known.config;
    const Json base = write_json(load_config(start).config);
    for (auto& [path, value] : differences(base, config)) after.changes[path] = value;
  }
  undo_.push(new StartOver(*this, std::move(after), tr("Start over")));
}

void Draft::apply(const std::vector<SettingChange>& changes, bool forward) {
  std::vector<std::string> paths;
  bool all = false;
  for (const SettingChange& change : changes) {
    const std::optional<Json>& value = forward ? change.after : change.before;
    if (value)
      changes_[change.path] = *value;
    else
      changes_.erase(change.path);
    paths.push_back(change.path);
    if (is_budget_leaf(change.path)) paths.emplace_back(budget_path);
    all = all || change.path == architecture_path;
  }
  if (all) {
    make_base();
    paths.clear();
  }
  save();
  Q_EMIT values_changed(paths);
}

void Draft::replace(const State& state) {
  const bool other_name = state.name != name_;
  preset_ = state.preset;
  name_ = state.name;
  changes_ = state.changes;
  make_base();
  save();
  Q_EMIT preset_changed();
  if (other_name) Q_EMIT name_changed();
  Q_EMIT values_changed({});
}

void Draft::make_base() {
  preset_config_ = Json::object();
  for (const Preset& preset : presets_)
    if (QString::fromStdString(preset.id) == preset_) preset_config_ = preset.config;
  Json start = preset_config_;
  // The sizes belong to the architecture: with another one, "back to the preset" means its sizes.
  if (const auto found = changes_.find(architecture_path); found != changes_.end())
    put_at(start, architecture_path, found->second);
  base_ = write_json(load_config(start).config);
  if (changes_.contains(architecture_path)) {
    const Json own = value_at(preset_config_, architecture_path);
    put_at(base_, architecture_path, own.is_null() ? write_json(RunConfig{}.model.architecture) : own);
  }
  std::erase_if(changes_, [&](const auto& change) { return change.second == base_value(change.first); });
}

void Draft::load() {
  const std::string path = file_.toStdString();
  if (!QFileInfo::exists(file_)) return;
  const auto set_aside = [&](const QString& why) {
    QFile::remove(file_ + QStringLiteral(".damaged"));
    QFile::rename(file_, file_ + QStringLiteral(".damaged"));
    load_problem_ = why;
  };
  const auto text = read_file(path, 1U << 22U);
  if (!text) return set_aside(QString::fromStdString(text.error().message()));
  const auto json = parse_json(*text, path);
  if (!json) return set_aside(QString::fromStdString(json.error().message()));
  if (!json->is_object() || !json->contains("changes") || !(*json)["changes"].is_object())
    return set_aside(tr("The draft of the last session could not be read. It is kept as %1.damaged.").arg(file_));
  const auto text_of = [&](const char* key, const QString& otherwise) {
    const auto found = json->find(key);
    return found != json->end() && found->is_string() ? QString::fromStdString(found->get<std::string>()) : otherwise;
  };
  preset_ = text_of("preset", preset_);
  name_ = text_of("name", {});
  for (const auto& [key, value] : (*json)["changes"].items()) changes_[key] = value;
}

void Draft::save() {
  if (file_.isEmpty()) return;
  Json json = Json::object();
  json["preset"] = preset_.toStdString();
  json["name"] = name_.toStdString();
  json["changes"] = Json::object();
  for (const auto& [path, value] : changes_) json["changes"][path] = value;
  const bool was_saved = saved_;
  saved_ = false;
  ++writes_;
  if (was_saved) Q_EMIT saved_changed();
  writer_.start([this, write = writes_, file = file_, text = json.dump(1)] {
    QDir().mkpath(QFileInfo(file).absolutePath());
    const bool done = write_atomically(file.toStdString(), text).has_value();
    QMetaObject::invokeMethod(this, [this, write, done] {
      if (write != writes_ || !done) return;
      saved_ = true;
      Q_EMIT saved_changed();
    });
  });
}

}  // namespace disco::ui
