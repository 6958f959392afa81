// SPDX-License-Identifier: GPL-3.0-or-later
#include <unicode/uchar.h>

#include <algorithm>
#include <array>

#include "engine/base/files.h"
#include "engine/base/json.h"
#include "models/text/byte_pairs.h"
#include "models/text/clean.h"
#include "models/text/tokenizer.h"
#include "models/text/vocabulary.h"

namespace disco::models {
namespace {

constexpr std::string_view kStartToken = "<|startoftext|>";
constexpr std::string_view kEndToken = "<|endoftext|>";
constexpr std::string_view kWordEnd = "</w>";

enum class Kind { space, letter, number, other };

/// The class of the character at text[at]; length is its size in bytes.
Kind classify(std::string_view text, std::size_t at, std::size_t& length) {
  const auto byte = static_cast<std::uint8_t>(text[at]);
  if (byte < 0x80) {
    length = 1;
    if (byte == ' ') return Kind::space;
    if (byte >= 'a' && byte <= 'z') return Kind::letter;
    return byte >= '0' && byte <= '9' ? Kind::number : Kind::other;
  }
  // Cleaned text is well-formed, so the first byte tells how many follow.
  length = std::min<std::size_t>(byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2, text.size() - at);
  UChar32 character = byte & (0x7F >> length);
  for (std::size_t i = 1; i < length; ++i) character = character << 6 | (text[at + i] & 0x3F);
  const std::uint32_t mask = U_MASK(u_charType(character));
  if ((mask & U_GC_L_MASK) != 0) return Kind::letter;
  return (mask & U_GC_N_MASK) != 0 ? Kind::number : Kind::other;
}

/// The length of an English contraction at the front of text, or 0.
std::size_t contraction(std::string_view text) {
  if (text.size() < 2 || text[0] != '\'') return 0;
  const std::string_view rest = text.substr(1);
  // The long s counts as an s where case is ignored, as the tokenizers' pattern does.
  if (rest.starts_with("\u017F")) return 3;
  for (const std::string_view ending : {"s", "t", "re", "ve", "m", "ll", "d"})
    if (rest.starts_with(ending)) return ending.size() + 1;
  return 0;
}

/// The length of the piece at the front of cleaned text that does not begin with a space: a special token, a
/// contraction, a run of letters, one digit, or a run of anything else.
std::size_t piece_length(std::string_view text) {
  if (text.front() == '<') {
    for (const std::string_view special : {kStartToken, kEndToken})
      if (text.starts_with(special)) return special.size();
  }
  if (const std::size_t length = contraction(text)) return length;
  std::size_t length = 0;
  const Kind kind = classify(text, 0, length);
  if (kind == Kind::number) return length;
  for (std::size_t step = 0; length < text.size() && classify(text, length, step) == kind;) length += step;
  return length;
}

class ClipTokenizer final : public Tokenizer {
 public:
  static Result<std::shared_ptr<const Tokenizer>> load(const std::filesystem::path& folder);

  std::vector<std::int32_t> encode(std::string_view text, int max_length) const override;
  std::string token_text(std::int32_t id) const override;
  int pad_id() const override { return end_; }
  int start_id() const override { return start_; }
  int end_id() const override { return end_; }
  int vocabulary_size() const override { return static_cast<int>(vocabulary_.tokens.size()); }
  Result<void> save(const std::filesystem::path& folder) const override;

 private:
  ClipTokenizer(Vocabulary vocabulary, std::vector<Merge> merges)
      : vocabulary_(std::move(vocabulary)), pairs_(merges), words_(vocabulary_.tokens.size()) {}

  Result<void> find_bytes(const std::string& where);
  void find_words();
  void append_piece(std::string_view piece, std::vector<std::int32_t>& ids, std::vector<std::int32_t>& word) const;
  void split(std::string_view piece, std::vector<std::int32_t>& word) const;

  Vocabulary vocabulary_;
  BytePairs pairs_;
  WordTable words_;
  std::array<std::int32_t, 256> inner_byte_{};
  std::array<std::int32_t, 256> last_byte_{};
  std::int32_t start_ = 0;
  std::int32_t end_ = 0;
  std::string vocabulary_file_;
  std::string merges_file_;
};

/// Reads the lines "left right" of a merges.txt.
Result<std::vector<Merge>> parse_merges(std::string_view text, const Vocabulary& vocabulary, const std::string& where) {
  std::vector<Merge> merges;
  int number = 0;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || (number == 1 && line.starts_with("#version"))) continue;
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos || line.find(' ', space + 1) != std::string_view::npos)
      return failure("Line " + std::to_string(number) + " must be two tokens with a space between them", where);
    const std::string left(line.substr(0, space));
    const std::string right(line.substr(space + 1));
    const Merge merge{
        .left = vocabulary.find(left), .right = vocabulary.find(right), .merged = vocabulary.find(left + right)};
    if (merge.left < 0 || merge.right < 0 || merge.merged < 0)
      return failure("Line " + std::to_string(number) + " has a token that vocab.json lacks", where,
                     "Use the vocab.json and merges.txt of one and the same tokenizer");
    merges.push_back(merge);
  }
  return merges;
}

