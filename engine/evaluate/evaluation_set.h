// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/data/source.h"
#include "models/image/image.h"
#include "models/model.h"

namespace disco {

/// Ids of the texts of a sample.
struct SampleTexts {
  std::vector<std::vector<std::int32_t>> captions;  ///< all right
  std::vector<std::vector<std::int32_t>> candidates;
  std::vector<std::string> differs;
  int correct = 0;
};

/// A sample as a model needs it.
struct PreparedSample {
  models::Image view;  ///< resized and cropped, not yet normalised
  std::shared_ptr<const SampleTexts> texts;
};

/// Decodes, resizes and tokenises one sample. Of its captions the first `most_captions` take part; only the first where
/// it has candidates to choose from. The error names its origin.
[[nodiscard]] Result<PreparedSample> prepare_sample(const data::Sample& sample, const models::InputContract& contract,
                                                    int most_captions);

/// Pictures and texts to judge a model by, spread evenly over a source. They are prepared once and kept while they fit
/// into memory set aside for it.
class EvaluationSet {
 public:
  /// Reads nothing yet. `count` is cut to the size of the source. `most_captions` of each sample take part.
  EvaluationSet(std::shared_ptr<const data::Source> source, models::InputContract contract, std::int64_t count,
                int most_captions);

  [[nodiscard]] std::int64_t size() const { return count_; }
  /// Sample i of the set; null when it cannot be read (it then does not take part). Thread-safe for different i.
  [[nodiscard]] std::shared_ptr<const PreparedSample> sample(std::int64_t i) const;
  [[nodiscard]] const models::InputContract& contract() const { return contract_; }
  /// Replaces every picture by flat grey: what is found then was guessed from the texts alone.
  void hide_pictures() { hidden_ = true; }

 private:
  std::shared_ptr<const data::Source> source_;
  models::InputContract contract_;
  std::int64_t count_;
  int most_captions_;
  bool keep_;
  bool hidden_ = false;
  mutable std::vector<std::shared_ptr<const PreparedSample>> kept_;
};

}  // namespace disco
