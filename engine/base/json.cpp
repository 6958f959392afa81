// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json.h"

#include <algorithm>
#include <numeric>

namespace disco {
namespace {

constexpr int deepest_nesting = 200;

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

std::string Problem::message() const {
  std::string text = path.empty() ? what : path + ": " + what;
  if (!hint.empty()) text += ". " + hint;
  return text;
}

Error to_error(const Problems& problems, std::string where) {
  std::string what;
  for (const auto& problem : problems) what += (what.empty() ? "" : "\n") + problem.message();
  return {std::move(what), std::move(where), ""};
}

Result<Json> parse_json(std::string_view text, const std::string& where) {
  int depth = 0;
  bool too_deep = false;
  const auto callback = [&](int level, Json::parse_event_t, Json&) {
    depth = level;
    too_deep = too_deep || level > deepest_nesting;
    return !too_deep;
  };
  try {
    Json parsed = Json::parse(text.begin(), text.end(), callback);
    if (too_deep) return failure("is nested more than 200 levels deep", where, "Use a flatter file.");
    return parsed;
  } catch (const Json::parse_error& error) {
    const auto at = std::min<std::size_t>(error.byte, text.size());
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    return failure("is not JSON (line " + std::to_string(line) + ")", where,
                   "Correct the file or restore a copy of it.");
  } catch (const Json::exception& error) {
    return failure(std::string("cannot be read as JSON: ") + error.what(), where);
  }
}

std::string nearest_name(std::string_view name, const std::vector<std::string_view>& candidates) {
  std::string_view best;
  std::size_t least = std::max<std::size_t>(2, name.size() / 2) + 1;
  for (const auto candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return std::string(best);
}

namespace detail {

std::string range_text(const Meta& meta) {
  if (!meta.min && !meta.max) return "";
  const std::string low = meta.min ? number_text(*meta.min) : "";
  if (meta.min && meta.max && !meta.above_min) return "from " + low + " to " + number_text(*meta.max);
  std::string text;
  if (meta.min) text = meta.above_min ? "more than " + low : "at least " + low;
  if (meta.max) text += (text.empty() ? "at most " : " and at most ") + number_text(*meta.max);
  return text;
}

bool in_range(double value, const Meta& meta) {
  if (meta.min && (meta.above_min ? !(value > *meta.min) : !(value >= *meta.min))) return false;
  return !meta.max || value <= *meta.max;
}

std::string shown(const Json& value) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

}  // namespace detail
}  // namespace disco
