// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace disco::data::cartoons {

/// Something that can be counted: its two word forms and its picture.
struct Noun {
  std::string_view singular;
  std::string_view plural;
  char32_t emoji;
};

/// A place with the ways to say "there"; the wording chosen never depends on the picture.
struct Place {
  std::string_view id;
  std::array<std::string_view, 3> phrases;
};

/// What may be odd about the subjects of a scene.
enum class Oddity : std::uint8_t { kNone, kUpsideDown, kGiant, kTopHat, kCrown, kBalloon, kSkateboard };
inline constexpr int kOddities = 7;

/// How an oddity is said. Exactly one of adjective and the two modifiers is non-empty.
struct OddityWords {
  std::string_view adjective;          ///< "giant": stands before the noun
  std::string_view modifier_singular;  ///< "wearing a top hat": stands after the noun
  std::string_view modifier_plural;
  std::string_view clause_singular;  ///< "is wearing a top hat"
  std::string_view clause_plural;
};

/// The sizes are multiples of four, so that every held-out triple has the same number of held-out neighbours.
inline constexpr int kSubjects = 20;
inline constexpr int kObjects = 16;
inline constexpr int kPlaces = 8;
inline constexpr int kMaxCount = 3;

enum PlaceId : int { kBeach, kSnow, kDesert, kForest, kMoon, kUnderwater, kCity, kKitchen };

[[nodiscard]] std::span<const Noun, kSubjects> subjects();
[[nodiscard]] std::span<const Noun, kObjects> objects();
[[nodiscard]] std::span<const Place, kPlaces> places();
[[nodiscard]] const OddityWords& words(Oddity oddity);

inline constexpr char32_t kTopHatEmoji = U'\U0001F3A9';
inline constexpr char32_t kCrownEmoji = U'\U0001F451';
inline constexpr char32_t kBalloonEmoji = U'\U0001F388';
inline constexpr char32_t kSkateboardEmoji = U'\U0001F6F9';

}  // namespace disco::data::cartoons
