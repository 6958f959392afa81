// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "engine/base/error.h"
#include "engine/distributed/communicator.h"
#include "engine/evaluate/evaluation_set.h"
#include "engine/run/run_config.h"
#include "models/model.h"

namespace disco {

struct EvaluationOptions {
  int batch = 100;
  Precision precision = Precision::fp32;
  std::string retrieval_prefix = "retrieval/";
  /// Asked between batches with the samples done and in all (this rank's share); false ends the evaluation.
  std::function<bool(std::int64_t done, std::int64_t total)> go_on;
};

struct EvaluationResult {
  std::map<std::string, double> metrics;
  std::int64_t samples = 0;     ///< judged
  std::int64_t unreadable = 0;  ///< left out
  double seconds = 0;
};

/// Retrieval in both directions and, where the samples have candidates, caption matching. Collective: each rank encodes
/// its share of the samples, then all know all features; nothing is counted twice. Captions that read the same to the
/// model are one answer, right for each picture that has it. Nothing when some rank's go_on said no.
[[nodiscard]] Result<std::optional<EvaluationResult>> evaluate(models::Model& model, const EvaluationSet& set,
                                                               const EvaluationOptions& options,
                                                               Communicator& communicator);

}  // namespace disco
