// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/run_colours.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/json.h"
#include "ui/theme/theme.h"

namespace disco::ui {
namespace {

constexpr std::uint64_t largest_file = 4U << 20;

}  // namespace

void RunColours::open(const QString& workspace) {
  file_ = workspace + QStringLiteral("/.disco-studio.json");
  numbers_.clear();
  const auto text = read_file(file_.toStdString(), largest_file);
  if (!text) return;  // not there yet
  const auto json = parse_json(*text, file_.toStdString());
  if (!json || !json->is_object()) return;  // damaged: colours are given anew
  const auto colours = json->find("colours");
  if (colours == json->end() || !colours->is_object()) return;
  for (const auto& [id, number] : colours->items())
    if (number.is_number_integer() && number.get<int>() >= 0)
      numbers_.insert(QString::fromStdString(id), number.get<int>());
}

int RunColours::number(const QString& run_id) {
  if (const auto found = numbers_.constFind(run_id); found != numbers_.constEnd()) return *found;
  std::array<int, curve_colours.size()> uses{};
  for (const int number : std::as_const(numbers_)) ++uses[static_cast<std::size_t>(number) % uses.size()];
  const auto least = std::min_element(uses.begin(), uses.end());
  const int number = static_cast<int>(least - uses.begin()) + *least * static_cast<int>(uses.size());
  if (run_id.isEmpty()) return number;
  numbers_.insert(run_id, number);
  save();
  return number;
}

QColor RunColours::colour(const QString& run_id) { return theme().curve(number(run_id)); }

void RunColours::save() const {
  std::error_code code;
  const std::filesystem::path file = file_.toStdString();
  if (file_.isEmpty() || !std::filesystem::exists(file.parent_path(), code)) return;
  Json colours = Json::object();
  for (auto it = numbers_.cbegin(); it != numbers_.cend(); ++it) colours[it.key().toStdString()] = it.value();
  // A workspace that cannot be written keeps its colours for this session only.
  static_cast<void>(write_atomically(file, Json{{"colours", colours}}.dump(1) + "\n"));
}

}  // namespace disco::ui
