// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/base/described.h"
#include "engine/data/loader.h"
#include "engine/data/source.h"

namespace disco::data {

/// The smallest, the middle and the largest of some numbers.
struct Spread {
  double smallest = 0, middle = 0, largest = 0;
};
constexpr auto describe(std::type_identity<Spread>) {
  return std::tuple{field("smallest", &Spread::smallest, {.label = "Smallest"}),
                    field("middle", &Spread::middle, {.label = "Middle"}),
                    field("largest", &Spread::largest, {.label = "Largest"})};
}
DISCO_DESCRIBED(Spread);

struct FormatCount {
  std::string format;  ///< by content: "JPEG", "PNG" …
  std::int64_t count = 0;
};
constexpr auto describe(std::type_identity<FormatCount>) {
  return std::tuple{field("format", &FormatCount::format, {.label = "Format"}),
                    field("count", &FormatCount::count, {.label = "Pictures"})};
}
DISCO_DESCRIBED(FormatCount);

/// What is in a data set, before anything is trained on it.
struct DataReport {
  SourceReport source;
  std::int64_t looked_at = 0;        ///< pictures opened: all of them, or the first of an endless source
  std::vector<FormatCount> formats;  ///< the most frequent first
  Spread width, height;              ///< pixels, after turning
  Spread caption_characters;
  std::int64_t distinct_captions = 0;
  std::vector<Skipped> unreadable;    ///< pictures that cannot be decoded, by reason
  std::vector<Skipped> reservations;  ///< pictures that can be used although something is wrong
  std::vector<std::string> captions;  ///< the first few
};
constexpr auto describe(std::type_identity<DataReport>) {
  using C = DataReport;
  return std::tuple{
      field("source", &C::source, {.label = "Source"}),
      field("looked_at", &C::looked_at, {.label = "Pictures opened"}),
      field("formats", &C::formats, {.label = "Formats"}),
      field("width", &C::width, {.label = "Width", .unit = "px"}),
      field("height", &C::height, {.label = "Height", .unit = "px"}),
      field("caption_characters", &C::caption_characters, {.label = "Caption length", .unit = "characters"}),
      field("distinct_captions", &C::distinct_captions, {.label = "Distinct captions"}),
      field("unreadable", &C::unreadable, {.label = "Unreadable"}),
      field("reservations", &C::reservations, {.label = "Usable, but"}),
      field("captions", &C::captions, {.label = "Captions"})};
}
DISCO_DESCRIBED(DataReport);

struct InspectOptions {
  bool decode = true;  ///< decode every picture, which finds all that is damaged; else read the headers only
  /// Told now and then how far it is; false ends the inspection, and the report covers what was looked at.
  std::function<bool(std::int64_t done, std::int64_t total)> progress;
};

/// Opens every picture of a source once (the first thousand of an endless one), on all cores.
[[nodiscard]] DataReport inspect(const Source& source, const InspectOptions& options = {});

/// A training sample as the model sees it.
struct PreviewedSample {
  std::string id;
  std::string origin;
  std::string error;  ///< why it cannot be used; the rest is then empty
  models::Image view;
  std::string caption;
  std::vector<std::int32_t> tokens;  ///< with start and end, cut to the model's context
  std::vector<std::string> token_texts;
  bool cut = false;  ///< the caption is longer than the model can see
  std::vector<std::string> negatives;
};

/// The first samples in the order in which a run with these options gets them: same augmentation, same captions.
[[nodiscard]] std::vector<PreviewedSample> preview(const Source& source, const LoaderOptions& options, int count);

}  // namespace disco::data
