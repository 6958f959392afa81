// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/settings.h"

#include <algorithm>
#include <cctype>

#include "engine/run/commands.h"
#include "engine/run/events.h"
#include "engine/run/run_config.h"
#include "engine/run/serve_protocol.h"

namespace disco {
namespace {

template <class T>
constexpr SettingKind kind_of() {
  if constexpr (std::is_same_v<T, bool>)
    return SettingKind::toggle;
  else if constexpr (std::is_integral_v<T>)
    return SettingKind::integer;
  else if constexpr (std::is_floating_point_v<T>)
    return SettingKind::number;
  else if constexpr (DescribedEnum<T>)
    return SettingKind::choice;
  else if constexpr (detail::is_vector<T>::value)
    return SettingKind::list;
  else
    return SettingKind::text;
}

template <class T>
std::vector<SettingChoice> choices_of() {
  std::vector<SettingChoice> result;
  if constexpr (DescribedEnum<T>)
    for (const auto& choice : choices(std::type_identity<T>{}))
      result.push_back({std::string(choice.id), std::string(choice.label), std::string(choice.help)});
  return result;
}

/// Where the walk is: the path so far, its top-level section, and what is inherited from the groups above.
struct Place {
  std::string path;
  std::string section;
  std::string section_label;
  std::string group_label;  ///< of a group inside the section: put before the labels of its leaves
  Level level = Level::basic;
};

std::string label_in_group(const std::string& group, std::string label) {
  if (group.empty()) return label;
  if (label.size() > 1 && !(label[1] >= 'A' && label[1] <= 'Z')) label[0] = static_cast<char>(std::tolower(label[0]));
  return group + ": " + label;
}

template <class T>
void collect(const T& defaults, const Place& place, std::vector<Setting>& out) {
  for_each_field<T>([&](const auto& f) {
    using Value = std::remove_cvref_t<decltype(defaults.*(f.member))>;
    const std::string path = detail::join(place.path, f.key);
    if (path == "schema_version") return;  // of the file, not a choice
    if constexpr (Described<Value>) {
      const bool top = place.path.empty();
      const Level level = place.level == Level::advanced ? Level::advanced : f.meta.level;
      collect(defaults.*(f.member),
              Place{path, top ? std::string(f.key) : place.section,
                    top ? std::string(f.meta.label) : place.section_label, top ? "" : std::string(f.meta.label), level},
              out);
    } else {
      Setting setting{path,
                      place.section.empty() ? "general" : place.section,
                      place.section.empty() ? "General" : place.section_label,
                      label_in_group(place.group_label, std::string(f.meta.label)),
                      std::string(f.meta.help),
                      std::string(f.meta.unit),
                      kind_of<Value>(),
                      f.meta.editor,
                      place.level == Level::advanced ? Level::advanced : f.meta.level,
                      f.meta.min,
                      f.meta.max,
                      f.meta.above_min,
                      choices_of<Value>(),
                      std::string(f.meta.relevant_if),
                      write_json(defaults.*(f.member))};
      if (path == "model.architecture") {
        setting.kind = SettingKind::choice;
        for (const auto& architecture : models::architectures())
          setting.choices.push_back(
              {std::string(architecture.id), std::string(architecture.label), std::string(architecture.help)});
      }
      out.push_back(std::move(setting));
    }
  });
}

template <class T>
Json type_schema();

template <class T>
std::string type_name() {
  if constexpr (detail::is_optional<T>::value)
    return type_name<typename T::value_type>() + ", may be missing";
  else if constexpr (std::is_same_v<T, Json>)
    return "object";
  else if constexpr (detail::is_map<T>::value)
    return "object of name to " + type_name<typename T::mapped_type>();
  else if constexpr (Described<T>)
    return "object";
  else if constexpr (detail::is_vector<T>::value)
    return "list of " + type_name<typename T::value_type>();
  else
    switch (kind_of<T>()) {
      case SettingKind::toggle:
        return "true or false";
      case SettingKind::integer:
        return "whole number";
      case SettingKind::number:
        return "number";
      case SettingKind::choice:
        return "choice";
      default:
        return "text";
    }
}

template <class T>
Json type_schema() {
  Json fields = Json::object();
  for_each_field<T>([&](const auto& f) {
    using Value = std::remove_cvref_t<decltype(std::declval<T>().*(f.member))>;
    Json entry = Json::object();
    entry["type"] = type_name<Value>();
    if (!f.meta.help.empty()) entry["help"] = std::string(f.meta.help);
    if (!f.meta.unit.empty()) entry["unit"] = std::string(f.meta.unit);
    if constexpr (DescribedEnum<Value>)
      for (const auto& choice : choices_of<Value>()) entry["choices"].push_back(choice.id);
    if constexpr (Described<Value>) entry["fields"] = type_schema<Value>();
    if constexpr (detail::is_vector<Value>::value)
      if constexpr (Described<typename Value::value_type>) entry["fields"] = type_schema<typename Value::value_type>();
    fields[std::string(f.key)] = std::move(entry);
  });
  return fields;
}

template <std::size_t... I>
Json events_schema(std::index_sequence<I...>) {
  Json events = Json::object();
  ((events[std::string(event_kinds[I])] = type_schema<std::variant_alternative_t<I, Event>>()), ...);
  return events;
}

Json settings_schema() {
  Json list = Json::array();
  for (const auto& setting : settings()) {
    static constexpr std::array kinds{"true or false", "whole number", "number", "text", "choice", "list"};
    Json entry{{"path", setting.path},
               {"label", setting.label},
               {"help", setting.help},
               {"type", kinds[static_cast<std::size_t>(setting.kind)]},
               {"default", setting.default_value}};
    if (!setting.unit.empty()) entry["unit"] = setting.unit;
    if (setting.min) entry[setting.above_min ? "more_than" : "minimum"] = *setting.min;
    if (setting.max) entry["maximum"] = *setting.max;
    for (const auto& choice : setting.choices)
      entry["choices"].push_back(Json{{"id", choice.id}, {"label", choice.label}, {"help", choice.help}});
    if (!setting.relevant_if.empty()) entry["relevant_if"] = setting.relevant_if;
    entry["advanced"] = setting.level == Level::advanced;
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

const std::vector<Setting>& settings() {
  static const std::vector<Setting> all = [] {
    std::vector<Setting> list;
    collect(load_config(Json::object()).config, Place{}, list);
    return list;
  }();
  return all;
}

Json value_at(const Json& document, const std::string& path) {
  const Json* place = &document;
  std::string_view rest = path;
  while (true) {
    const auto dot = rest.find('.');
    if (!place->is_object()) return nullptr;
    const auto found = place->find(std::string(rest.substr(0, dot)));
    if (found == place->end()) return nullptr;
    if (dot == std::string_view::npos) return *found;
    place = &*found;
    rest = rest.substr(dot + 1);
  }
}

void put_at(Json& document, const std::string& path, Json value) {
  Json* place = &document;
  std::string_view rest = path;
  for (auto dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
    Json& child = (*place)[std::string(rest.substr(0, dot))];
    if (!child.is_object()) child = Json::object();
    place = &child;
    rest = rest.substr(dot + 1);
  }
  (*place)[std::string(rest)] = std::move(value);
}

bool is_relevant(const Setting& setting, const Json& document) {
  const auto equals = setting.relevant_if.find('=');
  if (equals == std::string::npos) return true;
  const std::string path = setting.relevant_if.substr(0, equals);
  Json value = value_at(document, path);
  if (value.is_null())
    for (const auto& other : settings())
      if (other.path == path) value = other.default_value;
  std::string_view allowed = std::string_view(setting.relevant_if).substr(equals + 1);
  while (!allowed.empty()) {
    const auto comma = allowed.find(',');
    if (value == std::string(allowed.substr(0, comma))) return true;
    allowed = comma == std::string_view::npos ? std::string_view{} : allowed.substr(comma + 1);
  }
  return false;
}

Json schema() {
  Json questions = Json::object();
  questions["load"] = Json{{"question", type_schema<LoadQuestion>()}, {"answer", type_schema<LoadAnswer>()}};
  questions["rank"] = Json{{"question", type_schema<RankQuestion>()}, {"answer", type_schema<RankAnswer>()}};
  questions["preview"] = Json{{"question", type_schema<PreviewQuestion>()}, {"answer", type_schema<PreviewAnswer>()}};
  questions["measure"] = Json{{"question", type_schema<MeasureQuestion>()}, {"answer", type_schema<MeasureAnswer>()}};
  questions["error"] = Json{{"answer", type_schema<ProblemAnswer>()}};
  return Json{{"schema_version", config_schema_version},
              {"settings", settings_schema()},
              {"events", events_schema(std::make_index_sequence<std::variant_size_v<Event>>{})},
              {"command", type_schema<Command>()},
              {"serve", std::move(questions)}};
}

}  // namespace disco
