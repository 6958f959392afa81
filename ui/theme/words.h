// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QLocale>
#include <QString>
#include <optional>

/// How numbers, times and sizes are said everywhere in the window. Locale: the application's default QLocale for
/// thousands and decimals; minus is the true minus; units follow a no-break space. Any thread.
namespace disco::ui::words {

/// "1,240". Negative numbers with a true minus.
[[nodiscard]] QString count(qint64 value);
/// Fixed decimals, "−0.031"; NaN and infinities as "NaN", "∞", "−∞".
[[nodiscard]] QString number(double value, int decimals);
/// `digits` significant digits, as short as it goes: "0.682", "1.21", "14.3", "1e-3", "12,400".
[[nodiscard]] QString short_number(double value, int digits = 3);
/// A learning rate and other small numbers as people write them: "1e-3", "5e-4", "0.01".
[[nodiscard]] QString exponent(double value);
/// 0.714 → "71.4 %".
[[nodiscard]] QString percent(double share, int decimals = 1);
/// "0.3 s", "45 s", "4 min 36 s", "8 min", "2 h 5 min", "3 d 4 h". Negative counts as 0.
[[nodiscard]] QString duration(double seconds);
/// The time before `now`: "now" (under 10 s), "45 s ago", "12 min ago", "3 h ago", "yesterday 14:31", "Mon 09:12"
/// (within a week), then the date.
[[nodiscard]] QString ago(const QDateTime& when, const QDateTime& now = QDateTime::currentDateTime());
/// Memory: "1.31 GiB", below a tenth of that "92 MiB".
[[nodiscard]] QString memory(double bytes);
/// "3.1 of 24 GiB".
[[nodiscard]] QString memory_of(double used, double total);
/// Files: "580 MB", "1.2 GB", "14 kB".
[[nodiscard]] QString file_size(qint64 bytes);
/// "210 of 580 MB": both numbers in the unit of the second.
[[nodiscard]] QString file_size_of(qint64 done, qint64 total);
/// A path with the home folder as "~".
[[nodiscard]] QString path(const QString& path);
/// Joins the parts that are not empty with " · ".
[[nodiscard]] QString dotted(const QStringList& parts);

inline constexpr QChar no_break_space{0x00A0};
inline constexpr QChar true_minus{0x2212};

}  // namespace disco::ui::words
