// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <QStyleOption>
#include <cstdint>

namespace disco::ui {

class Theme;

/// What a button is for, from its `role` property.
enum class ButtonLook : std::uint8_t { plain, primary, danger, flat, link };
[[nodiscard]] ButtonLook button_look(const QWidget* widget);

/// The drawings of StudioStyle, one function a shape. All restore the painter.
class StylePaint {
 public:
  StylePaint(const Theme& theme, QPainter& painter) : theme_(theme), painter_(painter) {}

  /// A field's ground and edge; the edge tells focus and problem.
  void field(const QRect& rect, QStyle::State state, bool problem) const;
  void button(const QRect& rect, QStyle::State state, ButtonLook look) const;
  /// 2 px inside `rect`.
  void focus_ring(const QRect& rect, int radius, const QColor& colour) const;
  void check_box(const QRect& rect, QStyle::State state) const;
  void radio(const QRect& rect, QStyle::State state) const;
  void slider(const QRect& groove, const QRect& handle, const QStyleOptionSlider& option) const;
  void scroll_bar(const QRect& bar, const QRect& handle, const QStyleOptionSlider& option) const;
  void tab(const QStyleOptionTab& option) const;
  void header(const QStyleOptionHeader& option) const;
  void row(const QStyleOptionViewItem& option) const;
  void panel(const QRect& rect, const QColor& ground) const;
  /// A chevron in the middle of `rect`; +1 points down, -1 up.
  void chevron(const QRectF& rect, int down, bool enabled) const;
  [[nodiscard]] QColor button_ink(ButtonLook look, bool enabled) const;

 private:
  const Theme& theme_;
  QPainter& painter_;
};

}  // namespace disco::ui
