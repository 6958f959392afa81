// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThread>
#include <QTimer>
#include <cstdint>
#include <optional>
#include <string_view>

namespace disco::ui {

/// How busy this computer is.
struct Load {
  double cpu = 0;  ///< share of all cores, 0…1
  std::int64_t memory_used = 0;
  std::int64_t memory_total = 0;
};

/// Ticks of the first line of /proc/stat.
struct CpuTicks {
  std::uint64_t busy = 0;
  std::uint64_t total = 0;
};
[[nodiscard]] std::optional<CpuTicks> parse_cpu_ticks(std::string_view proc_stat);
/// Used (total less available) and total bytes from /proc/meminfo.
[[nodiscard]] bool parse_memory(std::string_view proc_meminfo, Load& load);

/// Reads /proc every two seconds on a thread of its own while it runs.
class MachineLoad : public QObject {
  Q_OBJECT

 public:
  explicit MachineLoad(QObject* parent = nullptr);
  ~MachineLoad() override;

 Q_SIGNALS:
  void updated(double cpu, qint64 memory_used, qint64 memory_total);

 private:
  QThread thread_;
};

}  // namespace disco::ui
