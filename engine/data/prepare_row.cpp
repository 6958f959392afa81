// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/prepare_row.h"

#include <cmath>
#include <exception>
#include <span>

#include "engine/base/clock.h"
#include "engine/base/hash.h"
#include "engine/base/random.h"
#include "engine/data/augment.h"
#include "engine/data/decode/decode.h"

namespace disco::data {
namespace {

/// Adds the time from its making to its end.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds), began_(steady_seconds()) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() { seconds_ += steady_seconds() - began_; }

 private:
  double& seconds_;
  double began_;
};

Draw draw_for(const LoaderOptions& options, Sampler::Place place, std::string_view purpose) {
  return {options.seed, static_cast<std::uint64_t>(place.epoch), static_cast<std::uint64_t>(place.index), purpose};
}

// A picture decoded at half size looks the same as long as what is cut out of it still has to be shrunk. Only training
// with random crops may take it: without them the model is to see exactly what it sees in evaluation.
int smallest_side(const LoaderOptions& options) {
  if (options.augment.smallest_crop >= 1.0) return 0;
  return static_cast<int>(std::ceil(options.preprocess.size / std::sqrt(options.augment.smallest_crop)));
}

Result<void> fill_row(const Source& source, Sampler::Place place, const LoaderOptions& options, float* pixels,
                      PreparedRow& row) {
  Result<Sample> sample = [&] {
    const Stopwatch watch(row.times.read);
    return source.read(place.index);
  }();
  if (!sample) return tl::unexpected(sample.error());
  row.id = sample->id;
  row.origin = sample->origin;
  if (sample->captions.empty()) return failure("it has no caption");
  DISCO_TRY(const models::Image view, model_view(*sample, place, options, row.times, row.warning));
  row.picture_hash = hash64(std::as_bytes(std::span(view.rgb)));
  {
    const Stopwatch watch(row.times.resize);
    models::normalize_chw(view, options.preprocess, pixels);
  }
  const Stopwatch watch(row.times.text);
  const ChosenText text = choose_text(*sample, place, options);
  row.tokens = options.tokenizer->encode(text.caption, options.context_length);
  row.caption_hash = hash64(std::as_bytes(std::span(row.tokens)));
  for (const std::string_view negative : text.negatives) {
    row.negatives.push_back(options.tokenizer->encode(negative, options.context_length));
  }
  return {};
}

}  // namespace

ChosenText choose_text(const Sample& sample, Sampler::Place place, const LoaderOptions& options) {
  ChosenText text;
  Draw caption = draw_for(options, place, "caption");
  // Near misses are worded like the first caption: beside another wording they would tell by their style, not by what
  // the picture shows.
  const bool near_misses = options.negatives > 0 && !sample.negatives.empty();
  const bool draw = options.draw_captions && !near_misses;
  text.caption = sample.captions[draw ? caption.below(sample.captions.size()) : 0];
  text.negatives.assign(sample.negatives.begin(), sample.negatives.end());
  if (text.negatives.size() > static_cast<std::size_t>(options.negatives)) {
    Draw negatives = draw_for(options, place, "negatives");
    negatives.shuffle(text.negatives);
    text.negatives.resize(static_cast<std::size_t>(options.negatives));
  }
  return text;
}

Result<models::Image> model_view(const Sample& sample, Sampler::Place place, const LoaderOptions& options,
                                 LoaderTimes& times, std::string& warning) {
  Decoded decoded;
  const auto* finished = std::get_if<models::Image>(&sample.picture);
  if (finished == nullptr) {
    const Stopwatch watch(times.decode);
    DISCO_TRY(decoded, decode(std::get<Bytes>(sample.picture), {.smallest_side = smallest_side(options)}));
    warning = decoded.warning;
  }
  const models::Image& image = finished != nullptr ? *finished : decoded.image;
  const Stopwatch watch(times.resize);
  Draw draw = draw_for(options, place, "augmentation");
  return augmented_view(image, options.preprocess, options.augment, draw);
}

PreparedRow prepare_row(const Source& source, Sampler::Place place, const LoaderOptions& options, float* pixels) {
  PreparedRow row;
  row.id = row.origin = "sample " + std::to_string(place.index);
  // The one place where a library's exception (no memory for a huge picture) becomes a bad sample.
  try {
    if (auto filled = fill_row(source, place, options, pixels, row); !filled) {
      row.error = filled.error().what;
      if (!filled.error().where.empty()) row.origin = filled.error().where;
    }
  } catch (const std::exception& problem) {
    row.error = std::string("it cannot be prepared: ") + problem.what();
  }
  return row;
}

}  // namespace disco::data
