// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "engine/run/run_status.h"

namespace disco::ui {

/// What a person types to find runs: words separated by spaces, all of which must fit.
///   cartoons          the name, model or data contains it
///   "two words"       as one word
///   state:running     also name:, model:, data:; the start of a word is enough; state:live = an engine works on it
///   best>80           also loss, step, progress; with < > <= >= = ; shares are percent: best>80 is 80 %
///   -state:failed     not
/// A comparison with something that is no number, and an unknown key, count as plain words.
class RunFilter {
 public:
  RunFilter() = default;
  explicit RunFilter(const QString& text);
  [[nodiscard]] bool matches(const RunStatus& run) const;
  [[nodiscard]] bool empty() const { return terms_.empty(); }
  [[nodiscard]] const QString& text() const { return text_; }

 private:
  enum class Key { any, name, model, data, state, best, loss, step, progress };
  enum class Relation { contains, equal, less, more, at_most, at_least };
  struct Term {
    Key key = Key::any;
    Relation relation = Relation::contains;
    QString text;
    double number = 0;
    bool negated = false;
  };
  [[nodiscard]] static Term parse(QString word);
  [[nodiscard]] static bool fits(const Term& term, const RunStatus& run);

  QString text_;
  std::vector<Term> terms_;
};

}  // namespace disco::ui
