// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/inspect/evaluate_model.h"

#include <torch/torch.h>

#include "engine/inspect/ranker.h"
#include "engine/run/run_folder.h"
#include "engine/train/rank.h"
#include "models/registry.h"

namespace disco {
namespace fs = std::filesystem;
namespace {
constexpr int most_captions = 5;
}

Result<LoadedConfig> config_of_model(const fs::path& folder) {
  std::error_code code;
  const fs::path place = fs::canonical(folder, code);
  for (const fs::path& candidate : {place, place.parent_path().parent_path()})
    if (const RunFolder run(candidate); !code && run.exists()) return run.config();
  return failure("does not belong to a run, so its data are not known", folder.string(),
                 "Name the data by --preset, --config or --set.");
}

Result<EvaluationResult> evaluate_model(const fs::path& folder, const RunConfig& settings, bool grey) {
  RunConfig config = settings;
  resolve_threads(config);
  at::globalContext().setFlushDenormal(true);
  at::set_num_threads(config.compute_threads);
  DISCO_TRY(const fs::path place, model_folder(folder));
  DISCO_TRY(const auto model, models::load_model(place));
  const models::InputContract& input = model->input();
  DISCO_TRY(const auto sources,
            data::open_sources(config.data, {.seed = config.seed, .picture_size = input.image.size}));
  if (!sources.validation)
    return failure("nothing is held out to judge by", "data.validation_share", "Set it, or data.validation_path.");
  EvaluationSet set(sources.validation, input, config.evaluate.pictures, most_captions);
  if (grey) set.hide_pictures();
  LocalCommunicator alone;
  DISCO_TRY(auto result, evaluate(*model, set, {.batch = config.evaluate.batch, .precision = config.precision}, alone));
  if (!result) return failure("was broken off", "evaluation");
  return std::move(*result);
}

}  // namespace disco
