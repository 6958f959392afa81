// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/live_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSlider>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>
#include <array>
#include <cmath>

#include "engine/run/run_config.h"
#include "ui/live/checkpoints_tab.h"
#include "ui/live/curves_tab.h"
#include "ui/live/log_tab.h"
#include "ui/shell/actions.h"
#include "ui/shell/app_state.h"
#include "ui/shell/engine_client.h"
#include "ui/shell/folders.h"
#include "ui/shell/run_words.h"
#include "ui/shell/settings.h"
#include "ui/theme/icon.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/notices.h"

namespace disco::ui {
namespace {

constexpr std::array tab_ids{"curves", "checkpoints", "log"};
constexpr std::array axis_ids{"step", "samples", "relative", "wall"};
constexpr int slider_steps = 300;  // position 1 is 0.999

}  // namespace

LivePage::LivePage(PageContext& context)
    : context_(context),
      tab_bar_(new QTabBar(this)),
      tools_(new QWidget(this)),
      metrics_menu_(new QMenu(this)),
      state_banner_(new Banner(this)),
      file_banner_(new Banner(this)),
      content_(new QWidget(this)),
      stack_(new QStackedWidget(this)),
      whole_(new QStackedWidget(this)),
      empty_(new EmptyState(this)),
      curves_(new CurvesTab(context, group_)),
      checkpoints_(new CheckpointsTab(context)),
      log_tab_(new LogTab(context)) {
  set_role(this, "page");
  auto* column = new QVBoxLayout(content_);
  // The right margin belongs to the scroll bar of the curves; everything else keeps it itself.
  column->setContentsMargins(sizes::gap4, 0, 0, sizes::gap3);
  column->setSpacing(sizes::gap2);
  build_head();
  auto* head = new QHBoxLayout;
  head->setSpacing(sizes::gap2);
  head->addWidget(tab_bar_);
  head->addStretch(1);
  head->addWidget(tools_);
  head->setContentsMargins(0, 0, sizes::gap4, 0);
  column->addLayout(head);
  auto* banners = new QVBoxLayout;
  banners->setContentsMargins(0, 0, sizes::gap4, 0);
  banners->setSpacing(sizes::gap2);
  banners->addWidget(file_banner_);
  banners->addWidget(state_banner_);
  column->addLayout(banners);
  column->addWidget(stack_, 1);
  for (QWidget* tab :
       {static_cast<QWidget*>(curves_), static_cast<QWidget*>(checkpoints_), static_cast<QWidget*>(log_tab_)})
    stack_->addWidget(tab);
  file_banner_->hide();
  state_banner_->hide();
  empty_->set_content(QStringLiteral("live"), tr("Nothing to watch yet"), tr("Open a run, or start one."));
  empty_->set_buttons(tr("New run"), tr("Runs"));
  whole_->addWidget(content_);
  whole_->addWidget(empty_);
  whole_->setCurrentWidget(empty_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(whole_);

  connect(empty_, &EmptyState::primary_clicked, this, [this] { context_.state.go_to(QStringLiteral("new")); });
  connect(empty_, &EmptyState::secondary_clicked, this, [this] { context_.state.go_to(QStringLiteral("runs")); });
  connect(&context_.run, &RunWatch::updated, this, &LivePage::take);
  connect(curves_, &CurvesTab::entries_changed, this, &LivePage::refresh_metrics_menu);
  connect(curves_, &CurvesTab::more_loaders_wanted, this, &LivePage::use_more_loaders);
  connect(state_banner_, &Banner::cure_clicked, this, &LivePage::resume);
  connect(state_banner_, &Banner::second_clicked, this, [this] { show_tab(QStringLiteral("log")); });
  connect(file_banner_, &Banner::cure_clicked, this, &LivePage::show_run_folder);
  context_.actions.handle("page.export", this, [this] { export_->showMenu(); });
  context_.actions.handle("page.find", this, [this] {
    show_tab(QStringLiteral("log"));
    log_tab_->focus_filter();
  });
}

void LivePage::build_head() {
  tab_bar_->setDocumentMode(true);
  tab_bar_->setDrawBase(false);
  tab_bar_->setExpanding(false);
  tab_bar_->setAccessibleName(tr("Tabs of Live"));
  tab_bar_->addTab(tr("Curves"));
  tab_bar_->addTab(tr("Checkpoints"));
  tab_bar_->addTab(tr("Log"));
  tab_bar_->setFixedHeight(theme().px(sizes::page_head));
  build_tools(tools_);
  connect(tab_bar_, &QTabBar::currentChanged, this, &LivePage::tab_changed);
}

void LivePage::build_tools(QWidget* tools) {
  auto* row = new QHBoxLayout(tools);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(sizes::gap2);
  axis_label_ = new QLabel(tr("x"), tools);
  set_role(axis_label_, "caption");
  axis_ = new QComboBox(tools);
  axis_->setAccessibleName(tr("x axis"));
  axis_->addItems({tr("Step"), tr("Pictures"), tr("Training time"), tr("Clock time")});
  smoothing_label_ = new QLabel(tr("Smoothing"), tools);
  set_role(smoothing_label_, "caption");
  smoothing_ = new QSlider(Qt::Horizontal, tools);
  smoothing_->setRange(0, slider_steps);
  smoothing_->setPageStep(slider_steps / 10);
  smoothing_->setFixedWidth(theme().px(100));
  smoothing_->setAccessibleName(tr("Smoothing"));
  smoothing_value_ = new QLabel(tools);
  smoothing_value_->setFixedWidth(
      QFontMetrics(theme().font(FontRole::body)).horizontalAdvance(QStringLiteral("0.999")) + 2);
  log_ = new QPushButton(tr("Log y"), tools);
  log_->setCheckable(true);
  metrics_ = new QPushButton(tr("Metrics"), tools);
  metrics_->setMenu(metrics_menu_);
  export_ = new QPushButton(tr("Export"), tools);
  build_export_menu();
  for (QWidget* widget : std::initializer_list<QWidget*>{axis_label_, axis_, smoothing_label_, smoothing_,
                                                         smoothing_value_, log_, metrics_, export_})
    row->addWidget(widget);
  connect(axis_, &QComboBox::currentIndexChanged, this, [this](int index) {
    group_.set_axis(static_cast<XAxis>(index));
    context_.settings.set_view(QStringLiteral("live/x_axis"),
                               QString::fromLatin1(axis_ids[static_cast<std::size_t>(index)]));
  });
  connect(smoothing_, &QSlider::valueChanged, this, &LivePage::smoothing_moved);
  connect(log_, &QPushButton::toggled, curves_, &CurvesTab::set_all_log);
  connect(metrics_menu_, &QMenu::aboutToShow, this, &LivePage::refresh_metrics_menu);

  const QString axis = context_.settings.view(QStringLiteral("live/x_axis"), QStringLiteral("step")).toString();
  for (std::size_t i = 0; i < axis_ids.size(); ++i)
    if (axis == QLatin1String(axis_ids[i])) axis_->setCurrentIndex(static_cast<int>(i));
  take_smoothing();
  connect(&context_.settings, &Settings::changed, this, [this](const QString& name) {
    if (name == QLatin1String(keys::smoothing.name)) take_smoothing();
  });
}

void LivePage::build_export_menu() {
  auto* menu = new QMenu(export_);
  menu->addAction(tr("All charts as PNG…"), curves_, &CurvesTab::export_page);
  menu->addAction(tr("Values in view as CSV…"), this, [this] { curves_->export_values(QStringLiteral("curves")); });
  menu->addAction(tr("Copy values of the chart in focus"), this, [this] {
    if (ChartCard* card = curves_->focused_card()) curves_->copy_values(*card);
  });
  export_->setMenu(menu);
}

void LivePage::refresh_metrics_menu() {
  metrics_menu_->clear();
  for (const auto& entry : curves_->entries()) {
    QAction* action = metrics_menu_->addAction(entry.title);
    action->setCheckable(true);
    action->setChecked(entry.shown);
    connect(action, &QAction::triggered, this, [this, id = entry.id](bool shown) { curves_->set_shown(id, shown); });
  }
}

void LivePage::smoothing_moved(int position) {
  // 0.9 and 0 are found exactly; between them two decimals are enough for anyone.
  const double weight = weight_of_position(static_cast<double>(position) / slider_steps);
  const double rounded = weight < 0.99 ? std::round(weight * 100) / 100 : std::round(weight * 1000) / 1000;
  group_.set_weight(rounded);
  context_.settings.set(keys::smoothing, rounded);
  say_smoothing();
}

void LivePage::take_smoothing() {
  const double weight = context_.settings.get(keys::smoothing);
  if (weight != group_.weight() || smoothing_value_->text().isEmpty()) {
    const QSignalBlocker quiet(smoothing_);
    smoothing_->setValue(static_cast<int>(std::lround(position_of_weight(weight) * slider_steps)));
  }
  group_.set_weight(weight);
  say_smoothing();
}

void LivePage::say_smoothing() {
  const double weight = group_.weight();
  smoothing_value_->setText(words::number(weight, weight >= 0.99 ? 3 : 2));
  const QString tip =
      weight > 0 ? tr("%1: about the last %n step(s) count", nullptr, static_cast<int>(std::lround(1 / (1 - weight))))
                       .arg(words::number(weight, weight >= 0.99 ? 3 : 2))
                 : tr("0: every step as measured");
  smoothing_->setToolTip(tip);
  smoothing_value_->setToolTip(tip);
}

void LivePage::activate() {
  active_ = true;
  curves_->set_active(current_tab() == QLatin1String("curves"));
  log_tab_->set_active(current_tab() == QLatin1String("log"));
  const QString tab = context_.settings.view(QStringLiteral("live/tab"), QStringLiteral("curves")).toString();
  if (forced_state_.isEmpty() && current_tab() != tab) show_tab(tab);
  take(context_.run.snapshot());
  fit_head();
}

void LivePage::deactivate() {
  active_ = false;
  curves_->set_active(false);
  log_tab_->set_active(false);
}

QStringList LivePage::tabs() const {
  QStringList result;
  for (const char* id : tab_ids) result.append(QString::fromLatin1(id));
  return result;
}

bool LivePage::show_tab(const QString& id) {
  const auto index = tabs().indexOf(id);
  if (index < 0) return false;
  tab_bar_->setCurrentIndex(static_cast<int>(index));
  return true;
}

QString LivePage::current_tab() const {
  return QString::fromLatin1(tab_ids[static_cast<std::size_t>(std::max(0, tab_bar_->currentIndex()))]);
}

void LivePage::tab_changed(int index) {
  stack_->setCurrentIndex(index);
  tools_->setVisible(index == 0);
  context_.settings.set_view(QStringLiteral("live/tab"), current_tab());
  curves_->set_active(active_ && index == 0);
  log_tab_->set_active(active_ && index == 2);
}

void LivePage::take(const std::shared_ptr<const RunSnapshot>& snapshot) {
  if (!active_ || forced_state_ == QLatin1String("empty")) return;
  if (!snapshot || forced_state_.isEmpty()) return show_snapshot(snapshot);
  auto changed = std::make_shared<RunSnapshot>(*snapshot);
  if (forced_state_ == QLatin1String("loading")) {
    changed->progress.caught_up = false;
    changed->progress.size = 500U << 20;
    changed->progress.read = 310U << 20;
  } else {
    changed->progress.bad_lines = 1;
    changed->progress.first_bad_line = 48211;
    changed->problem = Error{"cannot be reached", snapshot->folder.string(), {}};
  }
  show_snapshot(changed);
}

void LivePage::show_snapshot(const std::shared_ptr<const RunSnapshot>& snapshot) {
  snapshot_ = snapshot;
  const bool chosen = snapshot != nullptr || !context_.state.current_run().isEmpty();
  whole_->setCurrentWidget(chosen ? content_ : static_cast<QWidget*>(empty_));
  curves_->set_snapshot(snapshot);
  checkpoints_->set_snapshot(snapshot);
  log_tab_->set_snapshot(snapshot);
  if (!snapshot) {
    state_banner_->hide();
    file_banner_->hide();
    return;
  }
  refresh_state_banner(*snapshot);
  refresh_file_banner(*snapshot);
  const QSignalBlocker quiet(log_);
  log_->setChecked(curves_->all_log());
}

void LivePage::refresh_state_banner(const RunSnapshot& snapshot) {
  const RunStatus& status = snapshot.status;
  Severity severity = Severity::bad;
  switch (status.state) {
    case ShownState::paused:
    case ShownState::stalled:
      severity = Severity::warn;
      break;
    case ShownState::diverged:
    case ShownState::failed:
    case ShownState::died:
    case ShownState::unreadable:
      break;
    default:
      return state_banner_->hide();
  }
  const bool resumes = can_resume(status);
  const QString cure = !resumes                ? QString()
                       : status.saved_step > 0 ? tr("Resume from %1").arg(words::count(status.saved_step))
                                               : tr("Resume");
  const bool log = status.state != ShownState::paused && current_tab() != QLatin1String("log");
  state_banner_->show_message(severity, run_sentence(status), cure, QString::fromStdString(status.reason),
                              log ? tr("Show log") : QString());
  state_banner_->show();
}

void LivePage::refresh_file_banner(const RunSnapshot& snapshot) {
  const auto& progress = snapshot.progress;
  if (snapshot.problem) {
    const QString when = snapshot.last_read > 0 ? QDateTime::fromSecsSinceEpoch(static_cast<qint64>(snapshot.last_read))
                                                      .toString(QStringLiteral("HH:mm:ss"))
                                                : QStringLiteral("–");
    file_banner_->show_message(Severity::bad,
                               tr("The run folder cannot be reached. Trying again every 5 s; last read %1.").arg(when),
                               {}, QString::fromStdString(snapshot.problem->message()));
    file_banner_->show();
  } else if (progress.bad_lines > 0) {
    const QString first = words::count(static_cast<qint64>(progress.first_bad_line));
    file_banner_->show_message(
        Severity::warn,
        progress.bad_lines == 1
            ? tr("Line %1 of events.jsonl cannot be read. Everything else is shown.").arg(first)
            : tr("%n line(s) of events.jsonl cannot be read; the first is line %1. Everything else is shown.", nullptr,
                 static_cast<int>(std::min<std::uint64_t>(progress.bad_lines, 1'000'000)))
                  .arg(first),
        tr("Show in folder"));
    file_banner_->show();
  } else {
    file_banner_->hide();
  }
}

bool LivePage::show_state(const QString& state) {
  if (state == QLatin1String("empty")) {
    forced_state_ = state;
    show_snapshot(nullptr);
    whole_->setCurrentWidget(empty_);
    return true;
  }
  if (state != QLatin1String("loading") && state != QLatin1String("error")) return false;
  forced_state_ = state;
  take(context_.run.snapshot());
  return true;
}

bool LivePage::settled() const {
  if (whole_->currentWidget() == empty_) return true;
  if (current_tab() == QLatin1String("log")) return log_tab_->settled();
  return forced_state_ == QLatin1String("loading") || curves_->settled();
}

void LivePage::use_more_loaders(int threads) {
  if (!snapshot_ || !snapshot_->config) return;
  Json draft = write_json(*snapshot_->config);
  draft["data"]["loader_threads"] = threads;
  context_.state.propose_draft(draft, QString::fromStdString(snapshot_->folder.filename().string()));
}

void LivePage::resume() {
  if (!snapshot_) return;
  const auto result = context_.engine.resume(QString::fromStdString(snapshot_->folder.string()));
  if (!result) context_.notices.post({Severity::bad, QString::fromStdString(result.error().message()), {}, {}, {}});
}

void LivePage::show_run_folder() {
  if (snapshot_) show_in_folder(QString::fromStdString(RunFolder(snapshot_->folder).events_path().string()));
}

void LivePage::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && (group_.pinned() || group_.cursor())) {
    group_.set_pinned(false);
    return group_.set_cursor(std::nullopt, true);
  }
  Page::keyPressEvent(event);
}

void LivePage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  fit_head();
}

void LivePage::fit_head() {
  const bool narrow = theme().effective_width(window()->width()) < sizes::medium;
  axis_label_->setVisible(!narrow);
  smoothing_label_->setVisible(!narrow);
  smoothing_->setFixedWidth(theme().px(narrow ? 70 : 100));
}

Page* make_live_page(PageContext& context) { return new LivePage(context); }

}  // namespace disco::ui
