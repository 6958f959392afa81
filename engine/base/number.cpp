// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace disco {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array units{Unit{"", 1},
                           Unit{"%", 0.01},
                           Unit{"k", 1e3},
                           Unit{"K", 1e3},
                           Unit{"M", 1e6},
                           Unit{"s", 1},
                           Unit{"sec", 1},
                           Unit{"min", 60},
                           Unit{"h", 3600},
                           Unit{"d", 86400},
                           Unit{"B", 1},
                           Unit{"kB", 1e3},
                           Unit{"MB", 1e6},
                           Unit{"GB", 1e9},
                           Unit{"KiB", 1024.0},
                           Unit{"MiB", 1048576.0},
                           Unit{"GiB", 1073741824.0}};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// Splits "8 min" into its number, cleaned of grouping and with a decimal point, and its unit.
std::optional<std::pair<double, std::string_view>> split(std::string_view text) {
  text = trimmed(text);
  std::size_t end = 0;
  while (end < text.size() && (std::string_view("0123456789+-.,eE ").find(text[end]) != std::string_view::npos)) ++end;
  std::string digits;
  for (const char c : text.substr(0, end))
    if (c != ' ') digits += c;
  if (!digits.empty() && digits.front() == '+') digits.erase(0, 1);
  if (digits.find('.') == std::string::npos && std::count(digits.begin(), digits.end(), ',') == 1)
    std::replace(digits.begin(), digits.end(), ',', '.');
  double value = 0;
  const auto [stop, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (code != std::errc{} || stop != digits.data() + digits.size() || !std::isfinite(value)) return std::nullopt;
  return std::pair{value, trimmed(text.substr(end))};
}

std::optional<double> factor_of(std::string_view unit) {
  for (const auto& known : units)
    if (known.name == unit) return known.factor;
  return std::nullopt;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  const auto parts = split(text);
  if (!parts) return std::nullopt;
  const auto factor = factor_of(parts->second);
  if (!factor) return std::nullopt;
  return parts->first * *factor;
}

std::optional<double> parse_minutes(std::string_view text) {
  const auto parts = split(text);
  if (!parts) return std::nullopt;
  if (parts->second.empty()) return parts->first;
  const auto factor = factor_of(parts->second);
  if (!factor || std::string_view("s sec min h d").find(parts->second) == std::string_view::npos) return std::nullopt;
  return parts->first * *factor / 60;
}

std::string number_text(double value) {
  std::array<char, 32> buffer{};
  const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

std::string grouped_text(std::int64_t value) {
  std::string text = std::to_string(value);
  const std::ptrdiff_t first = value < 0 ? 1 : 0;
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > first; at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(std::max(0.0, seconds)));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

}  // namespace disco
