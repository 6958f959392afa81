// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace disco::models {

/// Characters of the bytes 0x80 … 0x9F in Windows-1252; the five unassigned bytes stand for themselves.
inline constexpr std::array<char32_t, 32> kWindows1252 = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

[[nodiscard]] constexpr char32_t windows1252_character(std::uint8_t byte) {
  return byte >= 0x80 && byte <= 0x9F ? kWindows1252[byte - 0x80U] : byte;
}

/// The byte that a character has in Windows-1252, if it has one.
[[nodiscard]] constexpr std::optional<std::uint8_t> windows1252_byte(char32_t character) {
  if (character < 0x100) return static_cast<std::uint8_t>(character);
  for (std::size_t i = 0; i < kWindows1252.size(); ++i)
    if (kWindows1252[i] == character) return static_cast<std::uint8_t>(0x80 + i);
  return std::nullopt;
}

}  // namespace disco::models
