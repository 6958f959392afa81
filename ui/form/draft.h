// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QUndoStack>
#include <map>
#include <optional>
#include <vector>

#include "engine/base/json.h"
#include "engine/run/presets.h"

namespace disco::ui {

/// One leaf of the configuration that the person set; nothing = the preset's value.
struct SettingChange {
  std::string path;
  std::optional<Json> before;
  std::optional<Json> after;
};

/// What will be trained: a preset, what differs from it, and a name. Every edit goes through the undo stack and to the
/// disk; a window that is killed finds the draft as it was. Values that do not fit their setting are kept as they were
/// typed. GUI thread only; writing happens on a thread of its own.
class Draft : public QObject {
  Q_OBJECT

 public:
  /// `file` is read at once if it is there; an unreadable one is set aside as FILE.damaged and said in load_problem().
  explicit Draft(QString file, QObject* parent = nullptr);
  /// Waits until the last change is on the disk.
  ~Draft() override;

  [[nodiscard]] const std::vector<Preset>& presets() const { return presets_; }
  [[nodiscard]] const QString& load_problem() const { return load_problem_; }
  [[nodiscard]] const QString& preset() const { return preset_; }
  [[nodiscard]] const QString& name() const { return name_; }
  /// The path of the change that puts all budget settings at once.
  static constexpr const char* budget_path = "budget";

  /// The person's value, else the preset's; null for an unknown path. "budget" gives the object of all its leaves.
  [[nodiscard]] Json value(const std::string& path) const;
  /// The value that going back to the preset would give.
  [[nodiscard]] Json base_value(const std::string& path) const;
  [[nodiscard]] bool is_changed(const std::string& path) const;
  /// Settings that differ from the preset; the budget counts once.
  [[nodiscard]] int changed_count() const;
  /// Everything, as the form shows it: the preset's configuration with all changes put in.
  [[nodiscard]] Json document() const;
  /// What load_config reads: only what the preset and the person say, so that sizes follow the architecture.
  [[nodiscard]] Json overlay() const;
  /// `--set` arguments: what differs from the preset, each "path=value".
  [[nodiscard]] QStringList set_arguments() const;

  /// Sets a leaf, or all of the budget. Equal to the preset's value means back to it.
  void set_value(const std::string& path, const Json& value, const QString& label);
  /// Back to the preset's value.
  void reset_value(const std::string& path, const QString& label);
  void reset_all();
  void set_preset(const QString& id);
  void set_name(const QString& name);
  /// Starts over: the preset, or, when `config` is not null, the settings of a run (what differs from the preset).
  void start_from(const QString& preset, const Json& config, const QString& name);
  /// From now on nothing is written: for what is only shown.
  void stop_saving() { file_.clear(); }

  [[nodiscard]] QUndoStack& undo_stack() { return undo_; }
  [[nodiscard]] bool saved() const { return saved_; }

 Q_SIGNALS:
  /// These settings have other values now; empty = all.
  void values_changed(const std::vector<std::string>& paths);
  void name_changed();
  void preset_changed();
  void saved_changed();

 private:
  friend class SetValues;
  friend class StartOver;
  struct State {
    QString preset;
    QString name;
    std::map<std::string, Json> changes;
  };
  void apply(const std::vector<SettingChange>& changes, bool forward);
  void replace(const State& state);
  [[nodiscard]] State state() const { return {preset_, name_, changes_}; }
  void make_base();
  void load();
  void save();
  [[nodiscard]] std::vector<SettingChange> plan(const std::string& path, const std::optional<Json>& value) const;

  QString file_;
  QString load_problem_;
  std::vector<Preset> presets_;
  QString preset_;
  QString name_;
  std::map<std::string, Json> changes_;
  Json preset_config_ = Json::object();
  Json base_ = Json::object();
  QUndoStack undo_;
  QThreadPool writer_;
  int writes_ = 0;
  bool saved_ = true;
};

/// Leaf paths of "budget", in the order of the form.
[[nodiscard]] const std::vector<std::string>& budget_leaves();

}  // namespace disco::ui
