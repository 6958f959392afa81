// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_page.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "engine/run/presets.h"
#include "engine/run/run_folder.h"
#include "ui/runs/run_detail.h"
#include "ui/runs/runs_delegate.h"
#include "ui/runs/runs_model.h"
#include "ui/shell/actions.h"
#include "ui/shell/app_state.h"
#include "ui/shell/engine_client.h"
#include "ui/shell/folders.h"
#include "ui/shell/run_colours.h"
#include "ui/shell/run_words.h"
#include "ui/shell/settings.h"
#include "ui/shell/workspace_watch.h"
#include "ui/theme/icon.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/notices.h"

namespace disco::ui {

namespace {

constexpr int filter_width = 300;
constexpr int refresh_times_milliseconds = 10000;
constexpr std::array column_widths{150, 190, 130, 150, 170, 120, 150};

QString qtext(const std::string& text) { return QString::fromStdString(text); }

}  // namespace

RunsPage::RunsPage(PageContext& context, QWidget* parent) : Page(parent), context_(context) {
  model_ = new RunsModel(this);
  order_ = new RunsOrder(*model_, this);
  menu_ = new QMenu(this);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(sizes::gap4, sizes::gap3, sizes::gap4, sizes::gap4);
  page->setSpacing(sizes::gap3);
  build_head(page);
  banner_ = new Banner(this);
  banner_->hide();
  page->addWidget(banner_);
  places_ = new QStackedWidget(this);
  build_table();
  const auto add_state = [this](const char* icon_name, const QString& title, const QString& text) {
    auto* state = new EmptyState(places_);
    state->set_content(QString::fromLatin1(icon_name), title, text);
    places_->addWidget(state);
    return state;
  };
  empty_ =
      add_state("runs", tr("No runs yet"),
                tr("A run is one training from start to finish. The quickest way to see one: teach a small CLIP to "
                   "caption cartoons. It takes about 8 minutes here and downloads nothing."));
  empty_->set_buttons(tr("Train on cartoons"), tr("Train on my pictures…"));
  nothing_fits_ = add_state("filter", {}, {});
  nothing_fits_->set_buttons({}, tr("Clear filter"));
  problem_ = add_state("error", {}, {});
  problem_->set_buttons(tr("Try again"), tr("Choose…"));
  loading_ = add_state("clock", {}, {});
  loading_->set_buttons({});
  page->addWidget(places_, 1);
  detail_ = new RunDetail(this);
  page->addWidget(detail_);
  clock_.setInterval(refresh_times_milliseconds);
  connect_all();
  handle_actions();
  restore_view();
  take(context_.workspace.snapshot());
}

void RunsPage::build_head(QVBoxLayout* page) {
  auto* head = new QHBoxLayout;
  head->setSpacing(sizes::gap3);
  auto* title = new QLabel(tr("Runs"), this);
  set_role(title, "title");
  heading_ = new QLabel(this);
  set_role(heading_, "caption");
  filter_ = new QLineEdit(this);
  filter_->setPlaceholderText(tr("Filter: name, state:running, best>80"));
  filter_->setAccessibleName(tr("Filter runs"));
  filter_->setClearButtonEnabled(true);
  filter_->setMinimumWidth(theme().px(filter_width));
  columns_ = new QPushButton(tr("Columns"), this);
  new_run_ = new QPushButton(tr("New run"), this);
  set_role(new_run_, "primary");
  head->addWidget(title);
  heading_->setContentsMargins(0, sizes::gap2, 0, 0);  // on the base line of the title
  head->addWidget(heading_);
  head->addStretch(1);
  head->addWidget(filter_);
  head->addWidget(columns_);
  head->addWidget(new_run_);
  page->addLayout(head);
}

void RunsPage::build_table() {
  auto* frame = new QFrame(places_);
  set_role(frame, "card");
  auto* inside = new QVBoxLayout(frame);
  inside->setContentsMargins(1, 1, 1, 1);
  table_ = new QTableView(frame);
  table_->setFrameShape(QFrame::NoFrame);
  table_->setModel(order_);
  table_->setItemDelegate(new RunsDelegate(
      *model_, [this](const RunStatus& run) { return context_.colours.colour(qtext(run.id)); }, table_));
  table_->setAccessibleName(tr("Runs"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setContextMenuPolicy(Qt::CustomContextMenu);
  table_->setShowGrid(false);
  table_->setMouseTracking(true);
  table_->setTabKeyNavigation(false);
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->verticalHeader()->setDefaultSectionSize(theme().px(sizes::row));
  QHeaderView* header = table_->horizontalHeader();
  header->setHighlightSections(false);
  header->setSectionsMovable(true);
  header->setStretchLastSection(true);
  header->setMinimumSectionSize(theme().px(60));
  for (int column = 0; column < RunsModel::column_count; ++column)
    header->resizeSection(column, theme().px(column_widths[static_cast<std::size_t>(column)]));
  header->setSortIndicator(RunsModel::activity_column, Qt::DescendingOrder);
  table_->setSortingEnabled(true);
  inside->addWidget(table_);
  places_->addWidget(frame);
}

void RunsPage::connect_all() {
  connect(&context_.workspace, &WorkspaceWatch::updated, this, &RunsPage::take);
  connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
    order_->set_filter(RunFilter(text));
    show_place();
  });
  connect(nothing_fits_, &EmptyState::secondary_clicked, filter_, &QLineEdit::clear);
  connect(problem_, &EmptyState::primary_clicked, &context_.workspace, &WorkspaceWatch::refresh);
  connect(problem_, &EmptyState::secondary_clicked, this,
          [this] { context_.actions.action("workspace.choose")->trigger(); });
  connect(empty_, &EmptyState::primary_clicked, this, &RunsPage::train_cartoons);
  connect(empty_, &EmptyState::secondary_clicked, this, &RunsPage::train_pictures);
  connect(new_run_, &QPushButton::clicked, this, [this] { context_.state.go_to(QStringLiteral("new")); });
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPage::selection_changed);
  connect(table_, &QTableView::activated, this, [this] { open_selected(QStringLiteral("live")); });
  connect(table_, &QTableView::customContextMenuRequested, this, [this](const QPoint& place) {
    if (table_->indexAt(place).isValid()) menu_->popup(table_->viewport()->mapToGlobal(place));
  });
  connect(menu_, &QMenu::aboutToShow, this, &RunsPage::fill_menu);
  connect(table_->horizontalHeader(), &QHeaderView::sectionResized, this, &RunsPage::store_view);
  connect(table_->horizontalHeader(), &QHeaderView::sectionMoved, this, &RunsPage::store_view);
  connect(table_->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &RunsPage::store_view);
  connect(model_, &RunsModel::rename_wanted, this, &RunsPage::rename);
  connect(model_, &RunsModel::dataChanged, this, [this] { selection_changed(); });
  connect(detail_, &RunDetail::open_clicked, this, [this] { open_selected(QStringLiteral("live")); });
  connect(detail_, &RunDetail::log_clicked, this,
          [this] { open_selected(QStringLiteral("live"), QStringLiteral("log")); });
  connect(detail_, &RunDetail::resume_clicked, this, &RunsPage::resume_selected);
  connect(detail_, &RunDetail::duplicate_clicked, this, &RunsPage::duplicate_selected);
  connect(detail_, &RunDetail::rename_clicked, this, &RunsPage::rename_selected);
  connect(detail_, &RunDetail::trash_clicked, this, [this] { trash(selected_paths()); });
  connect(banner_, &Banner::cure_clicked, this, [this] {
    banner_->hide();
    if (still_training_.isEmpty()) return;
    if (const auto sent = context_.engine.command(still_training_, CommandKind::stop); !sent)
      banner_->show_message(Severity::bad, qtext(sent.error().message()));
    still_training_.clear();
  });
  connect(&clock_, &QTimer::timeout, model_, &RunsModel::refresh_times);

