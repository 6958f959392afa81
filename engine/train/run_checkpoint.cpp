// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/run_checkpoint.h"

#include <torch/torch.h>

#include <algorithm>

#include "engine/base/files.h"
#include "engine/base/json.h"
#include "engine/train/checkpoint_folder.h"
#include "models/checkpoint/tensors.h"

namespace disco {
namespace fs = std::filesystem;
namespace {

constexpr auto optimizer_file = "optimizer.safetensors";
constexpr auto trainer_file = "trainer.json";

/// The name of a parameter that holds NaN or infinity, or nothing.
std::optional<std::string> not_finite_parameter(const models::Model& model) {
  const at::NoGradGuard no_gradient;
  for (const auto& item : model.named_parameters())
    if (!item.value().isfinite().all().item<bool>()) return item.key();
  return std::nullopt;
}

}  // namespace

Result<std::int64_t> save_run_checkpoint(const RunFolder& run, models::Model& model, const AdamW& optimizer,
                                         const TrainerState& state, const std::map<std::string, double>& metrics) {
  if (const auto name = not_finite_parameter(model))
    return failure("the weights are not finite (" + *name + "), so nothing was saved", run.root().string(),
                   "Go on from the last checkpoint with a lower learning rate.");
  DISCO_TRY(const std::int64_t bytes,
            write_checkpoint(run, state.step, metrics, [&](const fs::path& folder) -> Result<void> {
              DISCO_CHECK(model.save(folder));
              DISCO_CHECK(models::save_tensors(folder / optimizer_file, optimizer.state()));
              return write_atomically(folder / trainer_file, write_json(state).dump(2) + "\n");
            }));
  DISCO_CHECK(link_checkpoint(run, "latest", state.step));
  return bytes;
}

Result<std::optional<ResumePoint>> find_resume_point(const RunFolder& run) {
  std::vector<std::int64_t> steps = run.checkpoint_steps();
  std::reverse(steps.begin(), steps.end());
  std::vector<std::string> damaged;
  for (const std::int64_t step : steps) {
    const fs::path folder = run.checkpoint_path(step);
    auto manifest = verify_checkpoint(folder);
    if (!manifest) {
      damaged.push_back(manifest.error().message());
      continue;
    }
    return std::optional(ResumePoint{folder, step, std::move(manifest->metrics), std::move(damaged)});
  }
  if (!damaged.empty())
    return failure("no checkpoint is whole; of the last one: " + damaged.front(), run.checkpoints_path().string(),
                   "Remove the damaged checkpoint folders to start again at step 0.");
  return std::optional<ResumePoint>{};
}

Result<TrainerState> load_trainer_state(const fs::path& folder) {
  const fs::path path = folder / trainer_file;
  DISCO_TRY(const std::string text, read_file(path, 1U << 20));
  DISCO_TRY(const Json json, parse_json(text, path.string()));
  TrainerState state;
  Problems problems;
  read_json(json, state, "", problems, UnknownKeys::ignore);
  if (!problems.empty()) return tl::unexpected(to_error(problems, path.string()));
  return state;
}

Result<void> load_optimizer(const fs::path& folder, AdamW& optimizer) {
  const fs::path path = folder / optimizer_file;
  DISCO_TRY(const auto tensors, models::load_tensors(path));
  return optimizer.load_state(tensors, path.string());
}

}  // namespace disco
