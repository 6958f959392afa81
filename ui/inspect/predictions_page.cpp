// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/predictions_page.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QScrollBar>
#include <QSlider>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/inspect/enlarge_view.h"
#include "ui/inspect/prediction_delegate.h"
#include "ui/shell/actions.h"
#include "ui/shell/app_state.h"
#include "ui/shell/run_watch.h"
#include "ui/shell/settings.h"
#include "ui/theme/icon.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/empty_state.h"

namespace disco::ui {

namespace {

constexpr int card_width = 364;
constexpr int widest_card = 460;
constexpr int play_milliseconds = 400;
constexpr int card_gap = 8;  ///< part of each cell, painted around the card

}  // namespace

PredictionsPage::PredictionsPage(PageContext& context, QWidget* parent) : Page(parent), context_(context) {
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(sizes::gap4, sizes::gap2, sizes::gap4, sizes::gap2);
  page->setSpacing(sizes::gap2);
  build_head(page);
  build_time_line(page);
  places_ = new QStackedWidget(this);
  build_gallery();
  empty_ = new EmptyState(places_);
  places_->addWidget(empty_);
  page->addWidget(places_, 1);
  enlarged_ = new EnlargeView(model_, pictures_, this);
  play_timer_.setInterval(play_milliseconds);
  connect_all();
  take(context_.run.snapshot());
}

void PredictionsPage::build_head(QVBoxLayout* page) {
  auto* head = new QHBoxLayout;
  head->setSpacing(sizes::gap2);
  auto* title = new QLabel(tr("Watched"), this);
  set_role(title, "heading");
  head->addWidget(title);
  head->addStretch(1);
  auto* group = new QButtonGroup(this);
  for (std::size_t i = 0; i < filters_.size(); ++i) {
    filters_[i] = new QPushButton(this);
    filters_[i]->setCheckable(true);
    group->addButton(filters_[i], static_cast<int>(i));
    head->addWidget(filters_[i]);
  }
  filters_[0]->setChecked(true);
  filters_[3]->setToolTip(tr("Another caption wins than one look before"));
  sort_ = new QComboBox(this);
  sort_->setAccessibleName(tr("Order of the pictures"));
  sort_->addItems({tr("As watched"), tr("Most wrong first"), tr("Least sure first")});
  head->addWidget(sort_);
  page->addLayout(head);
  connect(group, &QButtonGroup::idClicked, this, [this](int id) {
    model_.set_filter(static_cast<PredictionFilter>(id));
    show_place();
  });
  connect(sort_, &QComboBox::activated, this, [this](int id) { model_.set_sort(static_cast<PredictionSort>(id)); });
}

void PredictionsPage::build_time_line(QVBoxLayout* page) {
  time_line_ = new QWidget(this);
  auto* line = new QHBoxLayout(time_line_);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(sizes::gap2);
  const auto tool = [this](const char* name, const QString& words) {
    auto* button = new QPushButton(time_line_);
    button->setIcon(icon(name));
    button->setToolTip(words);
    button->setAccessibleName(words);
    return button;
  };
  back_ = tool("chevron-left", tr("One look back (Ctrl+←)"));
  forward_ = tool("chevron-right", tr("One look on (Ctrl+→)"));
  play_ = new QPushButton(tr("Play"), time_line_);
  play_->setIcon(icon("play"));
  slider_ = new QSlider(Qt::Horizontal, time_line_);
  slider_->setAccessibleName(tr("Step of the run"));
  slider_->setPageStep(1);
  step_ = new QLabel(time_line_);
  latest_button_ = new QPushButton(time_line_);
  line->addWidget(back_);
  line->addWidget(forward_);
  line->addWidget(play_);
  line->addWidget(slider_, 1);
  line->addWidget(step_);
  line->addWidget(latest_button_);
  page->addWidget(time_line_);
}

void PredictionsPage::build_gallery() {
  gallery_ = new QListView(places_);
  gallery_->setAccessibleName(tr("Watched pictures"));
  gallery_->setModel(&model_);
  delegate_ = new PredictionDelegate(model_, pictures_, gallery_);
  gallery_->setItemDelegate(delegate_);
  gallery_->setViewMode(QListView::IconMode);
  gallery_->setMovement(QListView::Static);
  gallery_->setResizeMode(QListView::Adjust);
  gallery_->setUniformItemSizes(true);
  gallery_->setLayoutMode(QListView::Batched);
  gallery_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  gallery_->setFrameShape(QFrame::NoFrame);
  gallery_->setMouseTracking(true);
  gallery_->viewport()->setAutoFillBackground(false);
  gallery_->viewport()->installEventFilter(this);
  gallery_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  gallery_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
  places_->addWidget(gallery_);
}

void PredictionsPage::connect_all() {
  connect(&context_.run, &RunWatch::updated, this, &PredictionsPage::take);
  connect(&model_, &PredictionModel::stop_changed, this, &PredictionsPage::show_stop);
  connect(&pictures_, &Thumbnails::loaded, this, [this] { gallery_->viewport()->update(); });
  connect(gallery_, &QListView::activated, this, [this](const QModelIndex& index) { enlarged_->open(index.row()); });
  connect(gallery_, &QListView::clicked, this, [this](const QModelIndex& index) { enlarged_->open(index.row()); });
  connect(gallery_->verticalScrollBar(), &QScrollBar::valueChanged, this, &PredictionsPage::cancel_hidden_pictures);
  connect(enlarged_, &EnlargeView::stop_wanted, this, &PredictionsPage::go_to_stop);
  connect(enlarged_, &EnlargeView::closed, this, [this](int row) {
    if (row >= 0) gallery_->setCurrentIndex(model_.index(row));
  });
  connect(slider_, &QSlider::valueChanged, this, &PredictionsPage::go_to_stop);
  connect(back_, &QPushButton::clicked, this, [this] { go_to_stop(model_.stop() - 1); });
  connect(forward_, &QPushButton::clicked, this, [this] { go_to_stop(model_.stop() + 1); });
  connect(play_, &QPushButton::clicked, this, &PredictionsPage::play);
  connect(latest_button_, &QPushButton::clicked, this, &PredictionsPage::follow_latest);
  connect(&play_timer_, &QTimer::timeout, this, [this] {
    if (model_.stop() + 1 >= model_.stops()) return play();
    go_to_stop(model_.stop() + 1);
  });
  connect(empty_, &EmptyState::secondary_clicked, this, [this] {
    if (context_.state.current_run().isEmpty()) return context_.state.go_to(QStringLiteral("runs"));
    filters_[0]->click();
  });
  connect(empty_, &EmptyState::primary_clicked, this, [this] { context_.state.go_to(QStringLiteral("new")); });
  for (const auto& [keys, direction] :
       {std::pair{QKeySequence(Qt::CTRL | Qt::Key_Left), -1}, std::pair{QKeySequence(Qt::CTRL | Qt::Key_Right), 1}}) {
    auto* action = new QAction(this);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, [this, way = direction] { go_to_stop(model_.stop() + way); });
    addAction(action);
  }
}

