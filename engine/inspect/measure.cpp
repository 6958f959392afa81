// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/inspect/measure.h"

#include <torch/torch.h>

#include "engine/base/clock.h"
#include "engine/data/loader.h"
#include "engine/train/budget.h"
#include "engine/train/rank.h"
#include "engine/train/starting_model.h"
#include "engine/train/training_step.h"

namespace disco {
namespace {

constexpr int warm_up_steps = 2;

void add(const StepOutcome& outcome, double data, double total, StepSeconds& sum) {
  sum.data += data;
  sum.forward += outcome.forward;
  sum.loss += outcome.loss_seconds;
  sum.backward += outcome.backward;
  sum.optimizer += outcome.optimizer;
  sum.total += total;
}

void divide(StepSeconds& sum, double by) {
  for (double* part : {&sum.data, &sum.forward, &sum.loss, &sum.backward, &sum.optimizer, &sum.total}) *part /= by;
  sum.other = sum.total - sum.data - sum.forward - sum.loss - sum.backward - sum.optimizer;
}

}  // namespace

Result<Measurement> measure(const RunConfig& settings, int steps, const std::function<bool(int)>& go_on) {
  // Where this is refused the peak of the whole process is told, which is no less.
  reset_peak_resident();
  RunConfig config = settings;
  resolve_threads(config);
  at::set_num_threads(config.compute_threads);
  DISCO_TRY(const auto model, starting_model(config));
  const models::InputContract& input = model->input();
  DISCO_TRY(const auto sources,
            data::open_sources(config.data, {.seed = config.seed, .picture_size = input.image.size}));
  DISCO_TRY(data::Loader loader, data::Loader::create(sources.train, {.batch_size = config.batch.size,
                                                                      .threads = config.data.loader_threads,
                                                                      .seed = config.seed,
                                                                      .preprocess = input.image,
                                                                      .tokenizer = input.tokenizer,
                                                                      .context_length = input.context_length,
                                                                      .augment = config.data.augment,
                                                                      .negatives = config.data.negatives_per_picture}));
  AdamW optimizer(parameter_groups(*model, config.optimizer.weight_decay),
                  {config.optimizer.beta1, config.optimizer.beta2, config.optimizer.epsilon});
  LocalCommunicator alone;
  TrainingStep step(config, *model, optimizer, alone);
  Measurement measured;
  std::vector<double> totals;
  double rows = 0;
  for (int i = -warm_up_steps; i < steps; ++i) {
    if (!go_on(std::max(0, i))) return failure("was broken off", "measure");
    const double began = steady_seconds();
    DISCO_TRY(const auto batch, loader.next());
    const double data_seconds = steady_seconds() - began;
    const StepOutcome outcome = step.take(*batch, 1e-3);
    if (i < 0) continue;
    totals.push_back(steady_seconds() - began);
    rows += batch->count;
    add(outcome, data_seconds, totals.back(), measured.seconds);
  }
  measured.answer.peak_bytes = peak_resident_bytes();
  measured.answer.step_seconds = usual_seconds(totals);
  if (measured.seconds.total > 0) measured.answer.samples_per_second = rows / measured.seconds.total;
  divide(measured.seconds, std::max(1.0, static_cast<double>(totals.size())));
  return measured;
}

}  // namespace disco
