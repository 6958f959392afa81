// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/run_config.h"

#include <algorithm>
#include <filesystem>

#include "engine/base/files.h"

namespace disco {
namespace {

/// config.json of an older schema version becomes the present one here, one small step a version: upgrades[v] turns
/// version v into v + 1. Version 1 is the first.
Problems upgrade(Json& document) {
  const auto found = document.find("schema_version");
  if (found == document.end()) return {};
  if (!found->is_number_integer() || found->get<std::int64_t>() < 1)
    return {{"schema_version", "must be a whole number from 1 on", "Remove it to use the present version."}};
  if (found->get<std::int64_t>() > config_schema_version)
    return {{"schema_version", "is " + found->dump() + ", newer than this program knows",
             "Use the program that wrote this file, or a newer one."}};
  return {};
}

std::string known_architectures() {
  std::string text;
  for (const auto& architecture : models::architectures())
    text += (text.empty() ? "" : ", ") + std::string(architecture.id);
  return text;
}

/// Sizes follow the named architecture; what the document sets explicitly is read over them.
void start_from_architecture(const Json& document, RunConfig& config, Problems& problems) {
  const Json named = document.is_object() && document.contains("model") && document["model"].is_object() &&
                             document["model"].contains("architecture")
                         ? document["model"]["architecture"]
                         : Json(config.model.architecture);
  if (!named.is_string()) return;  // named as a problem when the field itself is read
  if (const auto* architecture = models::find_architecture(named.get<std::string>())) {
    config.model.clip = architecture->config;
    return;
  }
  std::vector<std::string_view> ids;
  for (const auto& architecture : models::architectures()) ids.push_back(architecture.id);
  const std::string near = nearest_name(named.get<std::string>(), ids);
  problems.push_back({"model.architecture", "must be one of " + known_architectures() + ", is " + named.dump(),
                      near.empty() ? "" : "Did you mean " + near + "?"});
}

template <class T>
bool convert_leaf(const Json& /*document*/, std::string_view rest, const std::string& text, const Meta& meta,
                  Json& out) {
  if constexpr (Described<T>) {
    const auto dot = rest.find('.');
    const auto key = rest.substr(0, dot);
    const auto tail = dot == std::string_view::npos ? std::string_view{} : rest.substr(dot + 1);
    bool found = false;
    for_each_field<T>([&](const auto& f) {
      using Value = std::remove_cvref_t<decltype(std::declval<T>().*(f.member))>;
      if (!found && f.key == key) found = convert_leaf<Value>({}, tail, text, f.meta, out);
    });
    return found;
  } else {
    if (!rest.empty()) return false;
    if constexpr (std::is_floating_point_v<T>) {
      if (meta.unit == "min") {
        if (auto minutes = parse_minutes(text)) {
          out = *minutes;
          return true;
        }
      }
    }
    out = json_from_text<T>(text);
    return true;
  }
}

template <class T>
void collect_paths(const std::string& prefix, std::vector<std::string>& paths) {
  for_each_field<T>([&](const auto& f) {
    using Value = std::remove_cvref_t<decltype(std::declval<T>().*(f.member))>;
    const std::string path = detail::join(prefix, f.key);
    if constexpr (Described<Value>)
      collect_paths<Value>(path, paths);
    else
      paths.push_back(path);
  });
}

void check_budget(const RunConfig& config, Problems& problems) {
  const int given = (config.budget.steps > 0) + (config.budget.samples > 0) + (config.budget.epochs > 0) +
                    (config.budget.minutes > 0);
  if (given == 0)
    problems.push_back(
        {"budget", "is not set", "Give one of budget.steps, budget.samples, budget.epochs or budget.minutes."});
  if (given > 1)
    problems.push_back({"budget", "is set in " + std::to_string(given) + " ways", "Keep one and set the others to 0."});
  if (config.budget.epochs > 0 && config.data.source == DataKind::cartoons)
    problems.push_back(
        {"budget.epochs", "means nothing for cartoons: fresh scenes never end", "Use budget.steps or budget.minutes."});
}

void check_data(const RunConfig& config, Problems& problems) {
  if (config.data.source == DataKind::cartoons) return;
  std::error_code code;
  if (config.data.path.empty()) {
    problems.push_back({"data.path", "is not set",
                        config.data.source == DataKind::folder ? "Choose a folder of pictures with a .txt beside each."
                                                               : "Choose a CSV or TSV file."});
  } else if (!std::filesystem::exists(config.data.path, code)) {
    problems.push_back({"data.path", "does not exist: " + config.data.path, "Choose a folder or file that is there."});
  } else if (config.data.source == DataKind::folder && !std::filesystem::is_directory(config.data.path, code)) {
    problems.push_back(
        {"data.path", "is not a folder: " + config.data.path, "Choose the folder that holds the pictures."});
  } else if (config.data.source == DataKind::table && std::filesystem::is_directory(config.data.path, code)) {
    problems.push_back({"data.path", "is a folder: " + config.data.path, "Choose the CSV or TSV file itself."});
  }
  if (!config.data.validation_path.empty() && !std::filesystem::exists(config.data.validation_path, code))
    problems.push_back({"data.validation_path", "does not exist: " + config.data.validation_path,
                        "Leave it empty or choose what is there."});
}

void check_separator(const RunConfig& config, Problems& problems) {
  static constexpr std::array known{"auto", "comma", "tab", "semicolon"};
  if (std::find(known.begin(), known.end(), config.data.separator) == known.end())
    problems.push_back(
        {"data.separator", "must be auto, comma, tab or semicolon, is \"" + config.data.separator + "\"", ""});
}

}  // namespace

LoadedConfig load_config(const Json& document) {
  LoadedConfig loaded;
  Json current = document;
  if (current.is_object()) loaded.problems = upgrade(current);
  if (!current.is_object()) {
    loaded.problems.push_back({"", "is not a configuration: an object in braces is expected", ""});
    return loaded;
  }
  current.erase("schema_version");
  start_from_architecture(current, loaded.config, loaded.problems);
  read_json(current, loaded.config, "", loaded.problems);
  for (auto& problem : validate(loaded.config)) {
    const bool known = std::any_of(loaded.problems.begin(), loaded.problems.end(),
                                   [&](const Problem& other) { return other.path == problem.path; });
    if (!known) loaded.problems.push_back(std::move(problem));
  }
  return loaded;
}

Result<LoadedConfig> load_config_file(const std::string& path) {
  DISCO_TRY(const std::string text, read_file(path, 16U << 20));
  DISCO_TRY(const Json document, parse_json(text, path));
  if (!document.is_object()) return failure("is not a configuration: an object in braces is expected", path);
  return load_config(document);
}

std::string model_label(const ModelSettings& model) {
  const auto* architecture = models::find_architecture(model.architecture);
  return architecture ? std::string(architecture->label) : model.architecture;
}

std::string data_label(const DataSettings& data) {
  if (data.source == DataKind::cartoons) return std::string(label_of(data.source));
  return std::filesystem::path(data.path).filename().string();
}

Problems validate(const RunConfig& config) {
  Problems problems;
  check_budget(config, problems);
  check_data(config, problems);
  check_separator(config, problems);
  if (config.batch.size < config.distributed.local_ranks)
    problems.push_back(
        {"batch.size", "is smaller than the number of ranks", "Use at least one picture for each rank."});
  if (auto shape = models::validate(config.model.clip, "model.clip"); !shape)
    problems.push_back({shape.error().where, shape.error().what, shape.error().hint});
  if (config.budget.steps > 0 && config.schedule.warmup_steps > config.budget.steps)
    problems.push_back({"schedule.warmup_steps",
                        "is longer than the whole run of " + std::to_string(config.budget.steps) + " steps",
                        "The learning rate would never be reached. Use a tenth of the steps or fewer."});
  std::error_code code;
  if (!config.model.checkpoint.empty() && !std::filesystem::is_directory(config.model.checkpoint, code))
    problems.push_back({"model.checkpoint", "is not a folder: " + config.model.checkpoint,
                        "Choose a model folder, or leave it empty."});
  return problems;
}

void set_from_text(Json& document, const std::string& path, const std::string& text, Problems& problems) {
  Json value;
  if (!convert_leaf<RunConfig>(document, path, text, {}, value)) {
    std::vector<std::string> paths;
    collect_paths<RunConfig>("", paths);
    const std::string near = nearest_name(path, {paths.begin(), paths.end()});
    problems.push_back({path, "is not a known setting",
                        near.empty() ? "See disco-engine config schema." : "Did you mean " + near + "?"});
    return;
  }
  // A budget replaces the one of the preset: whoever asks for 40 steps does not mean 40 steps and 8 minutes.
  if (path.starts_with("budget.") && document.is_object() && value.is_number() && value.get<double>() > 0)
    document.erase("budget");
  Json* place = &document;
  std::string_view rest = path;
  while (true) {
    const auto dot = rest.find('.');
    Json& child = (*place)[std::string(rest.substr(0, dot))];
    if (dot == std::string_view::npos) {
      child = std::move(value);
      return;
    }
    if (!child.is_object()) child = Json::object();
    place = &child;
    rest = rest.substr(dot + 1);
  }
}

void merge_into(Json& base, const Json& overlay) {
  if (!base.is_object() || !overlay.is_object()) {
    base = overlay;
    return;
  }
  for (const auto& [key, value] : overlay.items()) {
    auto found = base.find(key);
    if (found == base.end())
      base[key] = value;
    else
      merge_into(*found, value);
  }
}

std::vector<std::pair<std::string, Json>> differences(const Json& base, const Json& changed) {
  std::vector<std::pair<std::string, Json>> result;
  const auto walk = [&result](const auto& self, const Json& a, const Json& b, const std::string& path) -> void {
    if (!b.is_object()) {
      if (a != b) result.emplace_back(path, b);
      return;
    }
    for (const auto& [key, value] : b.items())
      self(self, a.is_object() && a.contains(key) ? a[key] : Json(), value, detail::join(path, key));
  };
  walk(walk, base, changed, "");
  return result;
}

std::string text_of_setting(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return number_text(value.get<double>());
  return value.dump();
}

}  // namespace disco
