// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/axis_labels.h"

#include <QCoreApplication>
#include <QDateTime>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/theme/words.h"

namespace disco::ui {
namespace {

constexpr int most_labels = 5;

/// The smallest of 1, 2, 5 times a power of ten that is not below `least`.
double round_step(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

QString trimmed_exponent(double value) {
  QString text = QString::number(value, 'e', 1);  // "1.0e-03"
  const auto e = text.indexOf(QLatin1Char('e'));
  QString mantissa = text.left(e);
  if (mantissa.endsWith(QLatin1String(".0"))) mantissa.chop(2);
  return mantissa + QLatin1Char('e') + QString::number(text.mid(e + 1).toInt());
}

/// `value` with a suffix for thousands; decimals as the step between labels needs.
QString with_suffix(double value, double step) {
  constexpr std::array<const char*, 5> suffixes{"", "k", "M", "G", "T"};
  double divisor = 1;
  std::size_t place = 0;
  while (std::abs(value) / divisor >= 10000 || (place > 0 && std::abs(value) / divisor >= 1000)) {
    divisor *= 1000;
    if (++place + 1 == suffixes.size()) break;
  }
  if (place == 0 && std::abs(value) >= 10000) divisor = 1000, place = 1;
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step / divisor) - 1e-9)), 0, 3);
  return QString::number(value / divisor, 'f', decimals) + QLatin1String(suffixes[place]);
}

QString label_text(double value, double step, double largest) {
  if (std::abs(value) < step * 1e-6) return QStringLiteral("0");
  QString text = largest >= 1e15 || largest < 0.002 ? trimmed_exponent(value) : with_suffix(value, step);
  if (text.startsWith(QLatin1Char('-'))) text.replace(0, 1, words::true_minus);
  return text;
}

bool usable(double low, double high) { return std::isfinite(low) && std::isfinite(high) && low < high; }

std::vector<AxisLabel> stepped(double low, double high, double step, const std::function<QString(double)>& text) {
  std::vector<AxisLabel> labels;
  const double first = std::ceil(low / step - 1e-9);
  if (!std::isfinite(first) || first + 1 == first) return labels;  // steps too fine for doubles
  for (int i = 0; i < 2 * most_labels; ++i) {
    const double at = (first + i) * step;
    if (at > high + step * 1e-9) break;
    labels.push_back({at, text(at)});
  }
  return labels;
}

QString duration_text(double seconds, double step) {
  const auto number = [](double value) { return QString::number(value, 'g', 4); };
  const QChar gap = words::no_break_space;
  if (seconds == 0) return QStringLiteral("0");
  if (step < 60) return number(seconds) + gap + QCoreApplication::translate("disco::ui::ShortTicker", "s");
  if (step < 3600) return number(seconds / 60) + gap + QCoreApplication::translate("disco::ui::ShortTicker", "min");
  if (step < 86400) return number(seconds / 3600) + gap + QCoreApplication::translate("disco::ui::ShortTicker", "h");
  return number(seconds / 86400) + gap + QCoreApplication::translate("disco::ui::ShortTicker", "d");
}

/// The smallest step people count time in that is not below `least` seconds.
double round_duration(double least) {
  for (const double step : {1., 2., 5., 10., 15., 30., 60., 120., 300., 600., 900., 1800., 3600., 7200., 10800., 21600.,
                            43200., 86400., 172800.})
    if (step >= least) return step;
  return 86400 * round_step(least / 86400);
}

}  // namespace

std::vector<AxisLabel> linear_labels(double low, double high, double least) {
  if (!usable(low, high)) return {};
  const double span = high - low;
  if (!std::isfinite(span)) return {{0, QStringLiteral("0")}};
  for (double step = std::max(least, round_step(span / most_labels)); std::isfinite(step);
       step = round_step(step * 1.5)) {
    const double largest = std::max(std::abs(low), std::abs(high));
    auto labels = stepped(low, high, step, [&](double at) { return label_text(at, step, largest); });
    if (labels.size() <= most_labels) return labels;
  }
  return {};
}

std::vector<AxisLabel> log_labels(double low, double high) {
  if (!usable(low, high) || low <= 0) return {};
  const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
  const auto text = [](double value) {
    return value < 0.01 || value >= 1e5 ? trimmed_exponent(value) : QString::number(value, 'g', 6);
  };
  std::vector<AxisLabel> labels;
  if (last - first >= 1) {
    const int stride = (last - first) / most_labels + 1;
    for (int power = first; power <= last; power += stride)
      labels.push_back({std::pow(10.0, power), text(std::pow(10.0, power))});
    return labels;
  }
  for (int power = first - 1; power <= last + 1; ++power)
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double at = factor * std::pow(10.0, power);
      if (at >= low && at <= high) labels.push_back({at, text(at)});
    }
  return labels.size() >= 2 ? labels : linear_labels(low, high);
}

std::vector<AxisLabel> duration_labels(double low, double high) {
  if (!usable(low, high) || high - low > 1e12) return {};
  if (high - low < most_labels) return linear_labels(low, high);
  const double step = round_duration((high - low) / most_labels);
  return stepped(low, high, step, [step](double at) { return duration_text(at, step); });
}

std::vector<AxisLabel> wall_labels(double low, double high) {
  if (!usable(low, high) || high - low > 1e12) return {};
  const double step = round_duration((high - low) / (most_labels - 1));
  const double offset = QDateTime::fromSecsSinceEpoch(static_cast<qint64>(low)).offsetFromUtc();
  auto labels = stepped(low + offset, high + offset, step, [&](double at) {
    const auto when = QDateTime::fromSecsSinceEpoch(static_cast<qint64>(at - offset));
    if (step >= 86400) return QLocale().toString(when, QStringLiteral("d MMM"));
    return when.toString(step < 60 ? QStringLiteral("H:mm:ss") : QStringLiteral("H:mm"));
  });
  for (AxisLabel& label : labels) label.at -= offset;
  return labels;
}

void ShortTicker::generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks,
                           QVector<double>* sub_ticks, QVector<QString>* labels) {
  ticks.clear();
  if (sub_ticks) sub_ticks->clear();
  if (labels) labels->clear();
  const double low = range.lower * unit_;
  const double high = range.upper * unit_;
  const auto list = kind_ == Kind::log        ? log_labels(low, high)
                    : kind_ == Kind::duration ? duration_labels(low, high)
                    : kind_ == Kind::wall     ? wall_labels(low, high)
                    : kind_ == Kind::count    ? linear_labels(low, high, 1)
                                              : linear_labels(low, high);
  for (const AxisLabel& label : list) {
    ticks.append(label.at / unit_);
    if (labels) labels->append(label.text);
  }
}

ShortTicker::Kind kind_of(XAxis axis) {
  if (axis == XAxis::relative) return ShortTicker::Kind::duration;
  return axis == XAxis::wall ? ShortTicker::Kind::wall : ShortTicker::Kind::count;
}

QString x_words(XAxis axis, double x) {
  const auto whole = static_cast<qint64>(std::llround(std::clamp(x, -9e15, 9e15)));
  switch (axis) {
    case XAxis::step:
      return QCoreApplication::translate("disco::ui::ShortTicker", "step %1").arg(words::count(whole));
    case XAxis::samples:
      return QCoreApplication::translate("disco::ui::ShortTicker", "%1 pictures").arg(words::count(whole));
    case XAxis::relative:
      return words::duration(x);
    case XAxis::wall:
      return QDateTime::fromSecsSinceEpoch(whole).toString(QStringLiteral("H:mm:ss"));
  }
  return {};
}

}  // namespace disco::ui
