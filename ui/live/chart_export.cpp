// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/chart_export.h"

#include <QFile>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <cmath>

#include "engine/base/number.h"
#include "ui/live/chart_legend.h"
#include "ui/theme/plot_theme.h"
#include "ui/theme/theme.h"

namespace disco::ui {
namespace {

constexpr int margin = 12;

/// Head and legend need this much above the plot.
int head_height(const ChartPlot& plot, bool dark) {
  const int heading = QFontMetrics(theme().font(FontRole::heading)).height();
  const QRect line(margin, 0, plot.width() - margin, 0);
  return margin + heading + 4 + paint_legend(nullptr, line, plot, dark) + 4;
}

QSize export_size(const ChartPlot& plot) {
  return {plot.width() + margin, plot.height() + head_height(plot, false) + margin};
}

void paint_chart(QCPPainter& painter, ChartPlot& plot, bool dark, bool vector) {
  const QSize size = export_size(plot);
  painter.fillRect(QRect(QPoint(), size), Theme::colour(Token::surface, dark));
  painter.setFont(theme().font(FontRole::heading));
  painter.setPen(Theme::colour(Token::text, dark));
  const int heading = painter.fontMetrics().height();
  const QString unit = plot.unit_words();
  painter.drawText(QRect(margin, margin, size.width() - 2 * margin, heading), Qt::AlignLeft | Qt::AlignVCenter,
                   unit.isEmpty() ? plot.spec().title : plot.spec().title + QStringLiteral(", ") + unit);
  paint_legend(&painter, QRect(margin, margin + heading + 4, plot.width() - margin, 0), plot, dark);
  painter.setMode(QCPPainter::pmVectorized, vector);
  painter.setMode(QCPPainter::pmNoCaching);
  painter.translate(0, head_height(plot, dark));
  plot.draw_for_export(painter, dark);
}

void add_number(std::string& text, double value) {
  if (is_absent(value)) return;
  if (std::isnan(value))
    text += "NaN";
  else if (std::isinf(value))
    text += value > 0 ? "Infinity" : "-Infinity";
  else
    text += number_text(value);
}

void add_steps(std::string& text, const ValueTable& table, char separator) {
  const Columns& columns = *table.steps;
  std::vector<std::size_t> metrics;
  std::vector<SmoothedColumn> smoothed;
  std::vector<bool> smooths;
  const auto add_name = [&](std::string_view name) {
    if (!text.empty() && text.back() != '\n') text.push_back(separator);
    text.append(name);
  };
  for (const std::string_view axis : {"step", "samples", "relative_seconds", "wall_time"}) add_name(axis);
  for (const CurveSource& source : table.curves) {
    const std::size_t metric = source.evaluation ? Columns::none : columns.metric(source.metric);
    if (metric == Columns::none) continue;
    metrics.push_back(metric);
    smoothed.emplace_back();
    smooths.push_back(source.smooth && table.weight > 0);
    add_name(source.metric);
    if (!smooths.back()) continue;
    smoothed.back().update(columns, metric, table.weight);
    add_name(source.metric + "_smoothed");
  }
  text += '\n';
  const std::uint64_t last = columns.line.lower_bound(table.axis, std::nextafter(table.range.high, HUGE_VAL));
  for (std::uint64_t i = columns.line.lower_bound(table.axis, table.range.low); i < last; ++i) {
    for (std::size_t axis = 0; axis < axis_columns; ++axis) {
      if (axis > 0) text += separator;
      add_number(text, columns.line.value(axis, i));
    }
    for (std::size_t m = 0; m < metrics.size(); ++m) {
      text += separator;
      add_number(text, columns.value(metrics[m], i));
      if (!smooths[m]) continue;
      text += separator;
      add_number(text, smoothed[m].values()[i]);
    }
    text += '\n';
  }
}

void add_evaluations(std::string& text, const ValueTable& table, char separator) {
  ValueTable other = table;
  other.steps = table.evaluations;
  other.curves.clear();
  for (CurveSource source : table.curves) {
    if (!source.evaluation) continue;
    source.evaluation = false;
    other.curves.push_back(source);
    if (source.low.empty()) continue;
    other.curves.push_back({source.low, false, false, {}, {}});
    other.curves.push_back({source.high, false, false, {}, {}});
  }
  add_steps(text, other, separator);
}

}  // namespace

QImage chart_image(ChartPlot& plot, double scale, bool dark) {
  const QSize size = export_size(plot);
  QImage image(size * scale, QImage::Format_RGB32);
  image.setDevicePixelRatio(scale);
  QCPPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  paint_chart(painter, plot, dark, false);
  return image;
}

Result<void> export_picture(ChartPlot& plot, const QString& path, double scale, bool dark) {
  const std::string where = path.toStdString();
  if (path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive)) {
    if (!chart_image(plot, scale, dark).save(path, "PNG")) return failure("cannot be written", where);
    return {};
  }
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return failure(file.errorString().toStdString(), where);
  const QSize size = export_size(plot);
  QCPPainter painter;
  if (path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
    QSvgGenerator svg;
    svg.setOutputDevice(&file);
    svg.setSize(size);
    svg.setViewBox(QRect(QPoint(), size));
    svg.setTitle(plot.spec().title);
    painter.begin(&svg);
    paint_chart(painter, plot, dark, true);
    painter.end();
  } else {
    QPdfWriter pdf(&file);
    pdf.setResolution(96);
    pdf.setPageSize(QPageSize(QSizeF(size) * 72 / 96, QPageSize::Point));
    pdf.setPageMargins(QMarginsF());
    painter.begin(&pdf);
    paint_chart(painter, plot, dark, true);
    painter.end();
  }
  if (file.error() != QFile::NoError) return failure(file.errorString().toStdString(), where);
  return {};
}

std::string values_text(const ValueTable& table, char separator) {
  std::string text;
  bool evaluations = false;
  bool steps = false;
  for (const CurveSource& source : table.curves) (source.evaluation ? evaluations : steps) = true;
  if (steps && table.steps) add_steps(text, table, separator);
  if (evaluations && table.evaluations) add_evaluations(text, table, separator);
  return text;
}

}  // namespace disco::ui
