// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/config_options.h"
#include "engine/run/presets.h"
#include "engine/run/settings.h"

namespace disco::cli {
namespace {

void print_setting(const Setting& setting) {
  std::string kind;
  for (const auto& choice : setting.choices) kind += (kind.empty() ? "" : " | ") + choice.id;
  if (!setting.unit.empty()) kind += (kind.empty() ? "" : ", ") + setting.unit;
  std::printf("%-36s %s\n", setting.path.c_str(), setting.label.c_str());
  std::printf("    %s\n    default %s%s%s\n", setting.help.c_str(), setting.default_value.dump().c_str(),
              kind.empty() ? "" : "; ", kind.c_str());
}

void add_schema(CLI::App& config, Action& action) {
  auto json = std::make_shared<bool>(false);
  auto* command = config.add_subcommand("schema", "All settings, events, commands and questions of serve");
  command->add_flag("--json", *json, "As one JSON document");
  command->callback([json, &action] {
    action = [json] {
      if (*json)
        print_json(schema());
      else
        for (const auto& setting : settings()) print_setting(setting);
      return exit_ok;
    };
  });
}

void add_show(CLI::App& config, Action& action) {
  auto options = std::make_shared<ConfigOptions>();
  auto* command = config.add_subcommand("show", "The complete configuration with every default written out");
  options->add_to(*command);
  command->add_flag("--json")->description("The answer is JSON in any case");
  command->callback([options, &action] {
    action = [options] {
      const auto loaded = read_config(*options);
      if (!loaded) return report(loaded.error());
      print_json(write_json(loaded->config));
      return loaded->problems.empty() ? exit_ok : report(loaded->problems, options->name());
    };
  });
}

void add_validate(CLI::App& config, Action& action) {
  struct Options {
    ConfigOptions config;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  auto* command = config.add_subcommand("validate", "Name everything that is wrong with a configuration");
  options->config.add_to(*command);
  command->add_flag("--json", options->json, "Problems as JSON");
  command->callback([options, &action] {
    action = [options] {
      const auto loaded = read_config(options->config);
      if (!loaded) return report(loaded.error());
      if (options->json) {
        Json problems = Json::array();
        for (const auto& problem : loaded->problems)
          problems.push_back({{"path", problem.path}, {"what", problem.what}, {"hint", problem.hint}});
        print_json({{"problems", problems}});
        return loaded->problems.empty() ? exit_ok : exit_usage;
      }
      if (!loaded->problems.empty()) return report(loaded->problems, options->config.name());
      std::printf("%s is right\n", options->config.name().c_str());
      return exit_ok;
    };
  });
}

void add_presets(CLI::App& config, Action& action) {
  auto json = std::make_shared<bool>(false);
  auto* command = config.add_subcommand("presets", "Named starting points");
  command->add_flag("--json", *json, "With their settings, as JSON");
  command->callback([json, &action] {
    action = [json] {
      const auto all = presets();
      if (!all) return report(all.error());
      Json list = Json::array();
      for (const auto& preset : *all) {
        list.push_back({{"id", preset.id}, {"label", preset.label}, {"help", preset.help}, {"config", preset.config}});
        if (!*json) std::printf("%-16s %s. %s\n", preset.id.c_str(), preset.label.c_str(), preset.help.c_str());
      }
      if (*json) print_json(list);
      return exit_ok;
    };
  });
}

}  // namespace

void add_config(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("config", "Settings: what there is, what holds, what is wrong");
  command->require_subcommand(1);
  add_schema(*command, action);
  add_show(*command, action);
  add_validate(*command, action);
  add_presets(*command, action);
}

}  // namespace disco::cli
