// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>
#include <QPalette>
#include <memory>

#include "ui/theme/tokens.h"

class QApplication;
class QWidget;

namespace disco::ui {

class DesktopAppearance;

/// The look of the window: colours, fonts and sizes, and when they change. One lives as long as the QApplication; every
/// widget reaches it through theme(). GUI thread only.
///
/// Widgets that paint themselves ask for colours while painting and need no connection: a change repaints all windows.
/// Whoever keeps derived values (plots, cached pixmaps) connects changed().
class Theme : public QObject {
  Q_OBJECT

 public:
  enum class Mode { system, light, dark };
  Q_ENUM(Mode)

  /// Installs style, palette, font and sheet on the application. Judges the platform's own palette first, and asks the
  /// desktop portal without waiting for it.
  explicit Theme(QApplication& app);
  ~Theme() override;

  [[nodiscard]] Mode mode() const { return mode_; }
  void set_mode(Mode mode);
  /// Whether the dark colours are in use now, whatever the reason.
  [[nodiscard]] bool dark() const { return dark_; }

  /// Text size in percent, 85–150. Controls grow with it.
  [[nodiscard]] int text_percent() const { return text_percent_; }
  void set_text_percent(int percent);

  /// True when the person, the desktop or the style asks for no motion.
  [[nodiscard]] bool less_motion() const;
  void set_less_motion(bool less);
  /// `milliseconds`, or 0 when there shall be no motion.
  [[nodiscard]] int motion(int milliseconds) const { return less_motion() ? 0 : milliseconds; }

  [[nodiscard]] QColor colour(Token token) const;
  /// The colour of a token in one of the two themes, whatever is in use.
  [[nodiscard]] static QColor colour(Token token, bool dark);
  /// Curve colour; any number, repeating after ten.
  [[nodiscard]] QColor curve(int index) const { return curve(index, dark_); }
  [[nodiscard]] static QColor curve(int index, bool dark);
  /// Heat map colour for 0 … 1; outside is clamped.
  [[nodiscard]] QColor heat(double value) const;
  /// Difference colour for -1 … 1; outside is clamped.
  [[nodiscard]] QColor difference(double value) const;
  /// The one of text and window colour that can be read better on `ground`.
  [[nodiscard]] QColor text_on(const QColor& ground) const;

  [[nodiscard]] QFont font(FontRole role) const;
  /// A size of namespace sizes, grown with the text.
  [[nodiscard]] int px(int logical) const { return (logical * text_percent_ + 50) / 100; }
  /// The width that layouts should decide by: text at 150 % counts like a window two thirds as wide.
  [[nodiscard]] int effective_width(int width) const { return width * 100 / text_percent_; }

  [[nodiscard]] QPalette palette() const;

 Q_SIGNALS:
  /// Colours, fonts or sizes are other ones; palette, sheet and fonts are already set.
  void changed();

 private:
  void decide();
  void apply();

  QApplication& app_;
  std::unique_ptr<DesktopAppearance> desktop_;
  QFont system_font_;
  Mode mode_ = Mode::system;
  bool platform_dark_ = false;
  bool dark_ = false;
  bool less_motion_ = false;
  int text_percent_ = 100;
};

/// The theme of the running application. A Theme must exist.
[[nodiscard]] Theme& theme();

/// How a widget is drawn by style and sheet, kept in its `role` property. Set it before the widget is shown, or call
/// set_role again: it polishes.
///  - QPushButton, QToolButton: "primary" (one a page), "danger", "flat", "link"
///  - QLabel: "caption", "text2", "heading", "title", "number", "mono", "bad", "warn", "ok"
///  - QFrame, QWidget: "card", "raised", "sunken", "page", "rail", "strip", "runbar", "line"
void set_role(QWidget* widget, const char* role);

/// Marks a field as having a problem: frame `bad`, 2 px, and the text as accessible description. Empty clears it.
void set_problem(QWidget* field, const QString& problem);

}  // namespace disco::ui
