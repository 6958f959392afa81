// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/curves_tab.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/live/enlarged_chart.h"
#include "ui/shell/app_state.h"
#include "ui/shell/settings.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/spinner.h"

namespace disco::ui {
namespace {

constexpr int frame_ms = 40;           // at most 25 rounds a second
constexpr double most_work = 0.1;      // share of a core that keeping up with new data may take
constexpr int enlarged_number = 1000;  // of the worker's requests
constexpr int least_card = 244;
constexpr int most_card = 640;
constexpr double advice_share = 0.05;

}  // namespace

CurvesTab::CurvesTab(PageContext& context, PlotGroup& group, QWidget* parent)
    : QWidget(parent),
      context_(context),
      group_(group),
      tiles_(new LiveTiles(this)),
      scroll_(new QScrollArea(this)),
      grid_(new QWidget),
      reading_(new Spinner(this)) {
  qRegisterMetaType<std::shared_ptr<const ReducedChart>>();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(sizes::gap2);
  auto* tiles_row = new QHBoxLayout;
  tiles_row->setContentsMargins(0, 0, sizes::gap4, 0);
  tiles_row->addWidget(tiles_);
  layout->addLayout(tiles_row);
  layout->addWidget(reading_);
  reading_->hide();
  layout->addWidget(scroll_, 1);
  scroll_->setWidget(grid_);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->viewport()->setAutoFillBackground(false);
  grid_->setAutoFillBackground(false);
  timer_.setSingleShot(true);
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, &CurvesTab::ask_visible);
  connect(&worker_, &CurveWorker::ready, this, &CurvesTab::take);
  connect(scroll_->verticalScrollBar(), &QScrollBar::valueChanged, this, &CurvesTab::ask_visible);
  const auto now = [this] { ask_visible(); };
  connect(&group_, &PlotGroup::range_chosen, this, now);
  connect(&group_, &PlotGroup::weight_changed, this, now);
  connect(&group_, &PlotGroup::axis_changed, this, [this] {
    if (snapshot_) group_.set_whole(whole_span(snapshot_->steps.get(), snapshot_->evaluations.get(), group_.axis()));
    ask_visible();
  });
  connect(&theme(), &Theme::changed, this, &CurvesTab::place);
  make_cards(live_charts(nullptr, nullptr, 0));
}

void CurvesTab::make_cards(const std::vector<ChartSpec>& specs) {
  for (const ChartSpec& spec : specs) {
    const auto known =
        std::find_if(charts_.begin(), charts_.end(), [&](const Chart& chart) { return chart.spec.id == spec.id; });
    if (known != charts_.end()) {
      if (known->card->set_spec(spec)) restore_view(*known->card);
      known->spec = spec;
      continue;
    }
    auto* card = new ChartCard(spec, group_, false, grid_);
    Chart chart{spec, card, static_cast<int>(charts_.size())};
    chart.shown = context_.settings.view(QStringLiteral("live/show/") + spec.id, true).toBool();
    card->setVisible(chart.shown);
    charts_.push_back(std::move(chart));
    build_menu(*card);
    restore_view(*card);
    connect(card, &ChartCard::enlarge_wanted, this, [this, card] { enlarge(*card); });
    connect(card, &ChartCard::advice_taken, this, [this] {
      const int now = snapshot_ && snapshot_->config ? snapshot_->config->data.loader_threads : 0;
      Q_EMIT more_loaders_wanted(now > 0 ? 2 * now : 4);
    });
    connect(card, &ChartCard::log_changed, this, [this, card] { save_view(*card); });
    connect(&card->legend(), &ChartLegend::hidden_changed, this, [this, card] { save_view(*card); });
    connect(&card->plot(), &ChartPlot::copy_wanted, this, [this, card] { copy_values(*card); });
    // A card lays its plot out only when it is shown, which may be after the plot was first asked for.
    connect(&card->plot(), &ChartPlot::columns_changed, this, &CurvesTab::schedule);
    connect(&card->plot(), &ChartPlot::plain_wheel, this, [this, card] { hint_wheel(*card); });
  }
}

