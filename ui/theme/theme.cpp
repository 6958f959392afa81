// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QApplication>
#include <QFontDatabase>
#include <QFontInfo>
#include <QLabel>
#include <QStyle>
#include <QWidget>
#include <algorithm>

#include "ui/theme/colour_math.h"
#include "ui/theme/desktop_appearance.h"
#include "ui/theme/sheet.h"
#include "ui/theme/studio_style.h"

namespace disco::ui {
namespace {

Theme* current = nullptr;

// Below this size captions (0.85 of it) would be under 11 px.
constexpr double least_body_pixels = 13;

QFont readable(QFont font) {
  const int pixels = QFontInfo(font).pixelSize();
  if (pixels < least_body_pixels && pixels > 0) {
    if (font.pointSizeF() > 0)
      font.setPointSizeF(font.pointSizeF() * least_body_pixels / pixels);
    else
      font.setPixelSize(static_cast<int>(least_body_pixels));
  }
  return font;
}

QFont scaled(QFont font, double factor) {
  if (font.pointSizeF() > 0)
    font.setPointSizeF(font.pointSizeF() * factor);
  else
    font.setPixelSize(std::max(1, static_cast<int>(font.pixelSize() * factor + 0.5)));
  return font;
}

bool looks_dark(const QPalette& palette) {
  return luminance(palette.color(QPalette::Window)) < luminance(palette.color(QPalette::WindowText));
}

}  // namespace

Theme::Theme(QApplication& app)
    : app_(app),
      desktop_(std::make_unique<DesktopAppearance>()),
      system_font_(readable(QApplication::font())),
      platform_dark_(looks_dark(QApplication::palette())) {
  Q_ASSERT(current == nullptr);
  current = this;
  connect(desktop_.get(), &DesktopAppearance::changed, this, &Theme::decide);
  dark_ = platform_dark_;
  QApplication::setStyle(new StudioStyle(*this));
  apply();
}

Theme::~Theme() { current = nullptr; }

void Theme::set_mode(Mode mode) {
  mode_ = mode;
  decide();
}

void Theme::decide() {
  const bool system_dark = desktop_->dark().value_or(platform_dark_);
  const bool dark = mode_ == Mode::dark || (mode_ == Mode::system && system_dark);
  if (dark == dark_) return;
  dark_ = dark;
  apply();
}

void Theme::set_text_percent(int percent) {
  const int bounded = std::clamp(percent, 85, 150);
  if (bounded == text_percent_) return;
  text_percent_ = bounded;
  apply();
}

bool Theme::less_motion() const { return less_motion_ || !desktop_->animations().value_or(true); }

void Theme::set_less_motion(bool less) {
  if (less == less_motion_) return;
  less_motion_ = less;
  Q_EMIT changed();
}

void Theme::apply() {
  QApplication::setPalette(palette());
  QApplication::setFont(font(FontRole::body));
  app_.setStyleSheet(make_sheet(*this));
  Q_EMIT changed();
}

QColor Theme::colour(Token token, bool dark) {
  const TokenRow& row = token_rows[static_cast<std::size_t>(token)];
  return QColor::fromRgb(dark ? row.dark : row.light);
}

QColor Theme::colour(Token token) const { return colour(token, dark_); }

QColor Theme::curve(int index, bool dark) {
  const auto count = static_cast<int>(curve_colours.size());
  const ColourPair& pair = curve_colours[static_cast<std::size_t>(((index % count) + count) % count)];
  return QColor::fromRgb(dark ? pair.dark : pair.light);
}

QColor Theme::heat(double value) const { return ramp(dark_ ? heat_dark : heat_light, value); }

QColor Theme::difference(double value) const {
  return ramp(dark_ ? difference_dark : difference_light, (value + 1) / 2);
}

QColor Theme::text_on(const QColor& ground) const {
  const QColor text = colour(Token::text);
  const QColor other = colour(Token::text, !dark_);
  return contrast(text, ground) >= contrast(other, ground) ? text : other;
}

QFont Theme::font(FontRole role) const {
  const QFont body = scaled(system_font_, text_percent_ / 100.0);
  const auto semibold = [&body](double factor) {
    QFont font = scaled(body, factor);
    font.setWeight(QFont::DemiBold);
    return font;
  };
  switch (role) {
    case FontRole::caption:
      return scaled(body, 0.85);
    case FontRole::strong:
      return semibold(1);
    case FontRole::heading:
      return semibold(1.08);
    case FontRole::title:
      return semibold(1.54);
    case FontRole::number:
      return semibold(1.7);
    case FontRole::mono: {
      QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
      font.setPointSizeF(body.pointSizeF() > 0 ? body.pointSizeF() * 0.92 : font.pointSizeF());
      return font;
    }
    case FontRole::body:
      break;
  }
  return body;
}

QPalette Theme::palette() const {
  QPalette palette;
  const auto set = [&palette, this](QPalette::ColorRole role, Token token) { palette.setColor(role, colour(token)); };
  set(QPalette::Window, Token::window);
  set(QPalette::WindowText, Token::text);
  set(QPalette::Base, Token::surface);
  set(QPalette::AlternateBase, Token::sunken);
  set(QPalette::Text, Token::text);
  set(QPalette::PlaceholderText, Token::text3);
  set(QPalette::Button, Token::surface);
  set(QPalette::ButtonText, Token::text);
  set(QPalette::BrightText, Token::bad);
  set(QPalette::ToolTipBase, Token::raised);
  set(QPalette::ToolTipText, Token::text);
  set(QPalette::Highlight, Token::select);
  set(QPalette::HighlightedText, Token::text);
  set(QPalette::Link, Token::link);
  set(QPalette::LinkVisited, Token::link);
  set(QPalette::Light, Token::hover);
  set(QPalette::Midlight, Token::hover);
  set(QPalette::Mid, Token::border);
  set(QPalette::Dark, Token::control);
  set(QPalette::Shadow, Token::control);
  const QColor faint = mixed(colour(Token::surface), colour(Token::text3), 0.6);
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, faint);
  return palette;
}

Theme& theme() {
  Q_ASSERT(current != nullptr);
  return *current;
}

void set_role(QWidget* widget, const char* role) {
  widget->setProperty("role", QString::fromLatin1(role));
  // A plain QWidget paints its sheet's background only when told to; controls and labels paint themselves.
  if (!qobject_cast<QAbstractButton*>(widget) && !qobject_cast<QLabel*>(widget))
    widget->setAttribute(Qt::WA_StyledBackground);
  widget->style()->unpolish(widget);
  widget->style()->polish(widget);
  widget->update();
}

void set_problem(QWidget* field, const QString& problem) {
  const bool has = !problem.isEmpty();
  if (field->property("problem").toBool() == has && field->accessibleDescription() == problem) return;
  field->setProperty("problem", has);
  field->setAccessibleDescription(problem);
  field->update();
}

}  // namespace disco::ui
