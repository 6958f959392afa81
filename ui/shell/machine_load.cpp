// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/machine_load.h"

#include <charconv>
#include <vector>

#include "engine/base/files.h"

namespace disco::ui {
namespace {

constexpr int interval = 2000;
constexpr int first_interval = 250;  // so that the strip is not empty for long
constexpr std::uint64_t largest_proc_file = 1U << 20;

std::string proc(const char* name) { return read_file(std::string("/proc/") + name, largest_proc_file).value_or(""); }

/// The numbers of a line, whatever stands between them.
std::vector<std::uint64_t> numbers(std::string_view line) {
  std::vector<std::uint64_t> found;
  for (const char* at = line.data(); at < line.data() + line.size();) {
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(at, line.data() + line.size(), value);
    if (code == std::errc{}) found.push_back(value);
    at = code == std::errc{} ? end : at + 1;
  }
  return found;
}

std::int64_t kibibytes(std::string_view text, std::string_view key) {
  const auto at = text.find(key);
  if (at == std::string_view::npos) return -1;
  const auto found = numbers(text.substr(at, text.find('\n', at) - at));
  return found.empty() ? -1 : static_cast<std::int64_t>(found.front());
}

}  // namespace

std::optional<CpuTicks> parse_cpu_ticks(std::string_view proc_stat) {
  if (!proc_stat.starts_with("cpu ")) return std::nullopt;
  // user nice system idle iowait irq softirq steal; guest times are already part of user and nice.
  const auto ticks = numbers(proc_stat.substr(0, proc_stat.find('\n')));
  if (ticks.size() < 8) return std::nullopt;
  CpuTicks sum;
  for (std::size_t i = 0; i < 8; ++i) {
    sum.total += ticks[i];
    if (i != 3 && i != 4) sum.busy += ticks[i];
  }
  return sum;
}

bool parse_memory(std::string_view proc_meminfo, Load& load) {
  const std::int64_t total = kibibytes(proc_meminfo, "MemTotal:");
  const std::int64_t available = kibibytes(proc_meminfo, "MemAvailable:");
  if (total <= 0 || available < 0) return false;
  load.memory_total = total * 1024;
  load.memory_used = (total - available) * 1024;
  return true;
}

MachineLoad::MachineLoad(QObject* parent) : QObject(parent) {
  auto* timer = new QTimer;
  timer->setInterval(first_interval);
  timer->moveToThread(&thread_);
  connect(&thread_, &QThread::started, timer, qOverload<>(&QTimer::start));
  connect(&thread_, &QThread::finished, timer, &QObject::deleteLater);
  connect(timer, &QTimer::timeout, timer, [this, timer, before = parse_cpu_ticks(proc("stat"))]() mutable {
    timer->setInterval(interval);
    Load load;
    const auto now = parse_cpu_ticks(proc("stat"));
    if (!now || !parse_memory(proc("meminfo"), load)) return;
    if (before && now->total > before->total)
      load.cpu = static_cast<double>(now->busy - before->busy) / static_cast<double>(now->total - before->total);
    before = now;
    Q_EMIT updated(load.cpu, load.memory_used, load.memory_total);
  });
  thread_.setObjectName(QStringLiteral("machine-load"));
  thread_.start();
}

MachineLoad::~MachineLoad() {
  thread_.quit();
  thread_.wait();
}

}  // namespace disco::ui