Result<std::shared_ptr<const Tokenizer>> ClipTokenizer::load(const std::filesystem::path& folder) {
  constexpr std::uint64_t kLargestFile = 256U << 20;
  const std::filesystem::path vocabulary_path = folder / "vocab.json";
  const std::filesystem::path merges_path = folder / "merges.txt";
  DISCO_TRY(std::string vocabulary_text, read_file(vocabulary_path, kLargestFile));
  DISCO_TRY(std::string merges_text, read_file(merges_path, kLargestFile));
  DISCO_TRY(Vocabulary vocabulary, parse_vocabulary(vocabulary_text, vocabulary_path.string()));
  DISCO_TRY(std::vector<Merge> merges, parse_merges(merges_text, vocabulary, merges_path.string()));
  auto tokenizer = std::shared_ptr<ClipTokenizer>(new ClipTokenizer(std::move(vocabulary), std::move(merges)));
  DISCO_CHECK(tokenizer->find_bytes(vocabulary_path.string()));
  tokenizer->find_words();
  tokenizer->vocabulary_file_ = std::move(vocabulary_text);
  tokenizer->merges_file_ = std::move(merges_text);
  return tokenizer;
}

Result<void> ClipTokenizer::find_bytes(const std::string& where) {
  start_ = vocabulary_.find(std::string(kStartToken));
  end_ = vocabulary_.find(std::string(kEndToken));
  if (start_ < 0 || end_ < 0)
    return failure("The vocabulary lacks <|startoftext|> or <|endoftext|>", where,
                   "Use the vocabulary of a CLIP model");
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const std::string& letter = byte_letter(static_cast<std::uint8_t>(byte));
    inner_byte_[byte] = vocabulary_.find(letter);
    last_byte_[byte] = vocabulary_.find(letter + std::string(kWordEnd));
    if (inner_byte_[byte] < 0 || last_byte_[byte] < 0)
      return failure("The vocabulary lacks the byte " + std::to_string(byte), where,
                     "Use the vocabulary of a CLIP model");
  }
  return {};
}

void ClipTokenizer::find_words() {
  // Most words of a caption are one token. They are looked up by their letters; that a word really becomes that token
  // is found out here by splitting it, once.
  std::vector<std::int32_t> ids;
  for (std::size_t id = 0; id < vocabulary_.tokens.size(); ++id) {
    std::string_view token = vocabulary_.tokens[id];
    if (!token.ends_with(kWordEnd)) continue;
    token.remove_suffix(kWordEnd.size());
    const std::string word = token_bytes(token);
    if (word.empty()) continue;
    split(word, ids);
    if (ids.size() == 1 && ids.front() == static_cast<std::int32_t>(id)) words_.insert(word, ids.front());
  }
}

void ClipTokenizer::split(std::string_view piece, std::vector<std::int32_t>& word) const {
  word.clear();
  for (const char c : piece.substr(0, piece.size() - 1)) word.push_back(inner_byte_[static_cast<std::uint8_t>(c)]);
  word.push_back(last_byte_[static_cast<std::uint8_t>(piece.back())]);
  pairs_.apply(word);
}

void ClipTokenizer::append_piece(std::string_view piece, std::vector<std::int32_t>& ids,
                                 std::vector<std::int32_t>& word) const {
  if (const std::int32_t id = words_.find(piece); id >= 0) {
    ids.push_back(id);
  } else if (piece == kStartToken || piece == kEndToken) {
    ids.push_back(piece == kStartToken ? start_ : end_);
  } else {
    split(piece, word);
    ids.insert(ids.end(), word.begin(), word.end());
  }
}

std::vector<std::int32_t> ClipTokenizer::encode(std::string_view text, int max_length) const {
  const std::string clean = clean_clip_text(text);
  const auto most = static_cast<std::size_t>(std::max(max_length, 2));
  std::vector<std::int32_t> ids;
  std::vector<std::int32_t> word;
  ids.reserve(std::min(most, clean.size() / 3 + 8));
  ids.push_back(start_);
  std::string_view rest = clean;
  while (!rest.empty() && ids.size() < most) {
    if (rest.front() == ' ') {
      rest.remove_prefix(1);
      continue;
    }
    const std::size_t length = piece_length(rest);
    append_piece(rest.substr(0, length), ids, word);
    rest.remove_prefix(length);
  }
  if (ids.size() > most - 1) ids.resize(most - 1);
  ids.push_back(end_);
  return ids;
}

std::string ClipTokenizer::token_text(std::int32_t id) const {
  if (id < 0 || id >= vocabulary_size()) return {};
  std::string_view token = vocabulary_.tokens[static_cast<std::size_t>(id)];
  if (id == start_ || id == end_) return std::string(token);
  const bool ends = token.ends_with(kWordEnd);
  if (ends) token.remove_suffix(kWordEnd.size());
  return token_bytes(token) + (ends ? " " : "");
}

Result<void> ClipTokenizer::save(const std::filesystem::path& folder) const {
  const Json special = {
      {"bos_token", kStartToken}, {"eos_token", kEndToken}, {"pad_token", kEndToken}, {"unk_token", kEndToken}};
  Json config = {{"tokenizer_class", "CLIPTokenizer"}};
  config.update(special);
  DISCO_CHECK(write_atomically(folder / "vocab.json", vocabulary_file_));
  DISCO_CHECK(write_atomically(folder / "merges.txt", merges_file_));
  DISCO_CHECK(write_atomically(folder / "special_tokens_map.json", special.dump(2) + "\n"));
  return write_atomically(folder / "tokenizer_config.json", config.dump(2) + "\n");
}

}  // namespace

Result<std::shared_ptr<const Tokenizer>> load_clip_tokenizer(const std::filesystem::path& folder) {
  return ClipTokenizer::load(folder);
}

}  // namespace disco::models
