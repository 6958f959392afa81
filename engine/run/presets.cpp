// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/presets.h"

#include <algorithm>
#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/resources.h"

namespace disco {
namespace fs = std::filesystem;

namespace {

struct OrderedPreset {
  double order;
  Preset preset;
};

Result<OrderedPreset> read_preset(const fs::path& path) {
  DISCO_TRY(const std::string text, read_file(path, 1U << 20));
  DISCO_TRY(const Json document, parse_json(text, path.string()));
  if (!document.is_object() || !document.contains("label") || !document.contains("config"))
    return failure("is not a preset: label and config are expected", path.string());
  return OrderedPreset{
      document.value("order", 1e9),
      {path.stem().string(), document.value("label", ""), document.value("help", ""), document["config"]}};
}

}  // namespace

Result<std::vector<Preset>> presets() {
  const fs::path folder = resource_path("presets");
  std::error_code code;
  std::vector<OrderedPreset> found;
  for (const auto& entry : fs::directory_iterator(folder, code)) {
    if (entry.path().extension() != ".json") continue;
    DISCO_TRY(auto preset, read_preset(entry.path()));
    found.push_back(std::move(preset));
  }
  if (code)
    return failure("cannot be read: " + code.message(), folder.string(),
                   "Install the program again, or set DISCO_RESOURCES.");
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.order != b.order ? a.order < b.order : a.preset.id < b.preset.id;
  });
  std::vector<Preset> result;
  for (auto& item : found) result.push_back(std::move(item.preset));
  return result;
}

Result<Preset> find_preset(const std::string& id) {
  DISCO_TRY(auto all, presets());
  std::vector<std::string_view> ids;
  std::string list;
  for (auto& preset : all) {
    if (preset.id == id) return std::move(preset);
    ids.push_back(preset.id);
    list += (list.empty() ? "" : ", ") + preset.id;
  }
  const std::string near = nearest_name(id, ids);
  return failure("there is no preset \"" + id + "\"", "",
                 near.empty() ? "Known: " + list + "." : "Did you mean " + near + "?");
}

}  // namespace disco
