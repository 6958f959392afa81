// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>
#include <array>
#include <charconv>
#include <cmath>

#include "engine/base/number.h"
#include "ui/form/field_editor.h"
#include "ui/theme/words.h"

namespace disco::ui {

namespace {

/// How many of a setting's own unit a bare "1" of parse_number is: seconds and bytes are its base units.
double in_unit(double value, const std::string& unit) {
  if (unit == "MiB") return value / 1048576.0;
  if (unit == "GiB") return value / 1073741824.0;
  return value;
}

bool has_letters(const QString& text) {
  static const QRegularExpression unit(QStringLiteral("[A-DF-Za-df-z%]"));
  return text.contains(unit);
}

Json whole_if_possible(double value) {
  if (value == std::floor(value) && std::abs(value) < 9e15) return static_cast<std::int64_t>(value);
  return value;
}

struct BudgetWord {
  const char* key;
  const char* singular;
  const char* plural;
  const char* pattern;  ///< what people may type after the number
};

constexpr std::array budget_words{
    BudgetWord{"steps", QT_TRANSLATE_NOOP("Budget", "step"), QT_TRANSLATE_NOOP("Budget", "steps"), "^(steps?)$"},
    BudgetWord{"samples", QT_TRANSLATE_NOOP("Budget", "picture"), QT_TRANSLATE_NOOP("Budget", "pictures"),
               "^(pictures?|samples?)$"},
    BudgetWord{"epochs", QT_TRANSLATE_NOOP("Budget", "epoch"), QT_TRANSLATE_NOOP("Budget", "epochs"), "^(epochs?)$"}};

QString minutes_text(double minutes) {
  if (minutes >= 60 && std::fmod(minutes, 60.0) == 0) return QStringLiteral("%1 h").arg(minutes / 60);
  return QString::fromStdString(number_text(minutes)) + QStringLiteral(" min");
}

}  // namespace

QString text_of_value(const Json& value) {
  if (value.is_string()) return QString::fromStdString(value.get<std::string>());
  if (value.is_number_float()) return QString::fromStdString(number_text(value.get<double>()));
  if (value.is_array()) {
    QStringList items;
    for (const Json& item : value) items << text_of_value(item);
    return items.join(QStringLiteral(", "));
  }
  return value.is_null() ? QString() : QString::fromStdString(value.dump());
}

Json number_from_text(const QString& text, const std::string& unit) {
  const std::string typed = text.trimmed().toStdString();
  std::uint64_t digits = 0;
  const auto [end, code] = std::from_chars(typed.data(), typed.data() + typed.size(), digits);
  if (!typed.empty() && code == std::errc{} && end == typed.data() + typed.size()) return digits;
  if (unit == "min") {
    if (const auto minutes = parse_minutes(typed)) return whole_if_possible(*minutes);
    return typed;
  }
  QString bare = text.trimmed();
  // The setting's own unit may be typed as well ("100 steps").
  const QString own = QString::fromStdString(unit);
  if (!own.isEmpty() && own != QStringLiteral("MiB") && bare.endsWith(own)) bare.chop(own.size());
  if (const auto number = parse_number(bare.toStdString()))
    return whole_if_possible(has_letters(bare) ? in_unit(*number, unit) : *number);
  return typed;
}

double stepped(double value, int direction, bool whole) {
  const double size = std::abs(value);
  double step = size > 0 ? std::pow(10.0, std::floor(std::log10(size)) - 1) : (whole ? 1 : 0.1);
  // Going down from 1, 10, 100 … the digits get smaller.
  if (size > 0 && direction < 0 && std::abs(size - 10 * step) < step * 1e-9) step /= 10;
  if (whole) step = std::max(1.0, step);
  return std::round((value + direction * step) / step) * step;
}

QString budget_text(const Json& budget) {
  QStringList parts;
  const auto number = [&](const char* key) {
    const auto found = budget.find(key);
    return found != budget.end() && found->is_number() ? found->get<double>() : 0.0;
  };
  if (budget.is_string()) return QString::fromStdString(budget.get<std::string>());
  if (!budget.is_object()) return {};
  if (const double minutes = number("minutes"); minutes > 0) parts << minutes_text(minutes);
  for (const BudgetWord& word : budget_words)
    if (const double value = number(word.key); value > 0)
      parts << QString::fromStdString(number_text(value)) + QLatin1Char(' ') +
                   QCoreApplication::translate("Budget", value == 1 ? word.singular : word.plural);
  for (const auto& [key, value] : budget.items())
    if (value.is_string()) parts << QString::fromStdString(value.get<std::string>());
  return parts.join(QStringLiteral(" + "));
}

Json budget_from_text(const QString& text) {
  Json budget{{"steps", 0}, {"samples", 0}, {"epochs", 0.0}, {"minutes", 0.0}};
  const QString typed = text.trimmed();
  if (const auto minutes = parse_minutes(typed.toStdString()); minutes && has_letters(typed)) {
    budget["minutes"] = *minutes;
    return budget;
  }
  static const QRegularExpression split(QStringLiteral("^([-+0-9.,eE ]*[0-9][kM]?) *([^0-9.,]*)$"));
  const auto match = split.match(typed);
  const auto parsed = parse_number(match.captured(1).toStdString());
  const bool has_number = match.hasMatch() && parsed.has_value();
  const double number = parsed.value_or(0);
  for (const BudgetWord& word : budget_words) {
    const QString unit = match.captured(2).trimmed().toLower();
    const bool named = QRegularExpression(QLatin1String(word.pattern)).match(unit).hasMatch() ||
                       unit == QCoreApplication::translate("Budget", word.plural).toLower();
    if (!has_number || !named) continue;
    budget[word.key] = word.key == std::string_view("epochs") ? Json(number) : whole_if_possible(number);
    return budget;
  }
  // Kept under a key of the budget, so that the check names it and the field shows it again.
  budget["minutes"] = typed.toStdString();
  return budget;
}

}  // namespace disco::ui
