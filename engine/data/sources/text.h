// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace disco::data {

/// Whether text is well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates) without zero bytes.
[[nodiscard]] bool is_utf8_text(std::string_view text);

/// Without white space at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// What removes the byte order mark of UTF-8.
[[nodiscard]] std::string_view without_mark(std::string_view text);

/// Whether the text begins with a byte order mark of UTF-16.
[[nodiscard]] bool is_utf16(std::string_view text);

}  // namespace disco::data
