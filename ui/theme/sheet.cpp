// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/sheet.h"

#include "ui/theme/theme.h"

namespace disco::ui {
namespace {

// %name% is a token, @name@ a font size in points. Only containers and labels: a rule on a combo or spin box would lose
// its arrows, and a text colour on a line edit would halve its placeholder.
constexpr const char* rules = R"(
[role="card"] { background: %surface%; border: 1px solid %border%; border-radius: 8px; }
[role="raised"] { background: %raised%; border: 1px solid %border%; border-radius: 8px; }
[role="sunken"] { background: %sunken%; border: 1px solid %border%; border-radius: 8px; }
[role="page"] { background: %window%; }
[role="rail"] { background: %rail%; border: none; border-right: 1px solid %border%; }
[role="strip"] { background: %rail%; border: none; border-top: 1px solid %border%; }
[role="runbar"] { background: %surface%; border: none; border-bottom: 1px solid %border%; }
[role="line"] { background: %border%; border: none; }
QLabel[role="caption"] { color: %text3%; font-size: @caption@; }
QLabel[role="text2"] { color: %text2%; }
QLabel[role="strong"] { font-weight: 600; }
QLabel[role="heading"] { font-size: @heading@; font-weight: 600; }
QLabel[role="title"] { font-size: @title@; font-weight: 600; }
QLabel[role="number"] { font-size: @number@; font-weight: 600; }
QLabel[role="mono"] { font-family: "@mono@"; }
QLabel[role="bad"] { color: %bad%; }
QLabel[role="warn"] { color: %warn%; }
QLabel[role="ok"] { color: %ok%; }
)";

QString points(FontRole role, const Theme& theme) {
  const QFont font = theme.font(role);
  return font.pointSizeF() > 0 ? QStringLiteral("%1pt").arg(font.pointSizeF(), 0, 'f', 2)
                               : QStringLiteral("%1px").arg(font.pixelSize());
}

}  // namespace

QString make_sheet(const Theme& theme) {
  QString sheet = QString::fromLatin1(rules);
  for (const TokenRow& row : token_rows) {
    const QString mark =
        QLatin1Char('%') + QString::fromLatin1(row.name.data(), static_cast<int>(row.name.size())) + QLatin1Char('%');
    sheet.replace(mark, theme.colour(row.token).name());
  }
  sheet.replace(QStringLiteral("@caption@"), points(FontRole::caption, theme));
  sheet.replace(QStringLiteral("@heading@"), points(FontRole::heading, theme));
  sheet.replace(QStringLiteral("@title@"), points(FontRole::title, theme));
  sheet.replace(QStringLiteral("@number@"), points(FontRole::number, theme));
  sheet.replace(QStringLiteral("@mono@"), theme.font(FontRole::mono).family());
  return sheet;
}

}  // namespace disco::ui