void CurvesTab::build_menu(ChartCard& card) {
  QMenu& menu = card.menu();
  QMenu* picture = menu.addMenu(tr("Save picture"));
  for (const int scale : {1, 2, 3})
    picture->addAction(tr("PNG, %1×…").arg(scale), this,
                       [this, &card, scale] { export_picture_of(card, scale, QStringLiteral("png")); });
  picture->addAction(tr("SVG…"), this, [this, &card] { export_picture_of(card, 1, QStringLiteral("svg")); });
  picture->addAction(tr("PDF…"), this, [this, &card] { export_picture_of(card, 1, QStringLiteral("pdf")); });
  menu.addAction(tr("Copy values"), QKeySequence::Copy, this, [this, &card] { copy_values(card); });
  menu.actions().last()->setShortcutContext(Qt::WidgetShortcut);
  menu.addSeparator();
  menu.addAction(tr("Hide this chart"), this, [this, &card] { set_shown(card.id(), false); });
}

void CurvesTab::save_view(const ChartCard& card) {
  auto& plot = const_cast<ChartCard&>(card).plot();
  QStringList hidden;
  for (std::size_t i = 0; i < plot.spec().curves.size(); ++i)
    if (!plot.look().shows(i)) hidden.append(QString::fromStdString(plot.spec().curves[i].source.metric));
  context_.settings.set_view(QStringLiteral("live/hidden/") + card.id(), hidden);
  context_.settings.set_view(QStringLiteral("live/log/") + card.id(), plot.log());
}

void CurvesTab::restore_view(ChartCard& card) {
  const QStringList hidden = context_.settings.view(QStringLiteral("live/hidden/") + card.id()).toStringList();
  std::vector<bool> flags;
  for (const CurveSpec& curve : card.plot().spec().curves)
    flags.push_back(hidden.contains(QString::fromStdString(curve.source.metric)));
  card.plot().set_hidden(std::move(flags));
  card.plot().set_log(context_.settings.view(QStringLiteral("live/log/") + card.id(), false).toBool());
}

void CurvesTab::set_snapshot(std::shared_ptr<const RunSnapshot> snapshot) {
  const bool other_run = !snapshot || !snapshot_ || snapshot->folder != snapshot_->folder;
  snapshot_ = std::move(snapshot);
  if (other_run) {
    ++run_number_;
    if (group_.held()) group_.follow();
    group_.set_pinned(false);
    for (Chart& chart : charts_) chart.card->set_data(nullptr);
    tiles_->set_snapshot(nullptr, {});
  }
  if (!snapshot_) return;
  const Columns* steps = snapshot_->steps.get();
  const auto every = snapshot_->config ? snapshot_->config->evaluate.every_steps : 0;
  make_cards(live_charts(steps, snapshot_->evaluations.get(), every));
  group_.set_whole(whole_span(steps, snapshot_->evaluations.get(), group_.axis()));
  const LiveFigures figures = steps ? live_figures(*steps) : LiveFigures{};
  tiles_->set_snapshot(snapshot_.get(), figures);
  refresh_advice(figures);
  const auto& progress = snapshot_->progress;
  const bool reading = !progress.caught_up && progress.size > (8U << 20);
  if (reading) {
    const double share = static_cast<double>(progress.read) / static_cast<double>(progress.size);
    const auto so_far = static_cast<double>(steps ? steps->line.size() : 0);
    const auto expected = static_cast<qint64>(share > 0.01 ? std::round(so_far / share / 1000) * 1000 : 0);
    const QString words = expected > 0
                              ? tr("Reading %1 steps… %2").arg(words::count(expected), words::percent(share, 0))
                              : tr("Reading…");
    if (!reading_->running()) reading_->start(words);
    reading_->set_progress(share, words);
  } else if (reading_->running()) {
    reading_->stop();
  }
  reading_->setVisible(reading);
  schedule();
}