void PredictionsPage::activate() {
  active_ = true;
  take(context_.run.snapshot());
}

void PredictionsPage::deactivate() {
  active_ = false;
  if (play_timer_.isActive()) play();
}

void PredictionsPage::take(const std::shared_ptr<const RunSnapshot>& snapshot) {
  const bool other_run = !snapshot || !snapshot_ || snapshot->folder != snapshot_->folder;
  snapshot_ = snapshot;
  if (other_run) latest_ = true;
  const auto events = snapshot_ ? snapshot_->predictions : nullptr;
  if (other_run || events != taken_) {
    taken_ = events;
    const int before = model_.stop();
    model_.set_events(snapshot_ ? QString::fromStdString(snapshot_->folder.string()) : QString(), events);
    // A person who looks at an earlier step stays there.
    if (!latest_ && before >= 0 && before < model_.stops()) model_.set_stop(before);
    if (latest_ && model_.stops() > 0) model_.set_stop(model_.stops() - 1);
    lay_out_cards();
  }
  show_stop();
  show_place();
}

void PredictionsPage::show_stop() {
  {
    const QSignalBlocker quiet(slider_);
    slider_->setRange(0, std::max(0, model_.stops() - 1));
    slider_->setValue(std::max(0, model_.stop()));
  }
  const PredictionEvent* event = model_.event();
  if (event != nullptr) {
    const double since = snapshot_ && snapshot_->status.started > 0 ? event->time - snapshot_->status.started : 0;
    const QString step = tr("Step %1").arg(words::count(event->step));
    step_->setText(since > 0 ? tr("%1 · %2 in").arg(step, words::duration(since)) : step);
  } else {
    step_->clear();
  }
  back_->setEnabled(model_.stop() > 0);
  forward_->setEnabled(model_.stop() + 1 < model_.stops());
  latest_button_->setText(latest_ ? tr("Latest") : tr("Go to latest"));
  latest_button_->setEnabled(!latest_);
  const std::array names{tr("All"), tr("Right"), tr("Wrong"), tr("Changed")};
  for (std::size_t i = 0; i < filters_.size(); ++i)
    filters_[i]->setText(
        QStringLiteral("%1 %2").arg(names[i], words::count(model_.count(static_cast<PredictionFilter>(i)))));
}

