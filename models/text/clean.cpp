// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/text/clean.h"

#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <optional>

#include "models/text/html_entities.h"
#include "models/text/windows1252.h"

namespace disco::models {
namespace {

/// Text in which only letter case and spaces can change: printable ASCII without an ampersand.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~' && c != '&'; });
}

std::string clean_plain(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == ' ' && (out.empty() || out.back() == ' ')) continue;
    out.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c);
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

icu::UnicodeString from_utf32(std::u32string_view text) {
  icu::UnicodeString out;
  for (const char32_t c : text) out.append(static_cast<UChar32>(c));
  return out;
}

std::u32string to_utf32(const icu::UnicodeString& text) {
  std::u32string out;
  out.reserve(static_cast<std::size_t>(text.length()));
  for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1))
    out.push_back(static_cast<char32_t>(text.char32At(i)));
  return out;
}

std::u32string decode_utf8(std::string_view text) {
  return to_utf32(icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int32_t>(text.size()))));
}

std::u32string normal_form_c(const std::u32string& text) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = icu::Normalizer2::getNFCInstance(status);
  if (U_FAILURE(status)) return text;
  const icu::UnicodeString normal = normalizer->normalize(from_utf32(text), status);
  return U_FAILURE(status) ? text : to_utf32(normal);
}

/// The compatibility form of a full- or half-width character, which may be composed with its neighbours later.
std::u32string standard_width(char32_t c) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = icu::Normalizer2::getNFKCInstance(status);
  if (U_FAILURE(status)) return std::u32string(1, c);
  const icu::UnicodeString wide = normalizer->normalize(icu::UnicodeString(static_cast<UChar32>(c)), status);
  return U_FAILURE(status) ? std::u32string(1, c) : to_utf32(wide);
}

/// The letters of a Latin ligature or digraph, or null.
const char32_t* ligature(char32_t c) {
  static constexpr std::pair<char32_t, const char32_t*> kLigatures[] = {
      {0x132, U"IJ"},      {0x133, U"ij"},      {0x149, U"\u02BCn"},  {0x1F1, U"DZ"},  {0x1F2, U"Dz"},  {0x1F3, U"dz"},
      {0x1C4, U"D\u017D"}, {0x1C5, U"D\u017E"}, {0x1C6, U"d\u017E"},  {0x1C7, U"LJ"},  {0x1C8, U"Lj"},  {0x1C9, U"lj"},
      {0x1CA, U"NJ"},      {0x1CB, U"Nj"},      {0x1CC, U"nj"},       {0xFB00, U"ff"}, {0xFB01, U"fi"}, {0xFB02, U"fl"},
      {0xFB03, U"ffi"},    {0xFB04, U"ffl"},    {0xFB05, U"\u017Ft"}, {0xFB06, U"st"}};
  for (const auto& [character, letters] : kLigatures)
    if (character == c) return letters;
  return nullptr;
}

/// Controls that nobody meant to write. Tab, line feed, form feed and carriage return are white space and stay.
bool is_unwanted_control(char32_t c) {
  return c < 0x09 || c == 0x0B || (c >= 0x0E && c < 0x20) || c == 0x7F || (c >= 0x206A && c <= 0x206F) || c == 0xFEFF ||
         (c >= 0xFFF9 && c <= 0xFFFC);
}

/// The length of a terminal colour or cursor command "ESC [ digits letter" at the front of text, or 0.
std::size_t terminal_escape(std::u32string_view text) {
  if (text.size() < 3 || text[0] != 0x1B || text[1] != '[') return 0;
  std::size_t at = 2;
  while (at < text.size() && ((text[at] >= '0' && text[at] <= '9') || text[at] == ';')) ++at;
  const bool letter = at < text.size() && ((text[at] | 0x20) >= 'a' && (text[at] | 0x20) <= 'z');
  return letter ? at + 1 : 0;
}

/// The length of a UTF-8 sequence by its first byte, or 0 for a byte that begins none.
std::size_t sequence_length(std::uint8_t byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return 2;
  if (byte >= 0xE0 && byte <= 0xEF) return 3;
  return byte >= 0xF0 && byte <= 0xF4 ? 4 : 0;
}

