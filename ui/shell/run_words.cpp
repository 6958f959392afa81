// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/run_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "ui/theme/words.h"

namespace disco::ui {
namespace {

struct Run {
  Q_DECLARE_TR_FUNCTIONS(disco::ui::Run)
};

QString text(const std::string& value) { return QString::fromStdString(value); }

/// Ends a sentence that came from the engine, which may or may not have ended it.
QString ended(QString sentence) {
  if (!sentence.isEmpty() && !sentence.endsWith(QLatin1Char('.'))) sentence += QLatin1Char('.');
  return sentence;
}

QString phase_words(const std::string& phase) {
  if (phase == "reading data") return Run::tr("reading pictures");
  if (phase == "building model") return Run::tr("building the model");
  if (phase == "measuring") return Run::tr("first steps");
  return text(phase);
}

QString starting_sentence(const RunStatus& s) {
  if (s.phase.empty()) return Run::tr("Starting.");
  const QString phase = phase_words(s.phase);
  if (s.phase_total <= 0) return Run::tr("Starting: %1.").arg(phase);
  return Run::tr("Starting: %1, %2 of %3.").arg(phase, words::count(s.phase_done), words::count(s.phase_total));
}

QString running_sentence(const RunStatus& s) {
  const QString step = words::count(s.step);
  const QString budget =
      s.budget_minutes > 0
          ? Run::tr("%1 of %2").arg(words::duration(s.running_seconds), words::duration(s.budget_minutes * 60))
          : QString();
  if (s.total_steps <= 0) return words::dotted({Run::tr("Step %1").arg(step), budget});
  const QString share = words::percent(run_share(s), 0);
  const double left = s.step_seconds * static_cast<double>(std::max<std::int64_t>(0, s.total_steps - s.step));
  const QString time = budget.isEmpty() ? Run::tr("%1 left").arg(words::duration(std::round(left))) : budget;
  return words::dotted({Run::tr("Step %1 of %2").arg(step, words::count(s.total_steps)), share, time});
}

QString stalled_sentence(const RunStatus& s) {
  const QString waited = words::duration(s.seconds_since_step);
  const QString sentence = s.step_seconds > 0
                               ? Run::tr("No step for %1; usually %2.").arg(waited, words::duration(s.step_seconds))
                               : Run::tr("No step for %1.").arg(waited);
  if (!s.phase_detail.empty()) return sentence + QLatin1Char(' ') + ended(text(s.phase_detail));
  return sentence;
}

QString diverged_sentence(const RunStatus& s) {
  const QString since = words::count(s.not_finite_step.value_or(s.step));
  if (s.saved_step <= 0) return Run::tr("Loss is not finite since step %1. The step was not applied.").arg(since);
  return Run::tr("Loss is not finite since step %1. The step was not applied; checkpoint %2 is healthy.")
      .arg(since, words::count(s.saved_step));
}

QString finished_sentence(const RunStatus& s) {
  const QString time = words::duration(s.running_seconds);
  if (!s.best_value) return Run::tr("Finished in %1.").arg(time);
  return Run::tr("Finished in %1. %2 %3 at step %4.")
      .arg(time, metric_words(s.best_metric), words::percent(*s.best_value), words::count(s.best_step));
}

QString died_sentence(const RunStatus& s) {
  const QString reason = s.reason.empty() ? Run::tr("The engine ended without a word") : text(s.reason);
  const QString when = s.step > 0 ? Run::tr("%1 after step %2.").arg(reason, words::count(s.step)) : ended(reason);
  const QString saved = s.saved_step > 0 ? Run::tr("Saved up to step %1.").arg(words::count(s.saved_step))
                                         : Run::tr("Nothing was saved.");
  return when + QLatin1Char(' ') + saved;
}

}  // namespace

ChipState chip_state(ShownState state) {
  switch (state) {
    case ShownState::starting:
      return ChipState::starting;
    case ShownState::running:
      return ChipState::running;
    case ShownState::evaluating:
      return ChipState::evaluating;
    case ShownState::saving:
      return ChipState::saving;
    case ShownState::paused:
      return ChipState::paused;
    case ShownState::stalled:
      return ChipState::stalled;
    case ShownState::diverged:
      return ChipState::diverged;
    case ShownState::finished:
      return ChipState::finished;
    case ShownState::stopped:
      return ChipState::stopped;
    case ShownState::failed:
      return ChipState::failed;
    case ShownState::died:
      return ChipState::died;
    case ShownState::unreadable:
      break;
  }
  return ChipState::unreadable;
}

QString run_sentence(const RunStatus& s) {
  const QString step = words::count(s.step);
  switch (s.state) {
    case ShownState::starting:
      return starting_sentence(s);
    case ShownState::running:
      return running_sentence(s);
    case ShownState::evaluating:
      if (s.phase_total <= 0) return Run::tr("Evaluating.");
      return Run::tr("Evaluating: %1 of %2 pictures.").arg(words::count(s.phase_done), words::count(s.phase_total));
    case ShownState::saving:
      return Run::tr("Saving step %1.").arg(step);
    case ShownState::paused:
      return Run::tr("Paused at step %1. Memory is given back; Resume goes on exactly here.").arg(step);
    case ShownState::stalled:
      return stalled_sentence(s);
    case ShownState::diverged:
      return diverged_sentence(s);
    case ShownState::finished:
      return finished_sentence(s);
    case ShownState::stopped:
      if (s.step > 0 && s.saved_step == s.step) return Run::tr("Stopped at step %1 and saved.").arg(step);
      if (s.saved_step > 0)
        return Run::tr("Stopped at step %1. Saved up to step %2.").arg(step, words::count(s.saved_step));
      return Run::tr("Stopped at step %1. Nothing was saved.").arg(step);
    case ShownState::failed: {
      const QString what = s.reason.empty() ? Run::tr("Failed at step %1.").arg(step) : ended(text(s.reason));
      return s.hint.empty() ? what : what + QLatin1Char(' ') + ended(text(s.hint));
    }
    case ShownState::died:
      return died_sentence(s);
    case ShownState::unreadable:
      return Run::tr("%1 Nothing in the folder was changed.").arg(ended(text(s.reason)));
  }
  return {};
}

double run_share(const RunStatus& s) {
  if (s.state == ShownState::finished) return 1;
  if (s.state == ShownState::starting && s.phase_total > 0 && s.step == 0)
    return static_cast<double>(s.phase_done) / static_cast<double>(s.phase_total);
  if (s.total_steps > 0) return std::min(1.0, static_cast<double>(s.step) / static_cast<double>(s.total_steps));
  if (s.budget_minutes > 0 && s.running_seconds > 0) return std::min(1.0, s.running_seconds / (s.budget_minutes * 60));
  return -1;
}

QString metric_words(const std::string& metric) {
  if (metric == "matching/accuracy") return Run::tr("Best accuracy");
  if (metric == "retrieval/image_to_text_r1") return Run::tr("Best R@1");
  return Run::tr("Best %1").arg(text(metric));
}

bool can_resume(const RunStatus& s) {
  return s.state == ShownState::paused || s.state == ShownState::stopped || s.state == ShownState::died ||
         s.state == ShownState::failed;
}

}  // namespace disco::ui
