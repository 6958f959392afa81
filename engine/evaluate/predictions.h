// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/data/source.h"
#include "engine/run/events.h"
#include "engine/run/run_config.h"
#include "engine/run/run_folder.h"
#include "models/model.h"

namespace disco {

/// Pictures that are followed through training: the same ones, with the same candidates in the same order, each time.
class WatchedPictures {
 public:
  /// Reads `count` pictures spread evenly over `source` and writes them to the run's samples/: the picture at 384 px or
  /// more, and beside it the view that the model gets. Where a sample has no candidates of its own, its caption stands
  /// among those of four other watched pictures. Pictures that cannot be read are left out.
  [[nodiscard]] static Result<WatchedPictures> open(const data::Source& source, int count,
                                                    const models::InputContract& contract, const RunFolder& run,
                                                    std::uint64_t seed);

  /// What the model says now.
  [[nodiscard]] std::vector<PredictionItem> predict(models::Model& model, Precision precision, int batch) const;
  [[nodiscard]] bool empty() const { return items_.empty(); }

 private:
  std::vector<PredictionItem> items_;  ///< with empty probabilities
  std::vector<models::Image> views_;
  std::vector<std::vector<std::int32_t>> texts_;
  std::vector<std::vector<std::size_t>> candidate_texts_;  ///< by picture, indices into texts_
};

}  // namespace disco
