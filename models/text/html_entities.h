// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace disco::models {

/// "name=code+code " for each character name of HTML 5, without its semicolon; a star in front marks the old names that
/// browsers also accept without one.
extern const std::string_view kHtmlEntities;

/// Replaces character references as Python's html.unescape does: numbers, names with a semicolon, and the longest old
/// name where the semicolon is missing.
[[nodiscard]] std::u32string unescape_html(std::u32string_view text);

/// Replaces only references that end with a semicolon, which is what ftfy does first.
[[nodiscard]] std::u32string unescape_closed_html(std::u32string_view text);

}  // namespace disco::models
