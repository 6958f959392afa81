// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/config_options.h"
#include "engine/data/cartoons/write_cartoons.h"
#include "engine/data/inspection.h"
#include "engine/inspect/preview.h"

namespace disco::cli {
namespace fs = std::filesystem;
namespace {

/// A line on stderr that is written over; only where a person looks.
bool show_progress(std::int64_t done, std::int64_t total) {
  if (::isatty(STDERR_FILENO) == 0) return true;
  std::fprintf(stderr, "\r%lld of %lld", static_cast<long long>(done), static_cast<long long>(total));
  if (done >= total) std::fputc('\n', stderr);
  return true;
}

struct CartoonOptions {
  std::string folder;
  std::int64_t count = 1000;
  std::uint64_t seed = 1;
  int size = 384;
  bool held_out = false;
};

void add_make_cartoons(CLI::App& data, Action& action) {
  auto options = std::make_shared<CartoonOptions>();
  auto* command = data.add_subcommand("make-cartoons", "Write cartoons with captions as a folder of pictures");
  command->add_option("out", options->folder, "New or empty folder")->required()->type_name("OUT");
  command->add_option("--count", options->count, "Pictures")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{10000000}));
  command->add_option("--seed", options->seed, "Another seed, other scenes");
  command->add_option("--size", options->size, "Side in pixels")->check(CLI::Range(16, 2048));
  command->add_flag("--held-out", options->held_out, "Scenes to judge by, with five candidate captions each");
  command->callback([options, &action] {
    action = [options] {
      const auto written = data::cartoons::write_cartoons(
          options->folder,
          {.count = options->count,
           .seed = options->seed,
           .size = options->size,
           .split = options->held_out ? data::cartoons::Split::kHeldOut : data::cartoons::Split::kTraining,
           .progress = show_progress});
      if (!written) return report(written.error());
      std::printf("%lld pictures in %s\n", static_cast<long long>(options->count), options->folder.c_str());
      return exit_ok;
    };
  });
}

void print_report(const data::DataReport& report) {
  const auto number = [](std::int64_t value) { return static_cast<long long>(value); };
  std::printf("%s: %lld pictures with captions, %lld captions\n", report.source.what.c_str(),
              number(report.source.used), number(report.source.captions));
  for (const auto& format : report.formats) std::printf("  %lld × %s\n", number(format.count), format.format.c_str());
  std::printf("  %.0f × %.0f to %.0f × %.0f pixels\n", report.width.smallest, report.height.smallest,
              report.width.largest, report.height.largest);
  const auto list = [&](const char* title, const std::vector<data::Skipped>& items) {
    for (const auto& item : items) {
      std::printf("%s: %lld × %s", title, number(item.count), item.reason.c_str());
      if (!item.examples.empty()) std::printf(" (%s …)", item.examples.front().c_str());
      std::printf("\n");
    }
  };
  list("skipped", report.source.skipped);
  list("unreadable", report.unreadable);
  list("usable, but", report.reservations);
}

struct InspectCommand {
  std::string path;
  ConfigOptions config;
  bool quick = false;
  bool json = false;
};

int inspect(const InspectCommand& options) {
  DataSettings settings;
  if (options.config.given()) {
    const auto loaded = read_config(options.config);
    if (!loaded) return report(loaded.error());
    settings = loaded->config.data;
  }
  settings.path = options.path;
  settings.source = fs::is_directory(options.path) ? DataKind::folder : DataKind::table;
  settings.validation_share = 0;  // all of it
  const auto sources = data::open_sources(settings);
  if (!sources) return report(sources.error());
  const auto found = data::inspect(*sources->train, {.decode = !options.quick, .progress = show_progress});
  if (options.json)
    print_json(write_json(found));
  else
    print_report(found);
  return exit_ok;
}

void add_inspect(CLI::App& data, Action& action) {
  auto options = std::make_shared<InspectCommand>();
  auto* command = data.add_subcommand("inspect", "What is in a folder or table of pictures, and what is wrong with it");
  command->add_option("path", options->path, "Folder of pictures, or CSV or TSV file")->required()->type_name("PATH");
  options->config.add_to(*command);
  command->add_flag("--quick", options->quick, "Read only the headers of pictures");
  command->add_flag("--json", options->json, "Answer as JSON");
  command->callback([options, &action] { action = [options] { return inspect(*options); }; });
}

struct PreviewCommand {
  ConfigOptions config;
  std::string folder = "preview";
  int count = 6;
  bool json = false;
};

int show_preview(const PreviewCommand& options) {
  auto loaded = read_config(options.config);
  if (!loaded) return report(loaded.error());
  std::erase_if(loaded->problems, [](const Problem& problem) { return problem.path == "budget"; });
  if (!loaded->problems.empty()) return report(loaded->problems, options.config.name());
  const auto answer = preview(loaded->config, options.count, options.folder);
  if (!answer) return report(answer.error());
  if (options.json) {
    print_json(write_json(*answer));
    return exit_ok;
  }
  for (const auto& sample : answer->samples) {
    std::printf("%s  %s\n  %s\n  ", sample.image.c_str(), sample.origin.c_str(), sample.caption.c_str());
    for (const auto& token : sample.tokens) std::printf("[%s]", token.c_str());
    std::printf("%s\n", sample.cut ? " (cut)" : "");
    for (const auto& negative : sample.negatives) std::printf("  not: %s\n", negative.c_str());
  }
  for (const auto& reason : answer->skipped_reasons) std::printf("skipped: %s\n", reason.c_str());
  return exit_ok;
}

void add_preview(CLI::App& data, Action& action) {
  auto options = std::make_shared<PreviewCommand>();
  auto* command = data.add_subcommand("preview", "The first samples as the model sees them, with their tokens");
  options->config.add_to(*command);
  command->add_option("--out", options->folder, "Folder for the pictures")->capture_default_str();
  command->add_option("--count", options->count, "Samples")->check(CLI::Range(1, 100));
  command->add_flag("--json", options->json, "Answer as JSON");
  command->callback([options, &action] { action = [options] { return show_preview(*options); }; });
}

}  // namespace

void add_data(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("data", "Data sets: make cartoons, look into a folder, see what a model sees");
  command->require_subcommand(1);
  add_make_cartoons(*command, action);
  add_inspect(*command, action);
  add_preview(*command, action);
}

}  // namespace disco::cli
