// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace disco::ui {

/// Every colour that the window uses, by meaning. The value depends on the theme: ask Theme::colour().
enum class Token : std::uint8_t {
  window,        ///< the ground of a page
  rail,          ///< rail, strip and menu bar
  surface,       ///< cards, fields, plots
  raised,        ///< popups, notices, tooltips
  sunken,        ///< heads of tables, alternate rows, empty picture places
  hover,         ///< under the pointer
  select,        ///< the selected row or button
  border,        ///< decoration: edges of cards, separators
  control,       ///< edges of things that can be operated
  grid,          ///< hairlines of a plot
  neutral,       ///< ink of neutral states
  neutral_bg,    ///< ground of neutral chips, tracks of bars
  text,          ///< first level of text
  text2,         ///< second level of text
  text3,         ///< captions and placeholders
  link,          ///< links and the focus ring
  accent,        ///< the primary button
  on_accent,     ///< text and focus ring on the accent
  accent_hover,  ///< the primary button under the pointer
  meter,         ///< progress, sliders
  info,
  info_bg,
  ok,
  ok_bg,
  warn,
  warn_bg,
  bad,
  bad_bg,
};

/// One row of the colour table: 0xRRGGBB for both themes.
struct TokenRow {
  Token token;
  std::string_view name;  ///< as generated sheets refer to it
  std::uint32_t light;
  std::uint32_t dark;
};

inline constexpr std::array<TokenRow, 28> token_rows{{
    {Token::window, "window", 0xF3F4F7, 0x13151A},
    {Token::rail, "rail", 0xE8EAF0, 0x0E1014},
    {Token::surface, "surface", 0xFFFFFF, 0x1C1F27},
    {Token::raised, "raised", 0xFFFFFF, 0x262A35},
    {Token::sunken, "sunken", 0xF8F9FB, 0x171A21},
    {Token::hover, "hover", 0xECEEF4, 0x282D38},
    {Token::select, "select", 0xE3E0FA, 0x37325F},
    {Token::border, "border", 0xD5D9E1, 0x333945},
    {Token::control, "control", 0x7B8290, 0x788191},
    {Token::grid, "grid", 0xE4E7ED, 0x2B303B},
    {Token::neutral, "neutral", 0x4F5666, 0xB4BBC8},
    {Token::neutral_bg, "neutral_bg", 0xE6E9EF, 0x2E333E},
    {Token::text, "text", 0x1A1D24, 0xECEEF3},
    {Token::text2, "text2", 0x474E5C, 0xBAC0CC},
    {Token::text3, "text3", 0x5D6574, 0x9AA2B1},
    {Token::link, "link", 0x5643C4, 0xADA3FF},
    {Token::accent, "accent", 0x5643C4, 0x7263E6},
    {Token::on_accent, "on_accent", 0xFFFFFF, 0xFFFFFF},
    {Token::accent_hover, "accent_hover", 0x4936AE, 0x6251D2},
    {Token::meter, "meter", 0x5643C4, 0x8F82F2},
    {Token::info, "info", 0x0B5CAD, 0x7DB8F7},
    {Token::info_bg, "info_bg", 0xDFEDFB, 0x16314C},
    {Token::ok, "ok", 0x17693F, 0x6FD29B},
    {Token::ok_bg, "ok_bg", 0xDDF3E6, 0x15382A},
    {Token::warn, "warn", 0x85530A, 0xF0B95A},
    {Token::warn_bg, "warn_bg", 0xFCEBCB, 0x42310F},
    {Token::bad, "bad", 0xB3261E, 0xFF9A91},
    {Token::bad_bg, "bad_bg", 0xFCE3E1, 0x4C1F1E},
}};

namespace detail {
consteval bool tokens_in_order() {
  for (std::size_t i = 0; i < token_rows.size(); ++i)
    if (static_cast<std::size_t>(token_rows[i].token) != i) return false;
  return static_cast<std::size_t>(Token::bad_bg) + 1 == token_rows.size();
}
}  // namespace detail
static_assert(detail::tokens_in_order(), "token_rows must list every Token once, in the order of the enum");

/// A colour in both themes.
struct ColourPair {
  std::uint32_t light;
  std::uint32_t dark;
};

