// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_filter.h"

#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "engine/base/number.h"
#include "ui/shell/run_words.h"

namespace disco::ui {

namespace {

QString text_of(const std::string& text) { return QString::fromStdString(text); }

/// Splits at spaces outside of double quotes; the quotes are dropped.
QStringList words_of(const QString& text) {
  QStringList words;
  QString word;
  bool quoted = false;
  for (const QChar letter : text) {
    if (letter == QLatin1Char('"')) {
      quoted = !quoted;
    } else if (letter.isSpace() && !quoted) {
      if (!word.isEmpty()) words << word;
      word.clear();
    } else {
      word += letter;
    }
  }
  if (!word.isEmpty()) words << word;
  return words;
}

}  // namespace

RunFilter::RunFilter(const QString& text) : text_(text.trimmed()) {
  for (const QString& word : words_of(text_)) terms_.push_back(parse(word));
}

RunFilter::Term RunFilter::parse(QString word) {
  static const std::array<std::pair<QLatin1String, Key>, 8> keys{{{QLatin1String("name"), Key::name},
                                                                  {QLatin1String("model"), Key::model},
                                                                  {QLatin1String("data"), Key::data},
                                                                  {QLatin1String("state"), Key::state},
                                                                  {QLatin1String("best"), Key::best},
                                                                  {QLatin1String("loss"), Key::loss},
                                                                  {QLatin1String("step"), Key::step},
                                                                  {QLatin1String("progress"), Key::progress}}};
  static const std::array<std::pair<QLatin1String, Relation>, 6> relations{{{QLatin1String(">="), Relation::at_least},
                                                                            {QLatin1String("<="), Relation::at_most},
                                                                            {QLatin1String(">"), Relation::more},
                                                                            {QLatin1String("<"), Relation::less},
                                                                            {QLatin1String("="), Relation::equal},
                                                                            {QLatin1String(":"), Relation::contains}}};
  Term term;
  if (word.size() > 1 && word.startsWith(QLatin1Char('-'))) {
    term.negated = true;
    word.remove(0, 1);
  }
  term.text = word;
  for (const auto& [name, key] : keys) {
    if (!word.startsWith(name, Qt::CaseInsensitive)) continue;
    const QString rest = word.mid(name.size());
    for (const auto& [sign, relation] : relations) {
      if (!rest.startsWith(sign)) continue;
      const QString value = rest.mid(sign.size());
      const bool numeric = key == Key::best || key == Key::loss || key == Key::step || key == Key::progress;
      const bool textual_sign = relation == Relation::contains || relation == Relation::equal;
      QString digits = value;
      digits.remove(QLatin1Char('%'));
      const auto number = parse_number(digits.toStdString());
      if (value.isEmpty() || (numeric ? !number.has_value() : !textual_sign)) return term;
      term.key = key;
      term.relation = numeric && relation == Relation::contains ? Relation::equal : relation;
      term.text = value;
      term.number = number.value_or(0);
      return term;
    }
  }
  return term;
}

bool RunFilter::fits(const Term& term, const RunStatus& run) {
  const auto has = [&](const std::string& text) {
    return term.relation == Relation::equal ? text_of(text).compare(term.text, Qt::CaseInsensitive) == 0
                                            : text_of(text).contains(term.text, Qt::CaseInsensitive);
  };
  const auto compare = [&](std::optional<double> value, double precision) {
    if (!value) return false;
    switch (term.relation) {
      case Relation::less:
        return *value < term.number;
      case Relation::more:
        return *value > term.number;
      case Relation::at_most:
        return *value <= term.number;
      case Relation::at_least:
        return *value >= term.number;
      default:
        return std::abs(*value - term.number) < precision;
    }
  };
  // As shown, with one decimal: best>=71.4 finds what reads 71.4 %.
  const auto percent = [](std::optional<double> share) {
    return share ? std::optional(std::round(*share * 1000) / 10) : std::nullopt;
  };
  switch (term.key) {
    case Key::any:
      return has(run.name) || has(run.model) || has(run.data);
    case Key::name:
      return has(run.name);
    case Key::model:
      return has(run.model);
    case Key::data:
      return has(run.data);
    case Key::state:
      if (term.text.compare(QLatin1String("live"), Qt::CaseInsensitive) == 0) return is_live(run.state);
      return text_of(std::string(id_of(run.state))).startsWith(term.text, Qt::CaseInsensitive);
    case Key::best:
      return compare(percent(run.best_value), 0.05);
    case Key::loss:
      return compare(run.loss, 0.0005);
    case Key::step:
      return compare(static_cast<double>(run.step), 0.5);
    case Key::progress: {
      const double share = run_share(run);
      return compare(share < 0 ? std::nullopt : std::optional(share * 100), 0.5);
    }
  }
  return false;
}

bool RunFilter::matches(const RunStatus& run) const {
  return std::all_of(terms_.begin(), terms_.end(), [&](const Term& term) { return fits(term, run) != term.negated; });
}

}  // namespace disco::ui
