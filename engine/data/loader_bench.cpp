// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/loader_bench.h"

#include <algorithm>

#include "engine/base/clock.h"

namespace disco::data {

Result<LoaderSpeed> measure_loader(std::shared_ptr<const Source> source, LoaderOptions options, double seconds) {
  // More than the loader prepares ahead: what was ready before the clock started must not count.
  constexpr int kWarmUpBatches = 6;
  LoaderSpeed speed;
  if (options.threads <= 0) options.threads = default_loader_threads();
  speed.threads = options.threads;
  DISCO_TRY(Loader loader, Loader::create(std::move(source), std::move(options)));
  for (int i = 0; i < kWarmUpBatches; ++i) DISCO_CHECK(loader.next());
  const double began = steady_seconds();
  while (speed.seconds < seconds) {
    DISCO_TRY(const std::optional<Batch> batch, loader.next());
    if (!batch) break;
    speed.samples += batch->count;
    speed.bad += loader.global_batch() - batch->count;
    speed.read += batch->times.read;
    speed.decode += batch->times.decode;
    speed.resize += batch->times.resize;
    speed.text += batch->times.text;
    speed.seconds = steady_seconds() - began;
  }
  speed.samples_per_second = static_cast<double>(speed.samples) / speed.seconds;
  for (double* part : {&speed.read, &speed.decode, &speed.resize, &speed.text}) {
    *part *= 1000.0 / static_cast<double>(std::max<std::int64_t>(speed.samples, 1));
  }
  return speed;
}

}  // namespace disco::data
