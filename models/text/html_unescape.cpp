// SPDX-License-Identifier: GPL-3.0-or-later
#include <unicode/locid.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "models/text/html_entities.h"
#include "models/text/windows1252.h"

namespace disco::models {
namespace {

struct Entity {
  std::u32string text;
  bool needs_semicolon = true;
};

using EntityTable = std::unordered_map<std::string_view, Entity>;

EntityTable read_table() {
  EntityTable table;
  std::string_view rest = kHtmlEntities;
  while (!rest.empty()) {
    std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(word.size() + 1);
    Entity entity;
    if (word.front() == '*') {
      entity.needs_semicolon = false;
      word.remove_prefix(1);
    }
    const std::size_t equals = word.find('=');
    const char* digits = word.data() + equals + 1;
    const char* end = word.data() + word.size();
    while (digits < end) {
      std::uint32_t code = 0;
      digits = std::from_chars(digits, end, code, 16).ptr + 1;
      entity.text.push_back(static_cast<char32_t>(code));
    }
    table.emplace(word.substr(0, equals), std::move(entity));
  }
  return table;
}

const EntityTable& entities() {
  static const EntityTable table = read_table();
  return table;
}

/// What a numeric reference stands for. HTML reads the C1 controls as Windows-1252 and drops what is no character.
std::u32string numeric_reference(std::uint32_t code) {
  if (code == 0) return U"\uFFFD";
  if (code >= 0x80 && code <= 0x9F) return std::u32string(1, windows1252_character(static_cast<std::uint8_t>(code)));
  if ((code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF) return U"\uFFFD";
  const bool control = (code < 0x20 && code != '\t' && code != '\n' && code != '\f' && code != '\r') || code == 0x7F;
  const bool noncharacter = (code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF);
  if (control || noncharacter) return {};
  return std::u32string(1, static_cast<char32_t>(code));
}

int digit_value(char32_t c, int base) {
  int value = -1;
  if (c >= '0' && c <= '9') value = static_cast<int>(c - '0');
  if (c >= 'a' && c <= 'f') value = static_cast<int>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') value = static_cast<int>(c - 'A') + 10;
  return value < base ? value : -1;
}

/// Reads "&#…" at the front of text; returns the characters that were used, 0 when it is no reference.
std::size_t read_numeric(std::u32string_view text, bool closed_only, std::u32string& out) {
  std::size_t at = 2;
  const int base = at < text.size() && (text[at] == 'x' || text[at] == 'X') ? 16 : 10;
  if (base == 16) ++at;
  const std::size_t first = at;
  std::uint32_t code = 0;
  for (int digit = 0; at < text.size() && (digit = digit_value(text[at], base)) >= 0; ++at)
    code =
        std::min<std::uint32_t>(code * static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(digit), 0x110000);
  if (at == first) return 0;
  const bool closed = at < text.size() && text[at] == ';';
  if (closed_only && !closed) return 0;
  out += numeric_reference(code);
  return at + (closed ? 1 : 0);
}

/// Reads a name that stands in capitals where HTML knows it in small letters only ("&EACUTE;"), as ftfy does. Not where
/// an old name begins it, because then HTML reads that.
std::size_t read_capitals(const std::string& name, std::u32string& out) {
  std::string small = name;
  for (char& c : small) {
    if (c >= 'a' && c <= 'z') return 0;
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  const EntityTable& table = entities();
  const auto found = table.find(small);
  if (found == table.end()) return 0;
  for (std::size_t length = 2; length < name.size(); ++length) {
    const auto old = table.find(std::string_view(name).substr(0, length));
    if (old != table.end() && !old->second.needs_semicolon) return 0;
  }
  icu::UnicodeString text;
  for (const char32_t c : found->second.text) text.append(static_cast<UChar32>(c));
  text.toUpper(icu::Locale::getRoot());
  for (int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1))
    out.push_back(static_cast<char32_t>(text.char32At(i)));
  return name.size() + 2;
}

/// Reads "&name" at the front of text; returns the characters that were used, 0 when it is no reference.
std::size_t read_named(std::u32string_view text, bool closed_only, std::u32string& out) {
  constexpr std::size_t kLongestName = 32;
  std::string name;
  std::size_t at = 1;
  for (; at < text.size() && name.size() < kLongestName; ++at) {
    const char32_t c = text[at];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!letter) break;
    name.push_back(static_cast<char>(c));
  }
  const EntityTable& table = entities();
  const bool closed = at < text.size() && text[at] == ';';
  if (closed) {
    if (const auto found = table.find(name); found != table.end()) {
      out += found->second.text;
      return at + 1;
    }
  }
  if (closed_only) return closed ? read_capitals(name, out) : 0;
  for (; name.size() > 1; name.pop_back()) {
    if (const auto found = table.find(name); found != table.end() && !found->second.needs_semicolon) {
      out += found->second.text;
      return name.size() + 1;
    }
  }
  return 0;
}

std::u32string unescape(std::u32string_view text, bool closed_only) {
  std::u32string out;
  out.reserve(text.size());
  while (!text.empty()) {
    std::size_t used = 0;
    if (text.front() == '&' && text.size() > 1)
      used = text[1] == '#' ? read_numeric(text, closed_only, out) : read_named(text, closed_only, out);
    if (used == 0) {
      out.push_back(text.front());
      used = 1;
    }
    text.remove_prefix(used);
  }
  return out;
}

}  // namespace

std::u32string unescape_html(std::u32string_view text) { return unescape(text, false); }

std::u32string unescape_closed_html(std::u32string_view text) { return unescape(text, true); }

}  // namespace disco::models