/// Curve colours c0…c9, told apart also by people who see fewer colours. See Curve for what they mean.
inline constexpr std::array<ColourPair, 10> curve_colours{{
    {0x1E5AD5, 0x5591FD},
    {0xD67C00, 0xF99017},
    {0x188F5F, 0x06BF7F},
    {0xB7387E, 0xCC5188},
    {0x049DD3, 0x0AE5FC},
    {0x8A000F, 0xCE3311},
    {0x620095, 0x8452D5},
    {0x707000, 0xF7E100},
    {0x725640, 0x907758},
    {0x928CA1, 0xAFABB7},
}};

/// What a curve colour stands for wherever it is not the colour of a run.
namespace curves {
inline constexpr int whole_model = 0;
inline constexpr int text_side = 1;
inline constexpr int accuracy = 2;
inline constexpr int gradient_norm = 3;
inline constexpr int image_side = 4;
inline constexpr int recall_at_1 = 6;
inline constexpr int logit_scale = 8;
inline constexpr int memory = 9;
}  // namespace curves

/// Parts of a step's time from the base up: waiting comes first, so that waste is read against the axis.
struct TimePart {
  std::string_view key;  ///< the member of "seconds" in a step event
  int curve;
};
inline constexpr std::array<TimePart, 8> time_parts{{
    {"data", 1},
    {"copy", 7},
    {"communication", 6},
    {"forward", 4},
    {"loss", 3},
    {"backward", 0},
    {"optimizer", 2},
    {"other", 9},
}};

/// Heat maps: lightness runs in one direction.
inline constexpr std::array<std::uint32_t, 5> heat_light{0xF8F9FB, 0xD9D4F7, 0xA99FEA, 0x7263D6, 0x3B2A9C};
inline constexpr std::array<std::uint32_t, 5> heat_dark{0x171A21, 0x332C63, 0x5648B4, 0x8F82F2, 0xDDD8FF};
/// Differences: less (orange) to more (blue) with nothing in the middle.
inline constexpr std::array<std::uint32_t, 5> difference_light{0xA65F00, 0xF0C58A, 0xF1F2F5, 0x9DB8F0, 0x1E4FBF};
inline constexpr std::array<std::uint32_t, 5> difference_dark{0xF99017, 0x80501A, 0x232731, 0x2C4A86, 0x6FA3FF};

/// Sizes in logical pixels at 100 % text.
namespace sizes {
inline constexpr int gap1 = 4;
inline constexpr int gap2 = 8;
inline constexpr int gap3 = 12;
inline constexpr int gap4 = 16;
inline constexpr int gap6 = 24;
inline constexpr int gap8 = 32;
inline constexpr int control = 30;      ///< height of a button, field, combo box
inline constexpr int row = 40;          ///< height of a table row
inline constexpr int row_compact = 28;  ///< height of a row in a dense list
inline constexpr int icon = 16;
inline constexpr int icon_large = 24;
inline constexpr int radius = 4;       ///< controls
inline constexpr int radius_card = 8;  ///< cards and pictures
inline constexpr int focus_ring = 2;
inline constexpr int rail = 96;
inline constexpr int rail_narrow = 56;
inline constexpr int rail_button = 56;
inline constexpr int run_bar = 48;
inline constexpr int page_head = 40;
inline constexpr int strip = 24;
inline constexpr int tile = 68;
inline constexpr int notice = 360;
inline constexpr int chart_width = 360;   ///< least width of a chart
inline constexpr int chart_height = 220;  ///< least height of a chart
inline constexpr int plot_gutter = 52;    ///< left gutter of every plot, so that cross-hair lines line up
inline constexpr int side_panel = 310;
inline constexpr int settings_column = 640;
inline constexpr int minimum_width = 900;
inline constexpr int minimum_height = 600;
inline constexpr int narrow = 960;   ///< below: icons only in the rail
inline constexpr int medium = 1100;  ///< below: two chart columns, run bar as icons
inline constexpr int wide = 1700;    ///< from here: four chart columns
}  // namespace sizes

/// Fonts by role; sizes are factors of the system font's size.
enum class FontRole : std::uint8_t { caption, body, strong, heading, title, number, mono };

/// Milliseconds of motion; ask Theme::motion() so that "less motion" is obeyed.
namespace motions {
inline constexpr int hover = 80;
inline constexpr int panel = 120;
inline constexpr int spinner_delay = 300;
}  // namespace motions

}  // namespace disco::ui
