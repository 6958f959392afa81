// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/clock.h"

#include <unistd.h>

#include <array>
#include <charconv>
#include <chrono>
#include <ctime>
#include <fstream>
#include <string_view>

namespace disco {

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string utc_text(double seconds) {
  const auto whole = static_cast<std::time_t>(seconds);
  std::tm parts{};
  ::gmtime_r(&whole, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id;
}

std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t total = 0;
  std::int64_t resident = 0;
  file >> total >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

std::int64_t peak_resident_bytes() {
  static constexpr std::string_view mark = "VmHWM:";
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(mark)) continue;
    const std::size_t digit = line.find_first_of("0123456789");
    std::int64_t kilobytes = 0;
    if (digit != std::string::npos) std::from_chars(line.data() + digit, line.data() + line.size(), kilobytes);
    return kilobytes * 1024;
  }
  return 0;
}

bool reset_peak_resident() {
  std::ofstream reset("/proc/self/clear_refs");
  reset << "5" << std::flush;
  return static_cast<bool>(reset);
}

}  // namespace disco
