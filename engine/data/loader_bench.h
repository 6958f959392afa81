// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/described.h"
#include "engine/data/loader.h"

namespace disco::data {

/// How fast batches come when nothing else holds them up.
struct LoaderSpeed {
  double samples_per_second = 0;
  std::int64_t samples = 0;
  double seconds = 0;
  int threads = 0;
  std::int64_t bad = 0;  ///< samples that were left out
  double read = 0;       ///< seconds of one thread for a thousand samples, by stage
  double decode = 0;
  double resize = 0;
  double text = 0;
};
constexpr auto describe(std::type_identity<LoaderSpeed>) {
  using C = LoaderSpeed;
  return std::tuple{field("samples_per_second", &C::samples_per_second, {.label = "Samples/s"}),
                    field("samples", &C::samples, {.label = "Samples"}),
                    field("seconds", &C::seconds, {.label = "Seconds", .unit = "s"}),
                    field("threads", &C::threads, {.label = "Threads"}),
                    field("bad", &C::bad, {.label = "Left out"}),
                    field("read", &C::read, {.label = "Reading 1,000", .unit = "s"}),
                    field("decode", &C::decode, {.label = "Decoding 1,000", .unit = "s"}),
                    field("resize", &C::resize, {.label = "Resizing 1,000", .unit = "s"}),
                    field("text", &C::text, {.label = "Tokens of 1,000", .unit = "s"})};
}
DISCO_DESCRIBED(LoaderSpeed);

/// Loads batches for about this long, after warming up with some.
[[nodiscard]] Result<LoaderSpeed> measure_loader(std::shared_ptr<const Source> source, LoaderOptions options,
                                                 double seconds);

}  // namespace disco::data
