// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/text/byte_pairs.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <queue>
#include <tuple>

#include "engine/base/hash.h"
#include "engine/base/random.h"

namespace disco::models {
namespace {

std::uint64_t pair_key(std::int32_t left, std::int32_t right) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 | static_cast<std::uint32_t>(right);
}

}  // namespace

BytePairs::BytePairs(std::span<const Merge> merges)
    : slots_(std::bit_ceil(merges.size() * 2 + 1)), mask_(slots_.size() - 1) {
  std::int32_t rank = 0;
  for (const Merge& merge : merges) {
    const std::uint64_t key = pair_key(merge.left, merge.right);
    std::uint64_t at = mix64(key) & mask_;
    while (slots_[at].pair != kEmpty && slots_[at].pair != key) at = (at + 1) & mask_;
    // Of a pair that is listed twice the later place counts, as in a dictionary that is filled in order.
    slots_[at] = {.pair = key, .rank = rank++, .merged = merge.merged};
  }
}

const BytePairs::Slot* BytePairs::find(std::int32_t left, std::int32_t right) const {
  const std::uint64_t key = pair_key(left, right);
  for (std::uint64_t at = mix64(key) & mask_; slots_[at].pair != kEmpty; at = (at + 1) & mask_)
    if (slots_[at].pair == key) return &slots_[at];
  return nullptr;
}

void BytePairs::apply(std::vector<std::int32_t>& ids) const {
  // Rounds cost the square of the length: right for words, wrong for a megabyte without a space.
  constexpr std::size_t kLongWord = 256;
  if (ids.size() <= kLongWord)
    apply_rounds(ids);
  else
    apply_queue(ids);
}

void BytePairs::apply_rounds(std::vector<std::int32_t>& ids) const {
  while (ids.size() > 1) {
    const Slot* best = nullptr;
    for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
      const Slot* slot = find(ids[i], ids[i + 1]);
      if (slot != nullptr && (best == nullptr || slot->rank < best->rank)) best = slot;
    }
    if (best == nullptr) return;
    const auto left = static_cast<std::int32_t>(best->pair >> 32);
    const auto right = static_cast<std::int32_t>(best->pair & 0xFFFFFFFFU);
    std::size_t to = 0;
    for (std::size_t from = 0; from < ids.size(); ++from, ++to) {
      const bool joins = from + 1 < ids.size() && ids[from] == left && ids[from + 1] == right;
      ids[to] = joins ? best->merged : ids[from];
      if (joins) ++from;
    }
    ids.resize(to);
  }
}

void BytePairs::apply_queue(std::vector<std::int32_t>& ids) const {
  // A linked list of tokens and a queue of joinable neighbours by (rank, place). An entry is out of date when one of
  // its tokens has been joined since; then the ids at its place no longer make the pair.
  struct Entry {
    std::int32_t rank;
    std::size_t place;
    std::uint64_t pair;
    bool operator>(const Entry& other) const { return std::tie(rank, place) > std::tie(other.rank, other.place); }
  };
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> next(ids.size());
  std::vector<std::size_t> previous(ids.size());
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  const auto offer = [&](std::size_t place) {
    if (place == kNone || next[place] == kNone) return;
    if (const Slot* slot = find(ids[place], ids[next[place]])) queue.push({slot->rank, place, slot->pair});
  };
  for (std::size_t i = 0; i < ids.size(); ++i) {
    next[i] = i + 1 < ids.size() ? i + 1 : kNone;
    previous[i] = i > 0 ? i - 1 : kNone;
  }
  for (std::size_t i = 0; i < ids.size(); ++i) offer(i);
  constexpr std::int32_t kJoined = -1;
  while (!queue.empty()) {
    const Entry entry = queue.top();
    queue.pop();
    const std::size_t place = entry.place;
    const std::size_t right = next[place];
    if (ids[place] == kJoined || right == kNone || pair_key(ids[place], ids[right]) != entry.pair) continue;
    ids[place] = find(ids[place], ids[right])->merged;
    ids[right] = kJoined;
    next[place] = next[right];
    if (next[place] != kNone) previous[next[place]] = place;
    offer(previous[place]);
    offer(place);
  }
  std::erase(ids, kJoined);
}

WordTable::WordTable(std::size_t words) : slots_(std::bit_ceil(words * 2 + 1)), mask_(slots_.size() - 1) {}

void WordTable::insert(std::string_view word, std::int32_t id) {
  const std::uint64_t hash = hash64(word);
  std::uint64_t at = hash & mask_;
  while (slots_[at].id >= 0) at = (at + 1) & mask_;
  slots_[at] = {.hash = hash,
                .offset = static_cast<std::uint32_t>(letters_.size()),
                .length = static_cast<std::uint32_t>(word.size()),
                .id = id};
  letters_ += word;
}

std::int32_t WordTable::find(std::string_view word) const {
  const std::uint64_t hash = hash64(word);
  for (std::uint64_t at = hash & mask_; slots_[at].id >= 0; at = (at + 1) & mask_) {
    const Slot& slot = slots_[at];
    if (slot.hash == hash && std::string_view(letters_).substr(slot.offset, slot.length) == word) return slot.id;
  }
  return -1;
}

}  // namespace disco::models
