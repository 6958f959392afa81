// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/cartoons/vocabulary.h"

namespace disco::data::cartoons {
namespace {

// Entries whose indices are equal modulo four become each other's near misses in held-out pictures (composition.h):
// each such class is mixed in colour and shape.
constexpr std::array<Noun, kSubjects> kSubjectTable = {{
    {"fox", "foxes", U'\U0001F98A'},
    {"cat", "cats", U'\U0001F408'},
    {"lion", "lions", U'\U0001F981'},
    {"mouse", "mice", U'\U0001F401'},
    {"frog", "frogs", U'\U0001F438'},
    {"pig", "pigs", U'\U0001F416'},
    {"rabbit", "rabbits", U'\U0001F407'},
    {"panda", "pandas", U'\U0001F43C'},
    {"elephant", "elephants", U'\U0001F418'},
    {"penguin", "penguins", U'\U0001F427'},
    {"turtle", "turtles", U'\U0001F422'},
    {"octopus", "octopuses", U'\U0001F419'},
    {"butterfly", "butterflies", U'\U0001F98B'},
    {"bee", "bees", U'\U0001F41D'},
    {"crab", "crabs", U'\U0001F980'},
    {"unicorn", "unicorns", U'\U0001F984'},
    {"ghost", "ghosts", U'\U0001F47B'},
    {"robot", "robots", U'\U0001F916'},
    {"owl", "owls", U'\U0001F989'},
    {"sheep", "sheep", U'\U0001F411'},
}};

constexpr std::array<Noun, kObjects> kObjectTable = {{
    {"anchor", "anchors", U'\u2693'},
    {"umbrella", "umbrellas", U'\u2602'},
    {"guitar", "guitars", U'\U0001F3B8'},
    {"rocket", "rockets", U'\U0001F680'},
    {"cake", "cakes", U'\U0001F382'},
    {"drum", "drums", U'\U0001F941'},
    {"present", "presents", U'\U0001F381'},
    {"pumpkin", "pumpkins", U'\U0001F383'},
    {"car", "cars", U'\U0001F697'},
    {"pineapple", "pineapples", U'\U0001F34D'},
    {"mushroom", "mushrooms", U'\U0001F344'},
    {"television", "televisions", U'\U0001F4FA'},
    {"cactus", "cacti", U'\U0001F335'},
    {"telephone", "telephones", U'\u260E'},
    {"alarm clock", "alarm clocks", U'\u23F0'},
    {"trophy", "trophies", U'\U0001F3C6'},
}};

constexpr std::array<Place, kPlaces> kPlaceTable = {{
    {"beach", {"on a beach", "at the beach", "on the sand by the sea"}},
    {"snow", {"in the snow", "on a snowy mountain", "in a snowy landscape"}},
    {"desert", {"in the desert", "in a hot desert", "among the dunes of a desert"}},
    {"forest", {"in a forest", "in the woods", "between the trees of a forest"}},
    {"moon", {"on the moon", "on the surface of the moon", "on the moon under the stars"}},
    {"underwater", {"under water", "under the sea", "at the bottom of the sea"}},
    {"city", {"in a city", "on a city street", "in the streets of a city"}},
    {"kitchen", {"in a kitchen", "on a kitchen floor", "in a tiled kitchen"}},
}};

constexpr std::array<OddityWords, kOddities> kOddityTable = {{
    {"", "", "", "", ""},
    {"upside-down", "", "", "is upside down", "are upside down"},
    {"giant", "", "", "is a giant", "are giants"},
    {"", "wearing a top hat", "wearing top hats", "wears a top hat", "wear top hats"},
    {"", "wearing a crown", "wearing crowns", "wears a crown", "wear crowns"},
    {"", "floating on a balloon", "floating on balloons", "floats on a balloon", "float on balloons"},
    {"", "riding a skateboard", "riding skateboards", "rides a skateboard", "ride skateboards"},
}};

}  // namespace

std::span<const Noun, kSubjects> subjects() { return kSubjectTable; }
std::span<const Noun, kObjects> objects() { return kObjectTable; }
std::span<const Place, kPlaces> places() { return kPlaceTable; }
const OddityWords& words(Oddity oddity) { return kOddityTable[static_cast<std::size_t>(oddity)]; }

}  // namespace disco::data::cartoons
