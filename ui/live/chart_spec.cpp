// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/chart_spec.h"

#include <QCoreApplication>
#include <cmath>

#include "ui/theme/tokens.h"
#include "ui/theme/words.h"

namespace disco::ui {
namespace {

constexpr double gibi = 1024.0 * 1024.0 * 1024.0;

QString tr(const char* text) { return QCoreApplication::translate("disco::ui::ChartSpec", text); }

bool has(const Columns* columns, const char* metric) { return columns && columns->metric(metric) != Columns::none; }

CurveSpec step_curve(const char* metric, const QString& label, int colour, bool smooth) {
  return {{metric, false, smooth, {}, {}}, label, colour};
}

ChartSpec loss_chart(const Columns* steps) {
  ChartSpec chart{
      QStringLiteral("loss"), tr("Loss"), {}, ValueFormat::number, false, {}, tr("Curves begin with the first step.")};
  chart.curves.push_back(step_curve("loss", tr("train"), curves::whole_model, true));
  if (has(steps, "losses/image_to_text"))
    chart.curves.push_back(step_curve("losses/image_to_text", tr("image → text"), curves::image_side, true));
  if (has(steps, "losses/text_to_image"))
    chart.curves.push_back(step_curve("losses/text_to_image", tr("text → image"), curves::text_side, true));
  return chart;
}

ChartSpec held_out_chart(const Columns* evaluations, std::int64_t first_evaluation) {
  ChartSpec chart;
  chart.id = QStringLiteral("held_out");
  chart.format = ValueFormat::percent;
  const bool matching = has(evaluations, "matching/accuracy");
  chart.title =
      matching || !has(evaluations, "retrieval/image_to_text_r1") ? tr("Held-out accuracy") : tr("Held-out R@1");
  chart.empty_text = first_evaluation > 0
                         ? tr("No evaluation yet. The first comes at step %1.").arg(words::count(first_evaluation))
                         : tr("No evaluation yet.");
  if (matching)
    chart.curves.push_back({{"matching/accuracy", true, false, "matching/accuracy_low", "matching/accuracy_high"},
                            tr("five-way"),
                            curves::accuracy});
  if (has(evaluations, "retrieval/image_to_text_r1"))
    chart.curves.push_back({{"retrieval/image_to_text_r1", true, false, {}, {}},
                            matching ? tr("R@1") : tr("image → text"),
                            curves::recall_at_1});
  if (!matching && has(evaluations, "retrieval/text_to_image_r1"))
    chart.curves.push_back(
        {{"retrieval/text_to_image_r1", true, false, {}, {}}, tr("text → image"), curves::text_side});
  return chart;
}

ChartSpec single_chart(const char* id, const QString& title, const char* metric, const QString& label, int colour,
                       bool smooth) {
  return {QString::fromLatin1(id),
          title,
          {},
          ValueFormat::number,
          false,
          {step_curve(metric, label, colour, smooth)},
          tr("Curves begin with the first step.")};
}

ChartSpec learning_rate_chart(const Columns* steps) {
  ChartSpec chart{QStringLiteral("learning_rate"),        tr("Learning rate"), {}, ValueFormat::exponent, false, {},
                  tr("Curves begin with the first step.")};
  if (has(steps, "learning_rate/text") || !steps)
    chart.curves.push_back(step_curve("learning_rate/text", tr("text side"), curves::text_side, false));
  if (has(steps, "learning_rate/image") || !steps)
    chart.curves.push_back(step_curve("learning_rate/image", tr("image side"), curves::image_side, false));
  return chart;
}

ChartSpec memory_chart(const Columns* steps) {
  ChartSpec chart = single_chart("memory", tr("Memory"), "memory/host", tr("computer"), curves::memory, false);
  chart.format = ValueFormat::memory;
  if (has(steps, "memory/device_peak"))
    chart.curves.push_back(step_curve("memory/device_peak", tr("GPU, peak"), curves::image_side, false));
  return chart;
}

QString part_label(std::string_view key) {
  if (key == "data") return tr("data");
  if (key == "copy") return tr("copy");
  if (key == "communication") return tr("communication");
  if (key == "forward") return tr("forward");
  if (key == "loss") return tr("loss");
  if (key == "backward") return tr("backward");
  return key == "optimizer" ? tr("optimizer") : tr("other");
}

/// Whether the last rows of a metric are anything but 0.
bool is_used(const Columns* steps, const std::string& metric) {
  if (!steps || steps->line.empty()) return true;
  const std::size_t index = steps->metric(metric);
  if (index == Columns::none) return false;
  const std::uint64_t rows = steps->line.size();
  for (std::uint64_t i = rows > 200 ? rows - 200 : 0; i < rows; ++i)
    if (steps->value(index, i) > 0) return true;
  return false;
}

ChartSpec time_chart(const Columns* steps) {
  ChartSpec chart{QStringLiteral("time"),
                  tr("Time of a step"),
                  {},
                  ValueFormat::seconds,
                  true,
                  {},
                  tr("Curves begin with the first step.")};
  for (const TimePart& part : time_parts) {
    const std::string metric = "seconds/" + std::string(part.key);
    if (is_used(steps, metric))
      chart.curves.push_back({{metric, false, false, {}, {}}, part_label(part.key), part.curve});
  }
  return chart;
}

/// "1.26e-4": three digits and no zeros before the exponent.
QString exponent_words(double value) {
  const QString text = QString::number(value, 'e', 2);
  const auto e = text.indexOf(QLatin1Char('e'));
  return text.left(e) + QLatin1Char('e') + QString::number(text.mid(e + 1).toInt());
}

}  // namespace

std::vector<ChartSpec> live_charts(const Columns* steps, const Columns* evaluations, std::int64_t first_evaluation) {
  return {
      loss_chart(steps),
      held_out_chart(evaluations, first_evaluation),
      single_chart("gradient_norm", tr("Gradient norm"), "gradient_norm", tr("all"), curves::gradient_norm, true),
      learning_rate_chart(steps),
      single_chart("speed", tr("Pictures per second"), "samples_per_second", tr("speed"), curves::whole_model, true),
      time_chart(steps),
      single_chart("logit_scale", tr("Logit scale"), "logit_scale", tr("scale"), curves::logit_scale, false),
      memory_chart(steps)};
}

QString value_words(ValueFormat format, double value) {
  if (is_absent(value)) return QStringLiteral("–");
  if (!std::isfinite(value)) return words::number(value, 0);
  switch (format) {
    case ValueFormat::number:
      return words::short_number(value);
    case ValueFormat::percent:
      return words::percent(value);
    case ValueFormat::exponent:
      return value == 0 || std::abs(value) >= 0.01 ? words::short_number(value) : exponent_words(value);
    case ValueFormat::memory:
      return words::memory(value);
    case ValueFormat::seconds:
      return value < 0.9995 ? words::short_number(value * 1000) + words::no_break_space + tr("ms")
                            : words::short_number(value) + words::no_break_space + tr("s");
  }
  return {};
}

double axis_unit(ValueFormat format, double largest) {
  if (format == ValueFormat::percent) return 0.01;
  if (format == ValueFormat::memory) return largest >= gibi / 2 ? gibi : gibi / 1024;
  if (format == ValueFormat::seconds) return largest < 1 ? 0.001 : 1;
  // Drawn numbers stay where the plot can count; labels multiply back.
  if (largest > 1e100) return std::pow(10.0, std::floor(std::log10(largest)));
  if (largest > 0 && largest < 1e-100) return 1e-300;
  return 1;
}

QString axis_unit_words(ValueFormat format, double largest) {
  if (format == ValueFormat::percent) return QStringLiteral("%");
  if (format == ValueFormat::memory) return largest >= gibi / 2 ? tr("GiB") : tr("MiB");
  if (format == ValueFormat::seconds) return largest < 1 ? tr("ms") : tr("s");
  return {};
}

}  // namespace disco::ui
