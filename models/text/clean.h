// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace disco::models {

/// The text that CLIP's tokenizer splits: repaired, HTML character references replaced twice, runs of white space made
/// one space, none at the ends, lower case. UTF-8 in and out; bytes that are not UTF-8 become U+FFFD.
///
/// The repairs are the common ones of the library ftfy: Latin ligatures, full- and half-width forms, curly quotes, line
/// ends, control characters, terminal escapes, Unicode normal form C, and text that was UTF-8 and read as Windows-1252
/// throughout. Left as they are, unlike in ftfy: text read in another code page, or damaged only in parts or with lost
/// bytes, and entity names in capitals where HTML has none (&NTILDE;).
[[nodiscard]] std::string clean_clip_text(std::string_view text);

}  // namespace disco::models
