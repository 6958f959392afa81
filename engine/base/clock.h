// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace disco {

/// Seconds since 1970 (wall clock), for events and files.
[[nodiscard]] double wall_seconds();

/// Seconds on a clock that never jumps, for durations.
[[nodiscard]] double steady_seconds();

/// "2026-05-01T12:00:00Z" from wall seconds.
[[nodiscard]] std::string utc_text(double seconds);

/// Name of this computer, and an id that changes with every boot: together with a process id they tell whether the
/// holder of a lock file can still be alive.
[[nodiscard]] std::string host_name();
[[nodiscard]] std::string boot_id();

/// Resident memory of this process in bytes.
[[nodiscard]] std::int64_t resident_bytes();

/// The most resident memory that this process had since it started, or since reset_peak_resident(), in bytes; 0 where
/// the system does not tell.
[[nodiscard]] std::int64_t peak_resident_bytes();
/// Makes what is resident now the peak; false where the system does not allow it.
bool reset_peak_resident();

}  // namespace disco
