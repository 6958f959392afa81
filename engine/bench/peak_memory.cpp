// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/peak_memory.h"

#include <malloc.h>

#include <algorithm>

#include "engine/base/clock.h"

namespace disco {

Result<PeakMemory> PeakMemory::start() {
  malloc_trim(0);
  if (!reset_peak_resident()) return failure("the peak of memory cannot be reset", "/proc/self/clear_refs");
  return PeakMemory(resident_bytes());
}

std::int64_t PeakMemory::bytes() const { return std::max<std::int64_t>(0, peak_resident_bytes() - before_); }

}  // namespace disco