void CurvesTab::set_active(bool active) {
  active_ = active;
  if (active)
    schedule();
  else
    timer_.stop();
}

bool CurvesTab::settled() const {
  return worker_.idle() && !timer_.isActive() && (!snapshot_ || snapshot_->progress.caught_up);
}

void CurvesTab::schedule() {
  if (!active_ || timer_.isActive()) return;
  // A long run takes long to reduce: then new data waits a little, so that drawing never competes with training.
  timer_.start(std::max(frame_ms, static_cast<int>(round_seconds_ / most_work * 1000)));
}

ReduceRequest CurvesTab::request_for(ChartCard& card) const {
  ReduceRequest request;
  request.steps = snapshot_->steps;
  request.evaluations = snapshot_->evaluations;
  for (const CurveSpec& curve : card.plot().spec().curves) request.curves.push_back(curve.source);
  request.stacked = card.plot().spec().stacked;
  if (snapshot_->checkpoints)
    for (const CheckpointEvent& checkpoint : *snapshot_->checkpoints)
      request.checkpoint_steps.push_back(static_cast<double>(checkpoint.step));
  request.axis = group_.axis();
  request.x_low = group_.range().low;
  request.x_high = group_.range().high;
  request.columns = card.plot().pixel_columns();
  request.weight = group_.weight();
  request.run = run_number_;
  return request;
}

void CurvesTab::ask(int number, ChartCard& card) {
  ReduceRequest request = request_for(card);
  request.serial = ++serial_;
  worker_.ask(number, std::move(request));
}

void CurvesTab::ask_visible() {
  if (!active_ || !snapshot_) return;
  round_seconds_ = 0;
  if (enlarged_) {
    ask(enlarged_number, enlarged_->card());
    return;
  }
  for (const Chart& chart : charts_)
    if (chart.shown && !chart.card->visibleRegion().isEmpty()) ask(chart.number, *chart.card);
}

void CurvesTab::take(int number, const std::shared_ptr<const ReducedChart>& reduced) {
  round_seconds_ += reduced->seconds;
  if (!snapshot_ || reduced->axis != group_.axis()) return;
  if (number == enlarged_number) {
    if (enlarged_) enlarged_->card().set_data(reduced);
    return;
  }
  Chart& chart = charts_[static_cast<std::size_t>(number)];
  chart.card->set_data(reduced);
  if (chart.spec.id == QLatin1String("loss") && !reduced->curves.empty() && !is_absent(reduced->curves.front().latest))
    tiles_->set_loss(value_words(ValueFormat::number, reduced->curves.front().latest));
}

void CurvesTab::refresh_advice(const LiveFigures& figures) {
  const auto time = std::find_if(charts_.begin(), charts_.end(), [](const Chart& chart) { return chart.spec.stacked; });
  if (time == charts_.end()) return;
  if (figures.data_share <= advice_share) return time->card->set_advice({}, {});
  const QString waits = tr("%1 of each step waits for data.").arg(words::percent(figures.data_share, 0));
  const int threads = snapshot_->config ? snapshot_->config->data.loader_threads : 0;
  const QString cure = threads > 0 ? tr("Try %1 loader threads (now %2).").arg(2 * threads).arg(threads)
                                   : tr("Try more loader threads.");
  time->card->set_advice(waits + QLatin1Char(' ') + cure, tr("Use in a copy"));
}

void CurvesTab::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  place();
}

