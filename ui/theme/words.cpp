// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/words.h"

#include <QCoreApplication>
#include <QDir>
#include <array>
#include <cmath>

namespace disco::ui::words {
namespace {

struct Translated {
  Q_DECLARE_TR_FUNCTIONS(disco::ui::words)
};

QString with_true_minus(QString text) { return text.replace(QLatin1Char('-'), true_minus); }

QString with_unit(const QString& number, const QString& unit) { return number + no_break_space + unit; }

/// Three significant digits at most, never a trailing ".0" of a round number.
QString figure(double value) {
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  QString text = QLocale().toString(value, 'f', decimals);
  const QString point = QLocale().decimalPoint();
  if (decimals > 0 && text.contains(point)) {
    while (text.endsWith(QLatin1Char('0'))) text.chop(1);
    if (text.endsWith(point)) text.chop(point.size());
  }
  return text;
}

struct Unit {
  double size;
  const char* name;
};

constexpr double kibi = 1024;
constexpr std::array<Unit, 4> memory_units{
    {{kibi, "KiB"}, {kibi * kibi, "MiB"}, {kibi * kibi * kibi, "GiB"}, {kibi * kibi * kibi * kibi, "TiB"}}};
constexpr std::array<Unit, 4> file_units{{{1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}}};

template <std::size_t N>
const Unit& unit_for(const std::array<Unit, N>& units, double bytes, double from) {
  std::size_t index = 0;
  while (index + 1 < N && bytes >= units[index + 1].size * from) ++index;
  return units[index];
}

/// Memory is said in GiB as early as a tenth of one, so that neighbouring figures share their unit.
const Unit& memory_unit(double bytes) { return unit_for(memory_units, bytes, 0.1); }

QString non_finite(double value) {
  if (std::isnan(value)) return QStringLiteral("NaN");
  return value > 0 ? QStringLiteral("∞") : true_minus + QStringLiteral("∞");
}

}  // namespace

QString count(qint64 value) { return with_true_minus(QLocale().toString(value)); }

QString number(double value, int decimals) {
  if (!std::isfinite(value)) return non_finite(value);
  const double unit = std::pow(10.0, -decimals);
  if (std::fabs(value) < unit / 2) value = 0;  // no "−0.00"
  return with_true_minus(QLocale().toString(value, 'f', decimals));
}

QString short_number(double value, int digits) {
  if (!std::isfinite(value)) return non_finite(value);
  if (value == 0) return QStringLiteral("0");
  // Judged after rounding, so that 0.99996 becomes "1.00" like every other number near one.
  const double rounded = QString::number(value, 'e', digits - 1).toDouble();
  const int magnitude = static_cast<int>(std::floor(std::log10(std::fabs(rounded))));
  if (magnitude < -3 || magnitude > 8) return exponent(value);
  return number(value, std::clamp(digits - 1 - magnitude, 0, 6));
}

QString exponent(double value) {
  if (!std::isfinite(value)) return non_finite(value);
  if (value == 0) return QStringLiteral("0");
  if (std::fabs(value) >= 0.01 && std::fabs(value) < 1e4) return with_true_minus(QLocale().toString(value, 'g', 4));
  QString text = QString::number(value, 'e', 3);
  const auto mark = text.indexOf(QLatin1Char('e'));
  QString mantissa = text.left(mark);
  while (mantissa.endsWith(QLatin1Char('0'))) mantissa.chop(1);
  if (mantissa.endsWith(QLatin1Char('.'))) mantissa.chop(1);
  mantissa.replace(QLatin1Char('.'), QLocale().decimalPoint());
  // "1e-3" is how people type it, with the plain hyphen; only the sign of the number is a true minus.
  return with_true_minus(mantissa) + QLatin1Char('e') + QString::number(text.mid(mark + 1).toInt());
}

QString percent(double share, int decimals) {
  if (!std::isfinite(share)) return non_finite(share);
  return with_unit(number(share * 100, decimals), QStringLiteral("%"));
}

QString duration(double seconds) {
  if (!std::isfinite(seconds)) return QStringLiteral("–");
  seconds = std::max(0.0, seconds);
  if (seconds < 0.9995e-3) return with_unit(QStringLiteral("0"), Translated::tr("s"));
  if (seconds < 0.0995)
    return with_unit(QLocale().toString(seconds * 1000, 'f', seconds < 0.00995 ? 1 : 0), Translated::tr("ms"));
  if (seconds < 9.95) return with_unit(figure(std::round(seconds * 10) / 10), Translated::tr("s"));
  const auto total = static_cast<qint64>(std::llround(seconds));
  if (total < 60) return with_unit(QString::number(total), Translated::tr("s"));
  struct Pair {
    qint64 large;
    const char* large_name;
    qint64 small;
    const char* small_name;
  };
  static constexpr std::array<Pair, 3> pairs{
      {{86400, QT_TRANSLATE_NOOP("disco::ui::words", "d"), 3600, QT_TRANSLATE_NOOP("disco::ui::words", "h")},
       {3600, QT_TRANSLATE_NOOP("disco::ui::words", "h"), 60, QT_TRANSLATE_NOOP("disco::ui::words", "min")},
       {60, QT_TRANSLATE_NOOP("disco::ui::words", "min"), 1, QT_TRANSLATE_NOOP("disco::ui::words", "s")}}};
  for (const Pair& pair : pairs) {
    if (total < pair.large) continue;
    const QString large = with_unit(QLocale().toString(total / pair.large), Translated::tr(pair.large_name));
    const qint64 rest = total % pair.large / pair.small;
    return rest == 0 ? large
                     : large + QLatin1Char(' ') + with_unit(QString::number(rest), Translated::tr(pair.small_name));
  }
  return {};
}

QString ago(const QDateTime& when, const QDateTime& now) {
  if (!when.isValid()) return QStringLiteral("–");
  const qint64 seconds = when.secsTo(now);
  if (seconds < 10) return Translated::tr("now");
  if (seconds < 60) return Translated::tr("%1 s ago").arg(seconds);
  if (seconds < 3600) return Translated::tr("%1 min ago").arg(seconds / 60);
  const qint64 days = when.date().daysTo(now.date());
  const QString clock = QLocale().toString(when.time(), QStringLiteral("HH:mm"));
  if (days == 0 || seconds < 6 * 3600) return Translated::tr("%1 h ago").arg(seconds / 3600);
  if (days == 1) return Translated::tr("yesterday %1").arg(clock);
  if (days < 7) return QLocale().dayName(when.date().dayOfWeek(), QLocale::ShortFormat) + QLatin1Char(' ') + clock;
  return QLocale().toString(when.date(), QLocale::ShortFormat);
}

QString memory(double bytes) {
  const Unit& unit = memory_unit(bytes);
  return with_unit(figure(bytes / unit.size), QString::fromLatin1(unit.name));
}

QString memory_of(double used, double total) {
  const Unit& unit = memory_unit(total);
  return Translated::tr("%1 of %2")
      .arg(figure(used / unit.size), with_unit(figure(total / unit.size), QString::fromLatin1(unit.name)));
}

QString file_size(qint64 bytes) {
  const Unit& unit = unit_for(file_units, static_cast<double>(bytes), 1);
  return with_unit(figure(static_cast<double>(bytes) / unit.size), QString::fromLatin1(unit.name));
}

QString file_size_of(qint64 done, qint64 total) {
  const Unit& unit = unit_for(file_units, static_cast<double>(total), 1);
  return Translated::tr("%1 of %2")
      .arg(figure(static_cast<double>(done) / unit.size),
           with_unit(figure(static_cast<double>(total) / unit.size), QString::fromLatin1(unit.name)));
}

QString path(const QString& path) {
  const QString home = QDir::homePath();
  if (path == home) return QStringLiteral("~");
  return path.startsWith(home + QLatin1Char('/')) ? QLatin1Char('~') + path.mid(home.size()) : path;
}

QString dotted(const QStringList& parts) {
  QStringList kept = parts;
  kept.removeAll(QString());
  return kept.join(QStringLiteral(" · "));
}

}  // namespace disco::ui::words
