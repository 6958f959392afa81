// SPDX-License-Identifier: GPL-3.0-or-later
//
// JSON over described structs. Reading collects every problem with its path instead of stopping at the first.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/described.h"
#include "engine/base/error.h"
#include "engine/base/number.h"

namespace disco {

using Json = nlohmann::ordered_json;

/// One thing wrong with a document: where ("optimizer.learning_rate"), what, and what would be right.
struct Problem {
  std::string path;
  std::string what;
  std::string hint;

  [[nodiscard]] std::string message() const;
};
using Problems = std::vector<Problem>;

/// All problems as one Error, a line each; for places that can only show one text.
[[nodiscard]] Error to_error(const Problems& problems, std::string where);

/// Parses text; the error names the line and column. Nesting deeper than 200 levels is refused.
[[nodiscard]] Result<Json> parse_json(std::string_view text, const std::string& where);

/// The candidate nearest to `name` by edit distance, or empty when none is near.
[[nodiscard]] std::string nearest_name(std::string_view name, const std::vector<std::string_view>& candidates);

/// Whether a key that is not described is a problem (settings) or ignored (events of a newer engine).
enum class UnknownKeys { report, ignore };

namespace detail {

template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};
template <class T>
struct is_vector : std::false_type {};
template <class T>
struct is_vector<std::vector<T>> : std::true_type {};
template <class T>
struct is_map : std::false_type {};
template <class T>
struct is_map<std::map<std::string, T>> : std::true_type {};
template <class T>
struct is_array : std::false_type {};
template <class T, std::size_t N>
struct is_array<std::array<T, N>> : std::true_type {};

inline std::string join(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}

std::string range_text(const Meta& meta);
bool in_range(double value, const Meta& meta);
std::string shown(const Json& value);

}  // namespace detail

template <class T>
[[nodiscard]] Json write_json(const T& value);

/// A number as JSON; NaN and the infinities, which JSON lacks, as the strings "NaN", "Infinity" and "-Infinity".
[[nodiscard]] inline Json write_number(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return "NaN";
  return value > 0 ? "Infinity" : "-Infinity";
}

template <class T>
Json write_json(const T& value) {
  if constexpr (Described<T>) {
    Json object = Json::object();
    for_each_field<T>([&](const auto& f) {
      using Value = std::remove_cvref_t<decltype(value.*(f.member))>;
      if constexpr (detail::is_optional<Value>::value) {
        if (!(value.*(f.member)).has_value()) return;
      }
      object[std::string(f.key)] = write_json(value.*(f.member));
    });
    return object;
  } else if constexpr (DescribedEnum<T>) {
    return std::string(id_of(value));
  } else if constexpr (detail::is_optional<T>::value) {
    return value ? write_json(*value) : Json(nullptr);
  } else if constexpr (detail::is_vector<T>::value || detail::is_array<T>::value) {
    Json array = Json::array();
    for (const auto& item : value) array.push_back(write_json(item));
    return array;
  } else if constexpr (detail::is_map<T>::value) {
    Json object = Json::object();
    for (const auto& [key, item] : value) object[key] = write_json(item);
    return object;
  } else if constexpr (std::is_floating_point_v<T>) {
    return write_number(static_cast<double>(value));
  } else {
    return Json(value);
  }
}

template <class T>
void read_json(const Json& json, T& value, const std::string& path, Problems& problems,
               UnknownKeys unknown = UnknownKeys::report, const Meta& meta = {});

namespace detail {

template <class T>
void read_object(const Json& json, T& value, const std::string& path, Problems& problems, UnknownKeys unknown) {
  if (!json.is_object()) {
    problems.push_back({path, "must be an object, is " + shown(json), ""});
    return;
  }
  std::vector<std::string_view> keys;
  for_each_field<T>([&](const auto& f) {
    keys.push_back(f.key);
    auto found = json.find(std::string(f.key));
    if (found != json.end()) read_json(*found, value.*(f.member), join(path, f.key), problems, unknown, f.meta);
  });
  if (unknown == UnknownKeys::ignore) return;
  for (const auto& [key, item] : json.items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    const std::string near = nearest_name(key, keys);
    problems.push_back(
        {join(path, key), "is not a known setting", near.empty() ? "" : "Did you mean " + join(path, near) + "?"});
  }
}

template <class T>
void read_number(const Json& json, T& value, const std::string& path, Problems& problems, const Meta& meta) {
  double number = 0;
  if (json.is_number()) {
    number = json.get<double>();
  } else if (json == "NaN") {
    number = std::numeric_limits<double>::quiet_NaN();
  } else if (json == "Infinity" || json == "-Infinity") {
    number = json == "Infinity" ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  } else {
    problems.push_back({path, "must be a number, is " + shown(json), range_text(meta)});
    return;
  }
  if constexpr (std::is_integral_v<T>) {
    if (json.is_number_integer()) {
      const bool fits = json.is_number_unsigned() ? std::in_range<T>(json.template get<std::uint64_t>())
                                                  : std::in_range<T>(json.template get<std::int64_t>());
      if (!fits) {
        problems.push_back({path, "is too large for a whole number here: " + shown(json), range_text(meta)});
        return;
      }
    } else if (number != std::floor(number) || std::abs(number) > 9e15 ||
               !std::in_range<T>(static_cast<std::int64_t>(number))) {
      problems.push_back({path, "must be a whole number, is " + shown(json), range_text(meta)});
      return;
    }
  }
  if (!in_range(number, meta)) {
    problems.push_back({path, "must be " + range_text(meta) + ", is " + shown(json), ""});
    return;
  }
  if constexpr (std::is_integral_v<T>) {
    value = json.is_number_integer() ? json.template get<T>() : static_cast<T>(static_cast<std::int64_t>(number));
  } else {
    value = static_cast<T>(number);
  }
}

template <class T>
void read_choice(const Json& json, T& value, const std::string& path, Problems& problems) {
  if (json.is_string()) {
    if (auto found = from_id<T>(json.template get_ref<const std::string&>())) {
      value = *found;
      return;
    }
  }
  std::string allowed;
  for (const auto& choice : choices(std::type_identity<T>{}))
    allowed += (allowed.empty() ? "" : ", ") + std::string(choice.id);
  problems.push_back({path, "must be one of " + allowed + ", is " + shown(json), ""});
}

}  // namespace detail