  auto* columns = new QMenu(columns_);
  for (int column = 0; column < RunsModel::column_count; ++column) {
    if (column == RunsModel::name_column) continue;  // without it a row says nothing
    QAction* action = columns->addAction(model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    action->setCheckable(true);
    connect(action, &QAction::toggled, this, [this, column](bool on) {
      table_->setColumnHidden(column, !on);
      store_view();
    });
    connect(columns, &QMenu::aboutToShow, action, [this, action, column] {
      const QSignalBlocker quiet(action);
      action->setChecked(!table_->isColumnHidden(column));
    });
  }
  columns_->setMenu(columns);
}

void RunsPage::handle_actions() {
  Actions& actions = context_.actions;
  actions.handle("page.find", this, [this] {
    filter_->setFocus(Qt::ShortcutFocusReason);
    filter_->selectAll();
  });
  actions.handle("page.main", this, [this] { context_.state.go_to(QStringLiteral("new")); });
  actions.handle("page.undo", this, [this] { undo_trash(); });
  actions.handle("runs.rename", this, [this] { rename_selected(); });
  actions.handle("runs.duplicate", this, [this] { duplicate_selected(); });
  actions.handle("runs.trash", this, [this] { trash(selected_paths()); });
}

bool RunsPage::show_tab(const QString& filter) {
  filter_->setText(filter);
  return true;
}

void RunsPage::activate() {
  clock_.start();
  model_->refresh_times();
}

void RunsPage::deactivate() { clock_.stop(); }

void RunsPage::take(const std::shared_ptr<const WorkspaceSnapshot>& snapshot) {
  const bool was_empty = model_->rowCount() == 0;
  snapshot_ = snapshot;
  if (snapshot_ && !snapshot_->problem) {
    model_->set_runs(snapshot_->runs, !snapshot_->from_cache);
    // Whether a run fits a filter may change with its values.
    if (!order_->filter().empty()) order_->set_filter(order_->filter());
  }
  if (was_empty && order_->rowCount() > 0 && !table_->currentIndex().isValid()) {
    table_->setCurrentIndex(order_->index(0, RunsModel::name_column));
    table_->selectRow(0);
  }
  show_heading();
  show_place();
  selection_changed();
}

void RunsPage::show_heading() {
  if (!snapshot_) return heading_->clear();
  const int count = model_->rowCount();
  if (!snapshot_->complete && snapshot_->total > 0)
    heading_->setText(tr("Reading %1 of %n run(s)…", nullptr, snapshot_->total).arg(words::count(snapshot_->read)));
  else
    heading_->setText(count > 0 ? tr("%n run(s)", nullptr, count) : QString());
}

void RunsPage::show_place() {
  const int rows = model_->rowCount();
  QWidget* place = places_->widget(0);
  if (shown_state_ == QStringLiteral("empty")) {
    place = empty_;
  } else if (shown_state_ == QStringLiteral("loading")) {
    place = loading_;
  } else if ((snapshot_ && snapshot_->problem) || shown_state_ == QStringLiteral("error")) {
    place = problem_;
    const QString what = snapshot_ && snapshot_->problem ? qtext(snapshot_->problem->what) : tr("Permission denied");
    problem_->set_content(QStringLiteral("error"), tr("Cannot read %1").arg(words::path(context_.state.workspace())),
                          what + QStringLiteral(". ") + tr("Make it readable, or choose another workspace."));
  } else if (rows == 0) {
    place = snapshot_ && snapshot_->complete ? empty_ : loading_;
  } else if (order_->rowCount() == 0) {
    place = nothing_fits_;
    nothing_fits_->set_content(QStringLiteral("filter"), tr("No run matches “%1”.").arg(filter_->text().trimmed()), {});
  }
  if (place == loading_)
    loading_->set_content(QStringLiteral("clock"), tr("Reading the workspace…"),
                          words::path(context_.state.workspace()));
  places_->setCurrentWidget(place);
  const bool table_shown = place == places_->widget(0);
  detail_->setVisible(table_shown && !selected_paths().isEmpty());
  heading_->setVisible(place != empty_);
  // One primary button a page: an empty workspace has its own.
  set_role(new_run_, place == empty_ || place == problem_ ? "" : "primary");
  filter_->setEnabled(table_shown || place == nothing_fits_);
  columns_->setEnabled(table_shown);
}

QStringList RunsPage::selected_paths() const {
  QStringList paths;
  for (const QModelIndex& index : table_->selectionModel()->selectedRows())
    paths << index.data(RunsModel::path_role).toString();
  return paths;
}

int RunsPage::selected_row() const {
  const QStringList paths = selected_paths();
  return paths.size() == 1 ? model_->row_of_path(paths.front()) : -1;
}

void RunsPage::selection_changed() {
  const QStringList paths = selected_paths();
  const int row = selected_row();
  if (row >= 0)
    detail_->show_run(model_->run(row), menu_);
  else if (paths.size() > 1)
    detail_->show_many(static_cast<int>(paths.size()));
  detail_->setVisible(places_->currentIndex() == 0 && !paths.isEmpty());
  Actions& actions = context_.actions;
  const bool readable = row >= 0 && model_->run(row).state != ShownState::unreadable;
  actions.set_available("runs.rename", readable);
  actions.set_available("runs.duplicate", readable);
  actions.set_available("runs.trash", !paths.isEmpty());
}

void RunsPage::open_selected(const QString& page, const QString& tab) {
  const int row = selected_row();
  if (row < 0 || model_->run(row).state == ShownState::unreadable) return;
  context_.state.set_current_run(qtext(model_->run(row).path));
  context_.state.go_to(page, tab);
}

void RunsPage::store_view() {
  context_.settings.set_view(QStringLiteral("runs/header"), table_->horizontalHeader()->saveState());
}

void RunsPage::restore_view() {
  const QStringList pinned = context_.settings.view(QStringLiteral("runs/pinned")).toStringList();
  model_->set_pinned(QSet<QString>(pinned.begin(), pinned.end()));
  const QByteArray header = context_.settings.view(QStringLiteral("runs/header")).toByteArray();
  if (!header.isEmpty()) table_->horizontalHeader()->restoreState(header);
  order_->sort(table_->horizontalHeader()->sortIndicatorSection(), table_->horizontalHeader()->sortIndicatorOrder());
}

bool RunsPage::show_state(const QString& state) {
  if (state != QStringLiteral("empty") && state != QStringLiteral("loading") && state != QStringLiteral("error"))
    return false;
  shown_state_ = state;
  show_place();
  return true;
}

bool RunsPage::settled() const { return !shown_state_.isEmpty() || (snapshot_ && snapshot_->complete); }

Page* make_runs_page(PageContext& context) { return new RunsPage(context); }

}  // namespace disco::ui
