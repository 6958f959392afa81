// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/live_tiles.h"

#include <QHBoxLayout>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "engine/run/forecast.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/tile.h"

namespace disco::ui {
namespace {

constexpr double speed_seconds = 10;
constexpr std::uint64_t share_rows = 100;
constexpr std::uint64_t trend_rows = 200;

double speed_of(const Line& line) {
  if (line.size() < 2) return 0;
  const std::uint64_t last = line.size() - 1;
  const double now = line.x(XAxis::wall, last);
  const std::uint64_t from = std::min(line.lower_bound(XAxis::wall, now - speed_seconds), last - 1);
  const double seconds = now - line.x(XAxis::wall, from);
  return seconds > 0 ? (line.x(XAxis::samples, last) - line.x(XAxis::samples, from)) / seconds : 0;
}

double sum_of(const Columns& steps, const char* metric, std::uint64_t from) {
  const std::size_t index = steps.metric(metric);
  double sum = 0;
  for (std::uint64_t i = from; index != Columns::none && i < steps.line.size(); ++i)
    if (const double v = steps.value(index, i); std::isfinite(v)) sum += v;
  return sum;
}

/// Compares the slope of a straight line through the last losses with its own uncertainty: only a slope of more than
/// three standard errors is a trend.
LiveFigures::Trend trend_of(const Columns& steps) {
  using Trend = LiveFigures::Trend;
  const std::size_t metric = steps.metric("loss");
  const std::uint64_t rows = steps.line.size();
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
  for (std::uint64_t i = rows > trend_rows ? rows - trend_rows : 0; metric != Columns::none && i < rows; ++i) {
    const double y = steps.value(metric, i);
    if (!std::isfinite(y)) continue;
    const double x = static_cast<double>(i) - static_cast<double>(rows);
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y, syy += y * y;
  }
  if (n < 20) return Trend::unknown;
  const double vx = sxx - sx * sx / n;
  const double slope = (sxy - sx * sy / n) / vx;
  const double rest = std::max(0.0, syy - sy * sy / n - slope * slope * vx) / (n - 2);
  if (std::abs(slope) <= 3 * std::sqrt(rest / vx)) return Trend::steady;
  return slope < 0 ? Trend::falling : Trend::rising;
}

std::optional<double> metric_of(const EvaluationEvent& event, const char* name) {
  const auto found = event.metrics.find(name);
  return found == event.metrics.end() ? std::nullopt : std::optional(found->second);
}

/// "68.9–73.8, chance 20 %" in one unit.
QString bare_percent(double share) { return words::number(share * 100, 1); }

}  // namespace

LiveFigures live_figures(const Columns& steps) {
  LiveFigures figures;
  const std::uint64_t rows = steps.line.size();
  if (rows == 0) return figures;
  figures.speed = speed_of(steps.line);
  if (const std::size_t host = steps.metric("memory/host"); host != Columns::none)
    figures.memory = steps.value(host, rows - 1);
  const std::uint64_t from = rows > share_rows ? rows - share_rows : 0;
  const double total = sum_of(steps, "seconds/total", from);
  figures.data_share = total > 0 ? sum_of(steps, "seconds/data", from) / total : 0;
  figures.trend = trend_of(steps);
  return figures;
}

LiveTiles::LiveTiles(QWidget* parent)
    : QScrollArea(parent),
      held_out_(new Tile(tr("Held-out accuracy"))),
      loss_(new Tile(tr("Loss"))),
      speed_(new Tile(tr("Speed"))),
      memory_(new Tile(tr("Memory"))),
      data_(new Tile(tr("Waiting for data"))) {
  auto* inside = new QWidget;
  auto* row = new QHBoxLayout(inside);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(sizes::gap2);
  for (Tile* tile : {held_out_, loss_, speed_, memory_, data_}) row->addWidget(tile, 1);
  setWidget(inside);
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::NoFocus);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setAutoFillBackground(false);
  inside->setAutoFillBackground(false);
  setFixedHeight(theme().px(sizes::tile));
  connect(&theme(), &Theme::changed, this, [this] { setFixedHeight(theme().px(sizes::tile)); });
}