/// Reads `json` into `value`; what is not mentioned keeps its value. Every problem is added with its path.
template <class T>
void read_json(const Json& json, T& value, const std::string& path, Problems& problems, UnknownKeys unknown,
               const Meta& meta) {
  if constexpr (Described<T>) {
    detail::read_object(json, value, path, problems, unknown);
  } else if constexpr (DescribedEnum<T>) {
    detail::read_choice(json, value, path, problems);
  } else if constexpr (detail::is_optional<T>::value) {
    if (json.is_null()) {
      value.reset();
    } else {
      typename T::value_type inner{};
      const auto before = problems.size();
      read_json(json, inner, path, problems, unknown, meta);
      if (problems.size() == before) value = std::move(inner);
    }
  } else if constexpr (std::is_same_v<T, bool>) {
    if (json.is_boolean())
      value = json.get<bool>();
    else
      problems.push_back({path, "must be true or false, is " + detail::shown(json), ""});
  } else if constexpr (std::is_arithmetic_v<T>) {
    detail::read_number(json, value, path, problems, meta);
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (json.is_string())
      value = json.get<std::string>();
    else
      problems.push_back({path, "must be text, is " + detail::shown(json), ""});
  } else if constexpr (detail::is_vector<T>::value) {
    if (!json.is_array()) {
      problems.push_back({path, "must be a list, is " + detail::shown(json), ""});
      return;
    }
    value.clear();
    value.reserve(json.size());
    for (std::size_t i = 0; i < json.size(); ++i) {
      typename T::value_type item{};
      read_json(json[i], item, path + "[" + std::to_string(i) + "]", problems, unknown, meta);
      value.push_back(std::move(item));
    }
  } else if constexpr (detail::is_array<T>::value) {
    if (!json.is_array() || json.size() != value.size()) {
      problems.push_back(
          {path, "must be a list of " + std::to_string(value.size()) + ", is " + detail::shown(json), ""});
      return;
    }
    for (std::size_t i = 0; i < value.size(); ++i)
      read_json(json[i], value[i], path + "[" + std::to_string(i) + "]", problems, unknown, meta);
  } else if constexpr (detail::is_map<T>::value) {
    if (!json.is_object()) {
      problems.push_back({path, "must be an object, is " + detail::shown(json), ""});
      return;
    }
    for (const auto& [key, item] : json.items())
      read_json(item, value[key], detail::join(path, key), problems, unknown, meta);
  } else {
    static_assert(std::is_same_v<T, Json>, "read_json does not know this type: describe it, or add it here");
    value = json;
  }
}

/// Turns the text of `--set path=value` into the JSON that field `T` expects: numbers with units, true/false, ids,
/// lists as JSON or comma-separated. Text that fits nothing stays a string, so that reading names the problem.
template <class T>
[[nodiscard]] Json json_from_text(std::string_view text) {
  if constexpr (detail::is_optional<T>::value) {
    if (text.empty() || text == "none") return nullptr;
    return json_from_text<typename T::value_type>(text);
  } else if constexpr (std::is_same_v<T, bool>) {
    if (text == "true" || text == "yes" || text == "1") return true;
    if (text == "false" || text == "no" || text == "0") return false;
    return std::string(text);
  } else if constexpr (std::is_arithmetic_v<T>) {
    if (std::is_integral_v<T>) {
      T whole{};
      const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), whole);
      if (code == std::errc{} && end == text.data() + text.size()) return whole;
    }
    if (auto number = parse_number(text)) return *number;
    return std::string(text);
  } else if constexpr (detail::is_vector<T>::value) {
    if (text.starts_with("[")) {
      if (auto parsed = parse_json(text, "")) return *parsed;
    }
    Json list = Json::array();
    while (!text.empty()) {
      const auto comma = text.find(',');
      list.push_back(json_from_text<typename T::value_type>(text.substr(0, comma)));
      text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    }
    return list;
  } else if constexpr (std::is_same_v<T, std::string> || DescribedEnum<T>) {
    return std::string(text);
  } else {
    if (auto parsed = parse_json(text, "")) return *parsed;
    return std::string(text);
  }
}

}  // namespace disco
