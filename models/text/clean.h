// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace disco::models {

/// The text that CLIP's tokenizer splits: repaired, HTML character references replaced twice, runs of white space made
/// one space, none at the ends, lower case. UTF-8 in and out; bytes that are not UTF-8 become U+FFFD.
///
/// The repairs are the common ones of the library ftfy: Latin ligatures, full- and half-width forms, curly quotes, line
/// ends, control characters, terminal escapes, entity names in capitals, Unicode normal form C, and UTF-8 that was read
/// as Windows-1252. Unlike ftfy, which weighs how probable a repair is, every sequence of characters that would be one
/// character of UTF-8 is taken for one; text read in another code page, or damaged with lost bytes, stays as it is.
[[nodiscard]] std::string clean_clip_text(std::string_view text);

}  // namespace disco::models
