// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/events.h"

#include "engine/base/clock.h"
#include "engine/run/step_line.h"

namespace disco {
namespace {

template <std::size_t I = 0>
Result<std::optional<Event>> read_kind(std::string_view kind, const Json& json) {
  if constexpr (I == std::variant_size_v<Event>) {
    return std::optional<Event>{};
  } else {
    if (kind != event_kinds[I]) return read_kind<I + 1>(kind, json);
    std::variant_alternative_t<I, Event> event;
    Problems problems;
    read_json(json, event, "", problems, UnknownKeys::ignore);
    if (!problems.empty()) return failure("is not an event: " + problems.front().message());
    return std::optional<Event>(Event(std::move(event)));
  }
}

}  // namespace

std::string event_line(const Event& event) {
  return std::visit(
      [&](const auto& body) {
        Json line = Json::object();
        line["kind"] = std::string(event_kinds[event.index()]);
        line.update(write_json(body));
        if (body.time == 0) line["time"] = wall_seconds();
        return line.dump(-1, ' ', false, Json::error_handler_t::replace);
      },
      event);
}

Result<std::optional<Event>> parse_event(std::string_view line) {
  // Most lines of a long run are steps, and most steps are as we write them.
  if (auto step = parse_step_line(line)) return std::optional<Event>(Event(std::move(*step)));
  DISCO_TRY(const Json json, parse_json(line, ""));
  if (!json.is_object() || !json.contains("kind") || !json["kind"].is_string())
    return failure("is not an event: an object with a kind is expected");
  return read_kind(json["kind"].get_ref<const std::string&>(), json);
}

double time_of(const Event& event) {
  return std::visit([](const auto& body) { return body.time; }, event);
}

}  // namespace disco
