// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <memory>

#include "app/cli/cli.h"
#include "engine/inspect/ranker.h"

namespace disco::cli {
namespace {

struct PredictOptions {
  std::string model;
  std::vector<std::string> images;
  std::vector<std::string> captions;
  bool json = false;
};

int predict(const PredictOptions& options) {
  auto ranker = Ranker::load(options.model);
  if (!ranker) return report(ranker.error());
  Json answers = Json::array();
  int unreadable = 0;
  for (const auto& image : options.images) {
    const auto answer = ranker->rank(image, options.captions, {});
    if (!answer) {
      ++unreadable;
      report(answer.error());
      continue;
    }
    Json item{{"image", image}};
    item.update(write_json(*answer));
    answers.push_back(std::move(item));
    if (options.json) continue;
    std::printf("%s\n", image.c_str());
    for (std::size_t i = 0; i < options.captions.size(); ++i)
      std::printf("  %5.1f %%  %s%s\n", answer->probabilities[i] * 100, options.captions[i].c_str(),
                  answer->cut[i].empty() ? "" : "  (its end does not fit and is not seen)");
  }
  if (options.json) print_json(answers);
  return unreadable == 0 ? exit_ok : exit_failed;
}

}  // namespace

void add_predict(CLI::App& app, Action& action) {
  auto options = std::make_shared<PredictOptions>();
  auto* command = app.add_subcommand("predict", "Which caption fits a picture best");
  command->add_option("--model", options->model, "A model or checkpoint folder, or a run (its newest checkpoint)")
      ->required()
      ->type_name("DIR");
  command->add_option("--image", options->images, "Pictures")->required()->type_name("FILE");
  command->add_option("--caption", options->captions, "Captions to choose from")->required()->type_name("TEXT");
  command->add_flag("--json", options->json, "Answer as JSON");
  command->callback([options, &action] { action = [options] { return predict(*options); }; });
}

}  // namespace disco::cli
