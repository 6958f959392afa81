// SPDX-License-Identifier: GPL-3.0-or-later
//
// The questions that need LibTorch, as `disco-engine serve` answers them: one JSON object a line on stdin, one or more
// lines on stdout. Each answer carries the question's id and a kind: the question's own for its answer, "progress"
// before it, or "error" {what, where, hint}. One question at a time; `serve` ends when stdin closes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/described.h"
#include "engine/base/json.h"

namespace disco {

/// "load": holds this checkpoint from now on.
struct LoadQuestion {
  std::string model;  ///< a model or checkpoint folder
};
struct LoadAnswer {
  std::string model;
  std::string family;
  std::int64_t parameters = 0;
  int image_size = 0;
  int context_length = 0;
  double seconds = 0;
};

/// "rank": how well each caption fits the picture. Needs a loaded model.
struct RankQuestion {
  std::string image;  ///< path of a picture
  std::vector<std::string> captions;
};
struct RankAnswer {
  std::vector<double> probabilities;  ///< softmax over the captions, in their order
  std::vector<double> similarities;   ///< cosines
  std::vector<int> tokens;            ///< tokens of each caption, start and end included
  std::vector<std::string> cut;       ///< the part of each caption that does not fit and is not seen; "" = all is seen
  std::string view;                   ///< path of a PNG: the picture as the model sees it
  double seconds = 0;
};

/// "preview": the first samples of a configuration's data as the model would see them. Needs no model.
struct PreviewQuestion {
  Json config;
  int count = 6;
};
struct PreviewSample {
  std::string id;
  std::string origin;
  std::string image;  ///< path of a PNG: the picture as the model sees it
  std::string caption;
  std::vector<std::string> tokens;
  bool cut = false;
  std::vector<std::string> negatives;
};
struct PreviewAnswer {
  std::vector<PreviewSample> samples;
  std::int64_t training_samples = 0;  ///< 0 = endless
  std::int64_t held_out_samples = 0;
  std::int64_t skipped = 0;
  std::vector<std::string> skipped_reasons;  ///< "12 × .svg is not supported", most frequent first
};

/// "measure": takes a few real steps of a configuration.
struct MeasureQuestion {
  Json config;
  int steps = 3;
};
struct MeasureAnswer {
  double step_seconds = 0;
  std::int64_t peak_bytes = 0;
  double samples_per_second = 0;
};

struct ProblemAnswer {
  std::string what;
  std::string where;
  std::string hint;
};

constexpr auto describe(std::type_identity<LoadQuestion>) { return std::tuple{field("model", &LoadQuestion::model)}; }
constexpr auto describe(std::type_identity<LoadAnswer>) {
  using C = LoadAnswer;
  return std::tuple{field("model", &C::model),
                    field("family", &C::family),
                    field("parameters", &C::parameters),
                    field("image_size", &C::image_size),
                    field("context_length", &C::context_length),
                    field("seconds", &C::seconds)};
}
constexpr auto describe(std::type_identity<RankQuestion>) {
  return std::tuple{field("image", &RankQuestion::image), field("captions", &RankQuestion::captions)};
}
constexpr auto describe(std::type_identity<RankAnswer>) {
  using C = RankAnswer;
  return std::tuple{field("probabilities", &C::probabilities),
                    field("similarities", &C::similarities),
                    field("tokens", &C::tokens),
                    field("cut", &C::cut),
                    field("view", &C::view),
                    field("seconds", &C::seconds)};
}
constexpr auto describe(std::type_identity<PreviewQuestion>) {
  return std::tuple{field("config", &PreviewQuestion::config), field("count", &PreviewQuestion::count)};
}
constexpr auto describe(std::type_identity<PreviewSample>) {
  using C = PreviewSample;
  return std::tuple{field("id", &C::id),
                    field("origin", &C::origin),
                    field("image", &C::image),
                    field("caption", &C::caption),
                    field("tokens", &C::tokens),
                    field("cut", &C::cut),
                    field("negatives", &C::negatives)};
}
constexpr auto describe(std::type_identity<PreviewAnswer>) {
  using C = PreviewAnswer;
  return std::tuple{field("samples", &C::samples), field("training_samples", &C::training_samples),
                    field("held_out_samples", &C::held_out_samples), field("skipped", &C::skipped),
                    field("skipped_reasons", &C::skipped_reasons)};
}
constexpr auto describe(std::type_identity<MeasureQuestion>) {
  return std::tuple{field("config", &MeasureQuestion::config), field("steps", &MeasureQuestion::steps)};
}
constexpr auto describe(std::type_identity<MeasureAnswer>) {
  using C = MeasureAnswer;
  return std::tuple{field("step_seconds", &C::step_seconds), field("peak_bytes", &C::peak_bytes),
                    field("samples_per_second", &C::samples_per_second)};
}
constexpr auto describe(std::type_identity<ProblemAnswer>) {
  using C = ProblemAnswer;
  return std::tuple{field("what", &C::what), field("where", &C::where), field("hint", &C::hint)};
}
DISCO_DESCRIBED(LoadAnswer);
DISCO_DESCRIBED(RankQuestion);
DISCO_DESCRIBED(RankAnswer);
DISCO_DESCRIBED(PreviewSample);
DISCO_DESCRIBED(PreviewAnswer);
DISCO_DESCRIBED(MeasureAnswer);
DISCO_DESCRIBED(ProblemAnswer);

}  // namespace disco
