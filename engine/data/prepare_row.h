// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/data/loader.h"
#include "engine/data/sampler.h"

namespace disco::data {

/// One sample, made ready for the model but for its pixels, which are written in place.
struct PreparedRow {
  std::string id;
  std::string origin;
  std::string error;    ///< why the row is left out; empty when it is not
  std::string warning;  ///< what was wrong with it although it is used
  std::vector<std::int32_t> tokens;
  std::vector<std::vector<std::int32_t>> negatives;
  std::uint64_t caption_hash = 0;
  std::uint64_t picture_hash = 0;
  LoaderTimes times;
};

/// Reads, decodes, augments and tokenizes the sample at `place`. Writes 3 * S * S values to `pixels`. Everything drawn
/// depends on (seed, place) alone. Thread-safe.
[[nodiscard]] PreparedRow prepare_row(const Source& source, Sampler::Place place, const LoaderOptions& options,
                                      float* pixels);

/// The texts of a sample that take part this time; they live as long as the sample.
struct ChosenText {
  std::string_view caption;
  std::vector<std::string_view> negatives;
};
[[nodiscard]] ChosenText choose_text(const Sample& sample, Sampler::Place place, const LoaderOptions& options);

/// The picture as the model sees it, decoded only as large as is needed. Adds the time taken to `times`.
[[nodiscard]] Result<models::Image> model_view(const Sample& sample, Sampler::Place place, const LoaderOptions& options,
                                               LoaderTimes& times, std::string& warning);

}  // namespace disco::data
