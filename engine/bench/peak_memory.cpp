// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/peak_memory.h"

#include <malloc.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>

namespace disco {
namespace {

/// A line like "VmHWM:   1234 kB" of /proc/self/status, in bytes.
Result<std::int64_t> status_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (!line.starts_with(name + ":")) continue;
    const std::size_t digit = line.find_first_of("0123456789");
    std::int64_t kilobytes = 0;
    if (digit == std::string::npos) break;
    std::from_chars(line.data() + digit, line.data() + line.size(), kilobytes);
    return kilobytes * 1024;
  }
  return failure("the system does not tell this process's memory (" + name + ")", "/proc/self/status");
}

}  // namespace

Result<PeakMemory> PeakMemory::start() {
  malloc_trim(0);
  std::ofstream reset("/proc/self/clear_refs");
  reset << "5" << std::flush;  // the peak becomes what is resident now
  if (!reset) return failure("the peak of memory cannot be reset", "/proc/self/clear_refs");
  DISCO_TRY(const std::int64_t before, status_bytes("VmRSS"));
  return PeakMemory(before);
}

Result<std::int64_t> PeakMemory::bytes() const {
  DISCO_TRY(const std::int64_t peak, status_bytes("VmHWM"));
  return std::max<std::int64_t>(0, peak - before_);
}

}  // namespace disco
