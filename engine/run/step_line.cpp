// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/step_line.h"

#include <charconv>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <type_traits>

namespace disco {
namespace {

/// Walks over a line; every reader returns false at the first thing it does not expect.
class StepLine {
 public:
  explicit StepLine(std::string_view line) : at_(line.data()), end_(line.data() + line.size()) {}

  bool literal(std::string_view text) {
    if (static_cast<std::size_t>(end_ - at_) < text.size() || std::memcmp(at_, text.data(), text.size()) != 0)
      return false;
    at_ += text.size();
    return true;
  }

  bool read(double& value) {
    if (at_ < end_ && *at_ == '"') return read_word(value);
    const auto [stop, code] = std::from_chars(at_, end_, value);
    at_ = stop;
    return code == std::errc{};
  }

  bool read(std::int64_t& value) {
    const auto [stop, code] = std::from_chars(at_, end_, value);
    at_ = stop;
    return code == std::errc{};
  }

  bool read(bool& value) {
    value = literal("true");
    return value || literal("false");
  }

  bool read(std::map<std::string, double>& values) {
    if (!literal("{")) return false;
    if (literal("}")) return true;
    do {
      std::string_view key;
      if (!read_key(key) || !read(values[std::string(key)])) return false;
    } while (literal(","));
    return literal("}");
  }

  template <Described T>
  bool read(T& value) {
    return literal("{") && read_fields(value);
  }

  /// The fields of T in their order, up to and with the closing brace.
  template <Described T>
  bool read_fields(T& value) {
    bool first = true;
    bool good = true;
    for_each_field<T>([&](const auto& f) {
      if (!good) return;
      good = (first || literal(",")) && expect_key(f.key) && read(value.*(f.member));
      first = false;
    });
    return good && literal("}");
  }

  [[nodiscard]] bool at_end() const { return at_ == end_; }

 private:
  bool expect_key(std::string_view key) { return literal("\"") && literal(key) && literal("\":"); }

  bool read_key(std::string_view& key) {
    if (!literal("\"")) return false;
    const auto* close = static_cast<const char*>(std::memchr(at_, '"', static_cast<std::size_t>(end_ - at_)));
    if (!close) return false;
    key = std::string_view(at_, static_cast<std::size_t>(close - at_));
    at_ = close;
    return key.find('\\') == std::string_view::npos && literal("\":");
  }

  bool read_word(double& value) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (literal("\"NaN\"")) {
      value = std::numeric_limits<double>::quiet_NaN();
      return true;
    }
    const bool positive = literal("\"Infinity\"");
    value = positive ? infinity : -infinity;
    return positive || literal("\"-Infinity\"");
  }

  const char* at_;
  const char* end_;
};

}  // namespace

std::optional<StepEvent> parse_step_line(std::string_view line) {
  StepLine reader(line);
  StepEvent event;
  if (!reader.literal(R"({"kind":"step",)") || !reader.read_fields(event) || !reader.at_end()) return std::nullopt;
  return event;
}

}  // namespace disco