void PredictionsPage::show_place() {
  QWidget* place = gallery_;
  const auto say = [&](const char* icon_name, const QString& title, const QString& text, const QString& primary,
                       const QString& secondary) {
    empty_->set_content(QString::fromLatin1(icon_name), title, text);
    empty_->set_buttons(primary, secondary);
    place = empty_;
  };
  const bool no_run = context_.state.current_run().isEmpty() || shown_state_ == QStringLiteral("empty");
  if (no_run) {
    say("predictions", tr("No run is open"), tr("Open a run, or start one."), tr("New run"), tr("Runs"));
  } else if (model_.stops() == 0) {
    const bool reading = !snapshot_ || !snapshot_->progress.caught_up;
    const auto* config = snapshot_ ? snapshot_->config.get() : nullptr;
    if (config != nullptr && config->sample.pictures == 0)
      say("predictions", tr("No pictures are watched in this run."),
          tr("Choose some under Watch when you start the next one."), {}, {});
    else if (reading)
      say("clock", tr("Reading the run…"), {}, {}, {});
    else
      say("predictions", tr("No predictions yet"),
          config != nullptr ? tr("First predictions come at step %1.").arg(words::count(config->sample.every_steps))
                            : tr("They come while the run goes on."),
          {}, {});
  } else if (model_.rowCount() == 0) {
    const std::array nothing{tr("No pictures at this step."), tr("Nothing is right at this step."),
                             tr("Nothing is wrong at this step."), tr("Nothing changed since the look before.")};
    say("filter", nothing[static_cast<std::size_t>(model_.filter())], {}, {}, tr("Show all"));
  }
  places_->setCurrentWidget(place);
  time_line_->setVisible(model_.stops() > 0 && !no_run);
  for (QPushButton* filter : filters_) filter->setVisible(model_.stops() > 0 && !no_run);
  sort_->setVisible(model_.stops() > 0 && !no_run);
}

void PredictionsPage::go_to_stop(int stop) {
  if (stop < 0 || stop >= model_.stops()) return;
  latest_ = stop == model_.stops() - 1 && latest_;
  model_.set_stop(stop);
  show_stop();
  show_place();
}

void PredictionsPage::follow_latest() {
  latest_ = true;
  model_.set_stop(model_.stops() - 1);
  show_stop();
  show_place();
}

void PredictionsPage::play() {
  const bool start = !play_timer_.isActive() && model_.stops() > 1;
  play_->setText(start ? tr("Pause") : tr("Play"));
  play_->setIcon(icon(start ? "pause" : "play"));
  if (!start) return play_timer_.stop();
  if (model_.stop() + 1 >= model_.stops()) go_to_stop(0);
  play_timer_.start();
}

bool PredictionsPage::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) lay_out_cards();
  return Page::eventFilter(watched, event);
}

void PredictionsPage::lay_out_cards() {
  const int available = gallery_->viewport()->width() - 1;
  const int least = theme().px(card_width) + card_gap;
  const int columns = std::max(1, available / least);
  const int width = std::clamp(available / columns, std::min(least, available), theme().px(widest_card) + card_gap);
  gallery_->setGridSize({width, delegate_->fit(width)});
}

void PredictionsPage::cancel_hidden_pictures() {
  QSet<QString> visible;
  const QRect window = gallery_->viewport()->rect();
  for (int row = 0; row < model_.rowCount(); ++row)
    if (gallery_->visualRect(model_.index(row)).intersects(window)) visible.insert(model_.card(row).image);
  pictures_.keep_only(visible);
}

bool PredictionsPage::show_state(const QString& state) {
  if (state != QStringLiteral("empty")) return false;
  shown_state_ = state;
  show_place();
  return true;
}

bool PredictionsPage::settled() const {
  if (!shown_state_.isEmpty() || context_.state.current_run().isEmpty()) return true;
  return snapshot_ && snapshot_->progress.caught_up && !pictures_.busy();
}

Page* make_predictions_page(PageContext& context) { return new PredictionsPage(context); }

}  // namespace disco::ui