/// The character whose UTF-8 bytes stand at the front of text, each read as Windows-1252 ("Ã¯" for "ï"); length is set
/// to the characters that they take. Nothing where there is no such sequence.
std::optional<char32_t> misread_character(std::u32string_view text, std::size_t& length) {
  const auto first = windows1252_byte(text.front());
  length = first ? sequence_length(*first) : 0;
  if (length == 0 || length > text.size()) return std::nullopt;
  std::string bytes;
  for (const char32_t c : text.substr(0, length)) {
    const auto byte = windows1252_byte(c);
    if (!byte) return std::nullopt;
    bytes.push_back(static_cast<char>(*byte));
  }
  const std::u32string decoded = decode_utf8(bytes);
  if (decoded.size() != 1 || decoded.front() == U'\uFFFD') return std::nullopt;
  return decoded.front();
}

/// Text in which UTF-8 was read as Windows-1252, read rightly ("naÃ¯ve").
std::u32string undo_windows1252(const std::u32string& text) {
  std::u32string out;
  out.reserve(text.size());
  for (std::u32string_view rest = text; !rest.empty();) {
    std::size_t length = 0;
    const auto character = misread_character(rest, length);
    out.push_back(character.value_or(rest.front()));
    rest.remove_prefix(character ? length : 1);
  }
  return out;
}

/// Appends what one character of a damaged text should have been.
void repair_character(char32_t c, std::u32string& out) {
  if (is_unwanted_control(c)) return;
  if (c >= 0x80 && c <= 0x9F) c = windows1252_character(static_cast<std::uint8_t>(c));
  if (const char32_t* letters = ligature(c)) {
    out += letters;
  } else if (c == 0x3000 || (c >= 0xFF01 && c <= 0xFFEF)) {
    out += standard_width(c);
  } else if (c == 0x2BC || (c >= 0x2018 && c <= 0x201B)) {
    out.push_back('\'');
  } else if (c >= 0x201C && c <= 0x201F) {
    out.push_back('"');
  } else {
    out.push_back(c);
  }
}

std::u32string repair_once(std::u32string text, bool unescape) {
  if (unescape) text = unescape_closed_html(text);
  text = undo_windows1252(text);
  std::u32string out;
  out.reserve(text.size());
  for (std::u32string_view rest = text; !rest.empty();) {
    const std::size_t escape = terminal_escape(rest);
    if (escape == 0) repair_character(rest.front(), out);
    rest.remove_prefix(std::max<std::size_t>(escape, 1));
  }
  return normal_form_c(out);
}

/// Repairs one line until nothing changes. Each repair shortens or simplifies; the bound only guards against a cycle.
std::u32string repair_line(std::u32string line, bool unescape) {
  constexpr int kMostRounds = 32;
  for (int round = 0; round < kMostRounds; ++round) {
    std::u32string repaired = repair_once(line, unescape);
    if (repaired == line) break;
    line = std::move(repaired);
  }
  return line;
}

std::u32string repair(std::u32string_view text) {
  std::u32string out;
  bool unescape = true;  // a line with '<' is taken for real HTML, and so is all that follows
  while (!text.empty()) {
    const std::size_t length = std::min(text.find(U'\n'), text.size() - 1) + 1;
    const std::u32string_view line = text.substr(0, length);
    if (line.find(U'<') != std::u32string_view::npos) unescape = false;
    out += repair_line(std::u32string(line), unescape);
    text.remove_prefix(length);
  }
  return out;
}

/// White space as Python's str.split() sees it.
bool is_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

std::u32string collapse_spaces(std::u32string_view text) {
  std::u32string out;
  out.reserve(text.size());
  for (const char32_t c : text) {
    if (!is_space(c))
      out.push_back(c);
    else if (!out.empty() && out.back() != ' ')
      out.push_back(' ');
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace

std::string clean_clip_text(std::string_view text) {
  if (is_plain(text)) return clean_plain(text);
  const std::u32string repaired = repair(decode_utf8(text));
  icu::UnicodeString lower = from_utf32(collapse_spaces(unescape_html(unescape_html(repaired))));
  lower.toLower(icu::Locale::getRoot());
  std::string out;
  return lower.toUTF8String(out);
}

}  // namespace disco::models
