// SPDX-License-Identifier: GPL-3.0-or-later
//
// Random numbers that depend only on what they are for. A draw is a function of (seed, epoch, index, purpose, count),
// so results do not change with the number of threads, and resuming needs a position instead of a generator's state.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace disco {

/// SplitMix64's output function (Steele, Lea and Flood 2014): a bijection with full avalanche.
constexpr std::uint64_t mix64(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// A stream of draws for one purpose. Cheap to make; not shared between threads.
class Draw {
 public:
  constexpr Draw(std::uint64_t seed, std::uint64_t epoch, std::uint64_t index, std::string_view purpose) {
    std::uint64_t name = 0xcbf29ce484222325ULL;
    for (const char c : purpose) name = (name ^ static_cast<std::uint8_t>(c)) * 0x100000001b3ULL;
    key_ = mix64(seed + golden);
    key_ = mix64(key_ ^ (epoch + golden));
    key_ = mix64(key_ ^ (index + golden));
    key_ = mix64(key_ ^ name);
  }

  constexpr std::uint64_t next() { return mix64(key_ + golden * ++count_); }

  /// Uniform in [0, 1).
  constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /// Uniform in [low, high).
  constexpr double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// Uniform in {0 … n-1}, n > 0, without bias (rejection).
  constexpr std::uint64_t below(std::uint64_t n) {
    const std::uint64_t limit = (0 - n) % n;
    std::uint64_t value = next();
    while (value < limit) value = next();
    return value % n;
  }

  constexpr bool chance(double probability) { return uniform() < probability; }

  /// Fisher–Yates.
  template <class T>
  constexpr void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;
  std::uint64_t key_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace disco
