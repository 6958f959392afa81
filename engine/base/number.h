// SPDX-License-Identifier: GPL-3.0-or-later
//
// Numbers in and out of text, whatever the locale. Nothing here looks at the C or C++ locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace disco {

/// Reads a number as a person types it: `0.001`, `1e-3`, `0,001` (a comma as decimal sign when it is the only one),
/// `1 000`, with an optional unit: `8 min`, `90 s`, `2 h` (to seconds; see parse_minutes), `2 GiB`, `512 MB` (to
/// bytes), `12k`, `1.5M`, `40 %`. Returns nothing when any of the text does not belong to the number.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// Reads a duration in minutes: a bare number is minutes, else `90 s`, `8 min`, `1.5 h`.
[[nodiscard]] std::optional<double> parse_minutes(std::string_view text);

/// The shortest text that reads back as the same number, with a decimal point.
[[nodiscard]] std::string number_text(double value);

/// A whole number with commas between its thousands: 1234567 as "1,234,567".
[[nodiscard]] std::string grouped_text(std::int64_t value);

/// A duration in its two largest units: "45 s", "6 min 15 s", "2 h 3 min". Negative ones count as 0.
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace disco