void LiveTiles::set_snapshot(const RunSnapshot* snapshot, const LiveFigures& figures) {
  using Trend = LiveFigures::Trend;
  const QString nothing = QStringLiteral("–");
  if (!snapshot) {
    for (Tile* tile : {held_out_, loss_, speed_, memory_, data_}) tile->set_value(nothing, {});
    return;
  }
  say_held_out(*snapshot);
  trend_ = figures.trend == Trend::falling  ? tr("falling")
           : figures.trend == Trend::rising ? tr("rising")
           : figures.trend == Trend::steady ? tr("steady")
                                            : QString();
  const bool steps = snapshot->steps && !snapshot->steps->line.empty();
  if (!steps) loss_value_.clear();
  loss_->set_value(loss_value_.isEmpty() ? nothing : loss_value_,
                   loss_value_.isEmpty() ? tr("with the first step") : trend_);
  say_speed(figures.speed, is_live(snapshot->status.state));
  memory_->set_value(figures.memory > 0 ? words::memory(figures.memory) : nothing, forecast_words(*snapshot));
  data_->set_value(steps ? words::percent(figures.data_share) : nothing, tr("of each step"));
}

void LiveTiles::say_speed(double speed, bool live) {
  const QString number = speed > 0 ? words::short_number(speed) : QStringLiteral("–");
  const bool narrow = speed_->width() < theme().px(sizes::tile) * 3;
  const QString when = live ? tr("last 10 s") : tr("last 10 s of training");
  if (narrow)
    speed_->set_value(speed > 0 ? tr("%1/s").arg(number) : number, tr("pictures, last 10 s"));
  else
    speed_->set_value(speed > 0 ? tr("%1 pictures/s").arg(number) : number, when);
}

void LiveTiles::set_loss(const QString& value) {
  loss_value_ = value;
  loss_->set_value(value, trend_);
}

void LiveTiles::say_held_out(const RunSnapshot& snapshot) {
  const auto& evaluation = snapshot.last_evaluation;
  if (!evaluation) {
    const auto every = snapshot.config ? snapshot.config->evaluate.every_steps : 0;
    held_out_->set_label(tr("Held-out accuracy"));
    held_out_->set_value(QStringLiteral("–"), every > 0 ? tr("first at step %1").arg(words::count(every)) : QString());
    return;
  }
  if (const auto accuracy = metric_of(*evaluation, "matching/accuracy")) {
    const auto low = metric_of(*evaluation, "matching/accuracy_low");
    const auto high = metric_of(*evaluation, "matching/accuracy_high");
    QStringList context;
    if (low && high) context.append(tr("%1–%2").arg(bare_percent(*low), bare_percent(*high)));
    if (const auto chance = metric_of(*evaluation, "matching/chance"))
      context.append(tr("chance %1").arg(words::number(*chance * 100, 0)));
    else if (snapshot.predictions && !snapshot.predictions->empty() && !snapshot.predictions->back()->items.empty())
      context.append(
          tr("chance %1")
              .arg(words::number(100.0 / static_cast<double>(std::max<std::size_t>(
                                             1, snapshot.predictions->back()->items.front().candidates.size())),
                                 0)));
    held_out_->set_label(tr("Held-out accuracy"));
    held_out_->set_value(words::percent(*accuracy), context.join(QStringLiteral(", ")));
    return;
  }
  if (const auto recall = metric_of(*evaluation, "retrieval/image_to_text_r1")) {
    held_out_->set_label(tr("Held-out R@1"));
    const auto count = evaluation->samples > 0 ? evaluation->samples
                       : snapshot.run          ? snapshot.run->held_out_samples
                                               : 0;
    held_out_->set_value(words::percent(*recall),
                         count > 0 ? tr("of %1 captions, chance %2")
                                         .arg(words::count(count), words::percent(1.0 / static_cast<double>(count), 2))
                                   : QString());
  }
}

QString LiveTiles::forecast_words(const RunSnapshot& snapshot) {
  if (!snapshot.config) return {};
  if (snapshot.config != forecast_of_) {
    forecast_of_ = snapshot.config;
    const Forecast expected = forecast(*snapshot.config);
    forecast_ =
        expected.total > 0 ? tr("forecast %1").arg(words::memory(static_cast<double>(expected.total))) : QString();
  }
  return forecast_;
}

}  // namespace disco::ui
