// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/cli/cli.h"
#include "app/cli/config_options.h"
#include "engine/base/resources.h"
#include "engine/bench/loss.h"
#include "engine/data/loader_bench.h"
#include "engine/inspect/measure.h"
#include "models/text/tokenizer.h"

namespace disco::cli {
namespace {

void add_loss(CLI::App& bench, Action& action) {
  struct Options {
    LossBenchOptions bench;
    std::string variant = "tiled";
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  auto* command = bench.add_subcommand("loss", "Time and memory of the contrastive loss, forward and backward");
  command->add_option("--batch", options->bench.batch, "Pairs")->capture_default_str();
  command->add_option("--dim", options->bench.dim, "Width of a feature")->capture_default_str();
  command->add_option("--variant", options->variant, "tiled or reference")
      ->check(CLI::IsMember({"tiled", "reference"}))
      ->capture_default_str();
  command->add_option("--repeats", options->bench.repeats, "Timed runs; the median counts")->capture_default_str();
  command->add_flag("--json", options->json, "Answer as JSON");
  command->callback([options, &action] {
    action = [options] {
      options->bench.variant = options->variant == "tiled" ? LossVariant::tiled : LossVariant::reference;
      const auto result = bench_loss(options->bench);
      if (!result) return report(result.error());
      if (options->json)
        print_json({{"seconds", result->seconds}, {"peak_bytes", result->peak_bytes}});
      else
        std::printf("%.4f s, %.1f MiB above the features\n", result->seconds,
                    static_cast<double>(result->peak_bytes) / (1024 * 1024));
      return exit_ok;
    };
  });
}

struct LoaderCommand {
  std::string path = "cartoons";
  int threads = 0;
  int size = 224;
  int batch = 64;
  double seconds = 5;
  bool json = false;
};

int bench_loader(const LoaderCommand& options) {
  DataSettings settings;
  if (options.path != "cartoons") {
    settings.path = options.path;
    settings.source = std::filesystem::is_directory(options.path) ? DataKind::folder : DataKind::table;
    settings.validation_share = 0;
  }
  const auto sources = data::open_sources(settings, {.picture_size = options.size});
  if (!sources) return report(sources.error());
  auto tokenizer = models::load_clip_tokenizer(resource_path("vocabularies/clip"));
  if (!tokenizer) return report(tokenizer.error());
  data::LoaderOptions loader;
  loader.batch_size = options.batch;
  loader.threads = options.threads;
  loader.preprocess = models::clip_preprocess(options.size);
  loader.tokenizer = *tokenizer;
  loader.negatives = settings.negatives_per_picture;
  const auto speed = data::measure_loader(sources->train, loader, options.seconds);
  if (!speed) return report(speed.error());
  if (options.json)
    print_json(write_json(*speed));
  else
    std::printf("%.1f samples/s with %d threads\n", speed->samples_per_second, speed->threads);
  return exit_ok;
}

void add_loader(CLI::App& bench, Action& action) {
  auto options = std::make_shared<LoaderCommand>();
  auto* command = bench.add_subcommand("loader", "How fast batches are read and prepared");
  command->add_option("path", options->path, "Folder, table, or cartoons")->capture_default_str();
  command->add_option("--threads", options->threads, "Loader threads; 0 chooses")->check(CLI::Range(0, 256));
  command->add_option("--size", options->size, "Side of the model's view in pixels")->check(CLI::Range(8, 2048));
  command->add_option("--batch", options->batch, "Samples of a batch")->check(CLI::Range(1, 65536));
  command->add_option("--seconds", options->seconds, "How long to measure")->capture_default_str();
  command->add_flag("--json", options->json, "Answer as JSON");
  command->callback([options, &action] { action = [options] { return bench_loader(*options); }; });
}

struct TrainCommand {
  ConfigOptions config;
  int steps = 20;
  bool json = false;
};

int bench_train(const TrainCommand& options) {
  auto loaded = read_config(options.config);
  if (!loaded) return report(loaded.error());
  std::erase_if(loaded->problems, [](const Problem& problem) { return problem.path == "budget"; });
  if (!loaded->problems.empty()) return report(loaded->problems, options.config.name());
  const auto measured = measure(loaded->config, options.steps, [](int) { return true; });
  if (!measured) return report(measured.error());
  if (options.json) {
    Json answer = write_json(measured->answer);
    answer["seconds"] = write_json(measured->seconds);
    print_json(answer);
    return exit_ok;
  }
  std::printf("%.1f pictures/s, a step takes %.4f s, %.0f MiB at most\n", measured->answer.samples_per_second,
              measured->answer.step_seconds, static_cast<double>(measured->answer.peak_bytes) / (1024 * 1024));
  for_each_field<StepSeconds>([&](const auto& part) {
    std::printf("  %-14s %.4f s\n", std::string(part.key).c_str(), measured->seconds.*(part.member));
  });
  return exit_ok;
}

void add_train_bench(CLI::App& bench, Action& action) {
  auto options = std::make_shared<TrainCommand>();
  auto* command = bench.add_subcommand("train", "Real training steps of a configuration; nothing is written");
  options->config.add_to(*command);
  command->add_option("--steps", options->steps, "Measured steps")->check(CLI::Range(1, 100000))->capture_default_str();
  command->add_flag("--json", options->json, "Answer as JSON");
  command->callback([options, &action] { action = [options] { return bench_train(*options); }; });
}

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("bench", "How fast things are on this computer");
  command->require_subcommand(1);
  add_loss(*command, action);
  add_loader(*command, action);
  add_train_bench(*command, action);
}

}  // namespace disco::cli