void CurvesTab::place() {
  // The scroll bar has the page's margin for itself, so that cards end where everything else ends.
  const int width = scroll_->width() - sizes::gap4;
  // The page is as wide as the window less the rail.
  const int effective = theme().effective_width(window()->width());
  const int wanted = effective < sizes::medium ? 2 : effective >= sizes::wide ? 4 : 3;
  const int columns = std::clamp(width / theme().px(sizes::chart_width), 1, wanted);
  std::vector<ChartCard*> cards = shown_cards();
  const int rows = std::max(1, (static_cast<int>(cards.size()) + columns - 1) / columns);
  const int gap = sizes::gap2;
  const int in_view = std::min(rows, 2);
  const int height = std::clamp((scroll_->viewport()->height() - (in_view - 1) * gap) / in_view, theme().px(least_card),
                                theme().px(most_card));
  const double card_width = (width - (columns - 1) * gap) / static_cast<double>(columns);
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const int column = static_cast<int>(i) % columns;
    const int row = static_cast<int>(i) / columns;
    const int left = static_cast<int>(std::lround(column * (card_width + gap)));
    const int right = static_cast<int>(std::lround(column * (card_width + gap) + card_width));
    cards[i]->setGeometry(left, row * (height + gap), right - left, height);
  }
  grid_->resize(scroll_->viewport()->width(), rows * height + (rows - 1) * gap);
  schedule();
}

std::vector<CurvesTab::Entry> CurvesTab::entries() const {
  std::vector<Entry> result;
  for (const Chart& chart : charts_) result.push_back({chart.spec.id, chart.spec.title, chart.shown});
  return result;
}

void CurvesTab::set_shown(const QString& id, bool shown) {
  for (Chart& chart : charts_) {
    if (chart.spec.id != id) continue;
    chart.shown = shown;
    chart.card->setVisible(shown);
    context_.settings.set_view(QStringLiteral("live/show/") + id, shown);
  }
  place();
  Q_EMIT entries_changed();
}

void CurvesTab::set_all_log(bool log) {
  for (Chart& chart : charts_) {
    if (chart.spec.format == ValueFormat::percent) continue;
    chart.card->plot().set_log(log);
    save_view(*chart.card);
  }
}

bool CurvesTab::all_log() const {
  return std::any_of(charts_.begin(), charts_.end(), [](const Chart& chart) { return chart.card->plot().log(); });
}

ChartCard* CurvesTab::focused_card() const {
  if (enlarged_) return &enlarged_->card();
  const auto cards = shown_cards();
  for (ChartCard* card : cards)
    if (card->plot().hasFocus()) return card;
  return cards.empty() ? nullptr : cards.front();
}

std::vector<ChartCard*> CurvesTab::shown_cards() const {
  std::vector<ChartCard*> cards;
  for (const Chart& chart : charts_)
    if (chart.shown) cards.push_back(chart.card);
  return cards;
}

void CurvesTab::enlarge(ChartCard& card) {
  if (enlarged_) return;
  QWidget* page = parentWidget();
  while (page && !qobject_cast<Page*>(page)) page = page->parentWidget();
  enlarged_ = new EnlargedChart(card.plot().spec(), group_, page ? page : this);
  ChartCard& large = enlarged_->card();
  connect(&large.plot(), &ChartPlot::columns_changed, this, &CurvesTab::schedule);
  large.plot().set_hidden(card.plot().look().hidden);
  large.plot().set_log(card.plot().log());
  build_menu(large);
  connect(&large.plot(), &ChartPlot::copy_wanted, this, [this, &large] { copy_values(large); });
  // What is set in the large one stays in the small one.
  connect(enlarged_, &EnlargedChart::closed, this, [this, &card] {
    card.plot().set_hidden(enlarged_->card().plot().look().hidden);
    card.plot().set_log(enlarged_->card().plot().log());
    save_view(card);
    enlarged_ = nullptr;
    ask_visible();
  });
  ask_visible();
}

void CurvesTab::hint_wheel(ChartCard& card) {
  const bool scrolls = scroll_->verticalScrollBar()->maximum() > 0;
  if (hinted_ || !scrolls || context_.settings.view(QStringLiteral("live/wheel_hinted"), false).toBool()) return;
  hinted_ = true;
  context_.settings.set_view(QStringLiteral("live/wheel_hinted"), true);
  QToolTip::showText(QCursor::pos(), tr("Ctrl+wheel zooms"), &card);
}

}  // namespace disco::ui
