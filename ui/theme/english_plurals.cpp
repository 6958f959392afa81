// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/english_plurals.h"

namespace disco::ui {

QString EnglishPlurals::translate(const char*, const char* source, const char*, int n) const {
  if (n < 0) return {};  // not a counted text: Qt takes the source itself
  const QLatin1String mark("(s)");
  const QString text = QString::fromUtf8(source);
  if (!text.contains(mark)) return {};
  return QString(text).replace(mark, n == 1 ? QString() : QStringLiteral("s"));
}

}  // namespace disco::ui
