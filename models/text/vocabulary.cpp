// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/text/vocabulary.h"

#include <array>
#include <nlohmann/json.hpp>

namespace disco::models {
namespace {

/// Collects {"token": id, …} while the text is read: a tree of 50,000 members would cost far more.
class VocabularyReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit VocabularyReader(Vocabulary& vocabulary) : vocabulary_(vocabulary) {}
  [[nodiscard]] const std::string& problem() const { return problem_; }

  bool number_unsigned(number_unsigned_t id) override { return add(id); }
  bool number_integer(number_integer_t id) override { return id < 0 ? refuse() : add(static_cast<std::uint64_t>(id)); }
  bool key(string_t& name) override {
    token_ = name;
    return true;
  }
  bool start_object(std::size_t) override { return depth_++ == 0 || refuse(); }
  bool end_object() override { return true; }
  bool null() override { return refuse(); }
  bool boolean(bool) override { return refuse(); }
  bool number_float(number_float_t, const string_t&) override { return refuse(); }
  bool string(string_t&) override { return refuse(); }
  bool binary(binary_t&) override { return refuse(); }
  bool start_array(std::size_t) override { return refuse(); }
  bool end_array() override { return refuse(); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    problem_ = "is not JSON (byte " + std::to_string(position) + ")";
    return false;
  }

 private:
  static constexpr std::uint64_t kMostTokens = 4'000'000;

  bool refuse() {
    problem_ = "must be one object of tokens and their ids";
    return false;
  }
  bool add(std::uint64_t id) {
    if (depth_ != 1) return refuse();
    if (id >= kMostTokens) {
      problem_ = "has an id that is too large: " + std::to_string(id);
      return false;
    }
    const auto index = static_cast<std::size_t>(id);
    if (vocabulary_.tokens.size() <= index) vocabulary_.tokens.resize(index + 1);
    if (!vocabulary_.tokens[index].empty()) {
      problem_ = "gives id " + std::to_string(id) + " to two tokens";
      return false;
    }
    if (!vocabulary_.ids.emplace(token_, static_cast<std::int32_t>(id)).second) {
      problem_ = "lists the token \"" + token_ + "\" twice";
      return false;
    }
    vocabulary_.tokens[index] = token_;
    return true;
  }

  Vocabulary& vocabulary_;
  std::string token_;
  std::string problem_;
  int depth_ = 0;
};

void append_utf8(std::uint32_t code, std::string& out) {
  if (code < 0x80) {
    out.push_back(static_cast<char>(code));
    return;
  }
  out.push_back(static_cast<char>(0xC0 | code >> 6));
  out.push_back(static_cast<char>(0x80 | (code & 0x3F)));
}

struct ByteLetters {
  std::array<std::string, 256> letters;
  std::array<std::int16_t, 0x200> bytes;  ///< by character; -1 where it stands for no byte

  ByteLetters() {
    bytes.fill(-1);
    std::uint32_t next = 0x100;
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      const bool printable = (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD);
      const std::uint32_t code = printable ? byte : next++;
      append_utf8(code, letters[byte]);
      bytes[code] = static_cast<std::int16_t>(byte);
    }
  }
};

const ByteLetters& byte_letters() {
  static const ByteLetters table;
  return table;
}

}  // namespace

std::int32_t Vocabulary::find(const std::string& token) const {
  const auto found = ids.find(token);
  return found == ids.end() ? -1 : found->second;
}

Result<Vocabulary> parse_vocabulary(std::string_view text, const std::string& where) {
  Vocabulary vocabulary;
  VocabularyReader reader(vocabulary);
  if (!nlohmann::json::sax_parse(text, &reader)) return failure("The vocabulary " + reader.problem(), where);
  if (vocabulary.tokens.empty()) return failure("The vocabulary is empty", where);
  for (std::size_t id = 0; id < vocabulary.tokens.size(); ++id)
    if (vocabulary.tokens[id].empty())
      return failure("The vocabulary has no token for id " + std::to_string(id), where);
  return vocabulary;
}

const std::string& byte_letter(std::uint8_t byte) { return byte_letters().letters[byte]; }

std::string token_bytes(std::string_view token) {
  std::string out;
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::uint32_t code = static_cast<std::uint8_t>(token[i]);
    if (code >= 0xC0 && code < 0xE0 && i + 1 < token.size())
      code = (code & 0x1F) << 6 | (static_cast<std::uint8_t>(token[++i]) & 0x3F);
    if (code < byte_letters().bytes.size() && byte_letters().bytes[code] >= 0)
      out.push_back(static_cast<char>(byte_letters().bytes[code]));
  }
  return out;
}

}  // namespace disco::models
