// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/loss_sketch.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <fstream>

#include "engine/run/events.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"

namespace disco::ui {

namespace {

constexpr int lines_after_a_place = 6;  ///< other events may lie between two steps
constexpr std::size_t longest_line = 1U << 20U;

/// The first step behind an offset, within a few lines.
std::optional<LossPoint> step_behind(std::ifstream& file, std::uintmax_t offset) {
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  std::string line;
  if (offset > 0) std::getline(file, line);
  for (int i = 0; i < lines_after_a_place && std::getline(file, line) && line.size() < longest_line; ++i) {
    if (line.find("\"step\"") == std::string::npos) continue;
    const auto event = parse_event(line);
    if (!event || !*event) continue;
    if (const auto* step = std::get_if<StepEvent>(&**event))
      return LossPoint{static_cast<double>(step->step), step->loss};
  }
  return std::nullopt;
}

}  // namespace

std::vector<LossPoint> sketch_losses(const std::filesystem::path& events, int points) {
  std::vector<LossPoint> found;
  std::error_code code;
  const auto size = std::filesystem::file_size(events, code);
  std::ifstream file(events, std::ios::binary);
  if (code || !file || size == 0) return found;
  for (int i = 0; i < points; ++i) {
    const auto point = step_behind(file, size * static_cast<std::uintmax_t>(i) / static_cast<std::uintmax_t>(points));
    if (point && std::isfinite(point->loss)) found.push_back(*point);
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.step < b.step; });
  found.erase(std::unique(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.step == b.step; }),
              found.end());
  return found;
}

LossSketch::LossSketch(QWidget* parent) : QWidget(parent) { setFixedSize(sizeHint()); }

void LossSketch::set_points(std::vector<LossPoint> points) {
  points_ = std::move(points);
  setAccessibleName(
      points_.empty() ? tr("No loss yet")
                      : tr("Loss from %1 to %2")
                            .arg(words::short_number(points_.front().loss), words::short_number(points_.back().loss)));
  setToolTip(accessibleName());
  setVisible(points_.size() > 1);
  update();
}

void LossSketch::paintEvent(QPaintEvent* /*event*/) {
  if (points_.size() < 2) return;
  const auto [low, high] =
      std::minmax_element(points_.begin(), points_.end(), [](const auto& a, const auto& b) { return a.loss < b.loss; });
  const double range = std::max(high->loss - low->loss, 1e-12);
  const double steps = std::max(points_.back().step - points_.front().step, 1.0);
  const QRectF area = QRectF(rect()).adjusted(2, 3, -2, -3);
  QPolygonF line;
  for (const LossPoint& point : points_)
    line << QPointF(area.left() + area.width() * (point.step - points_.front().step) / steps,
                    area.bottom() - area.height() * (point.loss - low->loss) / range);
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme().curve(curves::whole_model), 1.5));
  painter.drawPolyline(line);
}

}  // namespace disco::ui
