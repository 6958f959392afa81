// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/new_run_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QStandardPaths>
#include <QVBoxLayout>
#include <limits>

#include "engine/run/run_folder.h"
#include "engine/run/settings.h"
#include "ui/form/before_start.h"
#include "ui/form/field_editor.h"
#include "ui/form/form_row.h"
#include "ui/form/form_view.h"
#include "ui/form/section_list.h"
#include "ui/shell/actions.h"
#include "ui/shell/app_state.h"
#include "ui/shell/engine_client.h"
#include "ui/shell/settings.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/card.h"
#include "ui/widgets/elided_label.h"

namespace disco::ui {

namespace {

constexpr int sections_width = 150;
constexpr int find_width = 240;
constexpr int form_width = 760;     // lines longer than this are hard to read
constexpr int form_stretch = 1000;  // the form takes all room up to its width
constexpr int panel_place = 2;      // among the columns
constexpr int shown_problems = 6;
constexpr int shown_problem_width = 520;
constexpr std::size_t other_data_weight = 100;

QString own_draft_file() {
  return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/draft.json");
}

/// "cartoons" of "cartoons-3": what the next free name is made from.
QString stem_of(const QString& name) {
  static const QRegularExpression number(QStringLiteral("-[0-9]+$"));
  QString stem = name;
  stem.remove(number);
  return stem.isEmpty() ? QStringLiteral("run") : stem;
}

/// The name as a row of the form: not a setting of the run, but the folder it lies in.
Setting name_setting() {
  Setting setting;
  setting.path = "name";
  setting.section = "start";
  setting.section_label = "Start from";
  setting.label = NewRunPage::tr("Name").toStdString();
  setting.help = NewRunPage::tr("Folder of the run in the workspace").toStdString();
  setting.default_value = Json(NewRunPage::tr("the next free one").toStdString());
  return setting;
}

}  // namespace

QString nearest_preset(const std::vector<Preset>& presets, const Json& config) {
  QString best;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (const Preset& preset : presets) {
    const Json start = write_json(load_config(preset.config).config);
    std::size_t count = differences(start, config).size();
    // What is trained on says more about what a person wants than any number.
    if (value_at(start, "data.source") != value_at(config, "data.source")) count += other_data_weight;
    if (count >= fewest) continue;
    fewest = count;
    best = QString::fromStdString(preset.id);
  }
  return best;
}

NewRunPage::NewRunPage(PageContext& context, const QString& draft_file, QWidget* parent)
    : Page(parent), context_(context), draft_(draft_file.isEmpty() ? own_draft_file() : draft_file) {
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(sizes::gap4, sizes::gap3, sizes::gap4, sizes::gap3);
  page->setSpacing(sizes::gap3);
  build_head(page);
  banner_ = new Banner(this);
  banner_->hide();
  page->addWidget(banner_);

  auto* columns = new QHBoxLayout;
  columns->setSpacing(sizes::gap3);
  sections_card_ = new Card({}, this);
  sections_card_->setFixedWidth(theme().px(sections_width));
  sections_ = new SectionList(sections_card_);
  sections_card_->layout()->setContentsMargins(sizes::gap1, sizes::gap2, sizes::gap1, sizes::gap2);
  sections_card_->body()->addWidget(sections_);
  auto* form_card = new Card({}, this);
  form_card->layout()->setContentsMargins(1, 1, 1, 1);
  form_ = new FormView(draft_, form_card);
  form_card->body()->addWidget(form_);
  build_start_card();
  panel_card_ = new Card(tr("Before you start"), this);
  panel_card_->setFixedWidth(theme().px(sizes::side_panel));
  auto* panel_scroll = new QScrollArea(panel_card_);
  panel_scroll->setFrameShape(QFrame::NoFrame);
  panel_scroll->setWidgetResizable(true);
  panel_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  panel_scroll->setFocusPolicy(Qt::NoFocus);
  panel_ = new BeforeStart(&context_.serve);
  panel_scroll->setWidget(panel_);
  panel_card_->body()->addWidget(panel_scroll);
  columns->addWidget(sections_card_);
  columns->addWidget(form_card, form_stretch);
  columns->addWidget(panel_card_);
  columns->addStretch(1);  // what is left of a wide window
  page->addLayout(columns, 1);
  build_footer(page);
  connect_all();

  all_->setChecked(context_.settings.view(QStringLiteral("new/all"), false).toBool());
  if (!draft_.load_problem().isEmpty()) banner_->show_message(Severity::warn, draft_.load_problem());
  draft_changed();
  lay_out();
}

void NewRunPage::build_head(QVBoxLayout* page) {
  auto* head = new QHBoxLayout;
  head->setSpacing(sizes::gap3);
  auto* title = new QLabel(tr("New run"), this);
  set_role(title, "title");
  saved_ = new QLabel(this);
  set_role(saved_, "caption");
  section_menu_ = new QComboBox(this);
  section_menu_->setAccessibleName(tr("Sections"));
  section_menu_->hide();
  find_ = new QLineEdit(this);
  find_->setPlaceholderText(tr("Find a setting"));
  find_->setAccessibleName(tr("Find a setting"));
  find_->setClearButtonEnabled(true);
  find_->setFixedWidth(theme().px(find_width));
  all_ = new QCheckBox(tr("All settings"), this);
  head->addWidget(title);
  saved_->setContentsMargins(0, sizes::gap2, 0, 0);  // on the base line of the title
  head->addWidget(saved_);
  head->addStretch(1);
  head->addWidget(section_menu_);
  head->addWidget(find_);
  head->addWidget(all_);
  page->addLayout(head);
}

void NewRunPage::build_start_card() {
  auto* heading = new QLabel(tr("Start from"), form_);
  set_role(heading, "heading");
  preset_ = new QComboBox(form_);
  preset_->setAccessibleName(tr("Start from"));
  preset_->setFocusPolicy(Qt::StrongFocus);
  preset_->setMinimumWidth(theme().px(280));
  for (const Preset& preset : draft_.presets())
    preset_->addItem(QString::fromStdString(preset.label), QString::fromStdString(preset.id));
  changed_ = new QLabel(form_);
  set_role(changed_, "text2");
  undo_all_ = new QPushButton(tr("Undo all"), form_);
  set_role(undo_all_, "link");
  preset_help_ = new QLabel(form_);
  preset_help_->setWordWrap(true);
  set_role(preset_help_, "caption");
  auto* line = new QHBoxLayout;
  line->setSpacing(sizes::gap2);
  line->addWidget(preset_);
  line->addWidget(changed_);
  line->addWidget(undo_all_);
  line->addStretch(1);
  name_ = new FormRow(name_setting(), &make_editor, form_);
  form_->head()->addWidget(heading);
  form_->head()->addLayout(line);
  form_->head()->addWidget(preset_help_);
  form_->head()->addWidget(name_);
}

void NewRunPage::build_footer(QVBoxLayout* page) {
  bar_ = new QFrame(this);
  set_role(bar_, "card");
  auto* bar = new QHBoxLayout(bar_);
  bar->setContentsMargins(sizes::gap3, sizes::gap1, sizes::gap2, sizes::gap1);
  bar_words_ = new ElidedLabel(Qt::ElideRight, bar_);
  bar_button_ = new QPushButton(tr("Before you start"), bar_);
  bar_button_->setCheckable(true);
  bar->addWidget(bar_words_, 1);
  bar->addWidget(bar_button_);
  bar_->hide();
  page->addWidget(bar_);

  problem_list_ = new QListWidget(this);
  problem_list_->setAccessibleName(tr("Problems"));
  problem_list_->setFrameShape(QFrame::NoFrame);
  problem_list_->hide();
  page->addWidget(problem_list_);

  auto* footer = new QHBoxLayout;
  footer->setSpacing(sizes::gap2);
  problem_button_ = new QPushButton(this);
  set_role(problem_button_, "link");
  problem_button_->hide();
  measure_ = new QPushButton(tr("Measure"), this);
  measure_->setToolTip(tr("Takes a few real steps to learn memory and time"));
  start_ = new QPushButton(tr("Start training"), this);
  set_role(start_, "primary");
  footer->addWidget(problem_button_);
  footer->addStretch(1);
  footer->addWidget(measure_);
  footer->addWidget(start_);
  page->addLayout(footer);
}

void NewRunPage::connect_all() {
  connect(find_, &QLineEdit::textChanged, form_, &FormView::set_filter);
  connect(form_, &FormView::find_cleared, find_, &QLineEdit::clear);
  connect(all_, &QCheckBox::toggled, this, [this](bool on) {
    form_->set_show_all(on);
    context_.settings.set_view(QStringLiteral("new/all"), on);
  });
  connect(sections_, &SectionList::chosen, form_, &FormView::jump_to_section);
  connect(section_menu_, &QComboBox::activated, this,
          [this](int index) { form_->jump_to_section(section_menu_->itemData(index).toInt()); });
  connect(form_, &FormView::sections_changed, this, [this] {
    sections_->show_sections(form_->sections());
    sections_->mark(form_->current_section());
    section_menu_->clear();
    for (std::size_t i = 0; i < form_->sections().size(); ++i)
      if (form_->sections()[i].visible) section_menu_->addItem(form_->sections()[i].label, static_cast<int>(i));
  });
  connect(form_, &FormView::current_section_changed, this, [this](int section) {
    sections_->mark(section);
    section_menu_->setCurrentIndex(section_menu_->findData(section));
  });
  connect(preset_, &QComboBox::activated, this,
          [this](int index) { draft_.set_preset(preset_->itemData(index).toString()); });
  connect(undo_all_, &QPushButton::clicked, this, [this] { draft_.reset_all(); });
  connect(name_, &FormRow::edited, this,
          [this](const Json& value) { draft_.set_name(QString::fromStdString(value.get<std::string>()).trimmed()); });
  connect(name_, &FormRow::back_clicked, this, [this] { draft_.set_name({}); });
  connect(name_, &FormRow::cure_clicked, this, [this] { draft_.set_name(free_name_); });
  connect(&draft_, &Draft::values_changed, this, &NewRunPage::draft_changed);
  connect(&draft_, &Draft::name_changed, this, &NewRunPage::draft_changed);
  connect(&draft_, &Draft::saved_changed, this,
          [this] { saved_->setText(draft_.saved() ? tr("draft saved") : tr("saving…")); });
  connect(&check_, &FormCheck::checked, this, &NewRunPage::show_check);
  connect(panel_, &BeforeStart::batch_proposed, this,
          [this](int batch) { draft_.set_value("batch.size", Json(batch), tr("Use a smaller batch")); });
  connect(panel_, &BeforeStart::data_problem, this, [this](const Problem& problem) {
    data_problem_ = problem;
    show_problems();
  });
  connect(panel_, &BeforeStart::measuring_changed, this, [this] { show_problems(); });
  connect(panel_, &BeforeStart::summary_changed, this, [this] { bar_words_->set_text(panel_->summary()); });
  connect(bar_button_, &QPushButton::toggled, this, &NewRunPage::toggle_panel);
  connect(measure_, &QPushButton::clicked, panel_, &BeforeStart::measure);
  connect(start_, &QPushButton::clicked, this, &NewRunPage::start);
  connect(problem_button_, &QPushButton::clicked, this, [this] {
    if (problems_.size() == 1) return go_to_problem(0);
    problem_list_->setVisible(problem_list_->isHidden());
    if (!problem_list_->isHidden()) problem_list_->setFocus(Qt::OtherFocusReason);
  });
  connect(problem_list_, &QListWidget::itemActivated, this,
          [this](QListWidgetItem* item) { go_to_problem(problem_list_->row(item)); });
  connect(problem_list_, &QListWidget::itemClicked, this,
          [this](QListWidgetItem* item) { go_to_problem(problem_list_->row(item)); });
  connect(&context_.state, &AppState::draft_proposed, this, &NewRunPage::take_proposal);
  connect(&context_.state, &AppState::workspace_changed, this, &NewRunPage::draft_changed);
  connect(&context_.engine, &EngineClient::start_failed, this,
          [this](const QString& run, const QString& sentence, const QString& details) {
            if (run == starting_) banner_->show_message(Severity::bad, sentence, {}, details);
          });
  connect(banner_, &Banner::cure_clicked, banner_, &QWidget::hide);

  Actions& actions = context_.actions;
  actions.handle("page.main", this, [this] { start(); });
  actions.handle("page.find", this, [this] {
    find_->setFocus(Qt::ShortcutFocusReason);
    find_->selectAll();
  });
  actions.handle("page.undo", this, [this] { draft_.undo_stack().undo(); });
  actions.handle("page.redo", this, [this] { draft_.undo_stack().redo(); });
}

void NewRunPage::activate() {
  take_proposal();
  show_name();
  check_.ask(draft_.overlay());
}

void NewRunPage::deactivate() { bar_button_->setChecked(false); }

void NewRunPage::take_proposal() {
  const auto proposal = context_.state.take_draft();
  if (!proposal) return;
  const Json config = write_json(load_config(proposal->config).config);
  const bool taken = QFileInfo::exists(QDir(context_.state.workspace()).filePath(proposal->name));
  draft_.start_from(nearest_preset(draft_.presets(), config), config,
                    taken ? free_name(proposal->name) : proposal->name);
  find_->clear();
  form_->verticalScrollBar()->setValue(0);
}

QString NewRunPage::free_name(const QString& name) const {
  return QString::fromStdString(free_run_name(context_.state.workspace().toStdString(), stem_of(name).toStdString()));
}

QString NewRunPage::run_name() const { return draft_.name().isEmpty() ? free_name(draft_.preset()) : draft_.name(); }

QString NewRunPage::command() const {
  const QDir workspace(context_.state.workspace());
  QStringList arguments{QStringLiteral("train"), workspace.filePath(run_name())};
  if (!draft_.preset().isEmpty()) arguments << QStringLiteral("--preset") << draft_.preset();
  for (const QString& argument : draft_.set_arguments()) arguments << QStringLiteral("--set") << argument;
  return EngineClient::command_line(QStringLiteral("disco-engine"), arguments);
}

QString NewRunPage::name_problem() const {
  const QString name = run_name();
  if (name.contains(QLatin1Char('/')) || name == QStringLiteral(".") || name == QStringLiteral(".."))
    return tr("A name is one folder: leave out “/”.");
  if (name.startsWith(QLatin1Char('.'))) return tr("A name that starts with a dot would be hidden.");
  if (QFileInfo::exists(QDir(context_.state.workspace()).filePath(name)))
    return tr("A run called %1 exists.").arg(name);
  return {};
}

void NewRunPage::show_name() {
  name_->show_value(Json(run_name().toStdString()));
  name_->set_changed(!draft_.name().isEmpty(), tr("the next free one"));
  free_name_ = free_name(run_name());
  name_->set_problem(name_problem(), free_name_);
}

void NewRunPage::draft_changed() {
  show_name();
  show_changes();
  panel_->show_command(command());
  check_.ask(draft_.overlay());
}

void NewRunPage::show_changes() {
  preset_->setCurrentIndex(preset_->findData(draft_.preset()));
  const int changed = draft_.changed_count();
  changed_->setText(tr("%n changed", nullptr, changed));
  changed_->setVisible(changed > 0);
  undo_all_->setVisible(changed > 0);
  for (const Preset& preset : draft_.presets())
    if (QString::fromStdString(preset.id) == draft_.preset())
      preset_help_->setText(QString::fromStdString(preset.help));
}

void NewRunPage::show_check(const CheckedConfig& checked) {
  checked_ = checked;
  has_check_ = true;
  panel_->show_config(checked);
  show_problems();
}

Problems NewRunPage::all_problems() const {
  Problems all = checked_.problems;
  if (!data_problem_.path.empty() &&
      std::none_of(all.begin(), all.end(), [&](const Problem& other) { return other.path == data_problem_.path; }))
    all.push_back(data_problem_);
  if (const QString name = name_problem(); !name.isEmpty()) all.insert(all.begin(), {"name", name.toStdString(), ""});
  return all;
}

void NewRunPage::show_problems() {
  problems_ = all_problems();
  form_->show_problems(problems_);
  const int count = static_cast<int>(problems_.size());
  problem_button_->setVisible(count > 0);
  problem_list_->clear();
  for (const Problem& problem : problems_)
    problem_list_->addItem(problem.path == "name" ? QString::fromStdString(problem.what) : list_words(problem));
  if (count > 0) {
    const QString first = problem_list_->item(0)->text();
    const QString words =
        count == 1 ? tr("1 problem: %1").arg(first) : tr("%n problem(s)", nullptr, count) + QStringLiteral(" ▾");
    problem_button_->setText(
        problem_button_->fontMetrics().elidedText(words, Qt::ElideRight, theme().px(shown_problem_width)));
    problem_button_->setToolTip(words);
    problem_button_->setAccessibleName(words);
  }
  if (count < 2) problem_list_->hide();
  problem_list_->setFixedHeight(std::min(count, shown_problems) * theme().px(sizes::row_compact));
  measure_->setEnabled(checked_.problems.empty() && !panel_->measuring());
}

void NewRunPage::go_to_problem(int index) {
  if (index < 0 || index >= static_cast<int>(problems_.size())) return;
  const Problem& problem = problems_[static_cast<std::size_t>(index)];
  if (problem.path == "name") {
    form_->verticalScrollBar()->setValue(0);
    name_->take_focus();
  } else if (FormRow* row = form_->row_for_problem(problem.path)) {
    form_->jump_to_row(row);
  }
}

void NewRunPage::start() {
  check_.finish();
  show_problems();
  if (!problems_.empty()) return go_to_problem(0);
  const auto started = context_.engine.start(run_name(), write_json(checked_.config));
  if (!started) {
    banner_->show_message(Severity::bad, QString::fromStdString(started.error().message()));
    return;
  }
  banner_->hide();
  starting_ = *started;
  draft_.set_name({});
  context_.state.open_run(*started, QStringLiteral("live"));
}

void NewRunPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  lay_out();
}

void NewRunPage::lay_out() {
  // The rail stands beside the page; widths of the window count.
  const int window_width = theme().effective_width(window()->width());
  const bool folded = window_width < sizes::medium;
  const bool narrow = window_width < sizes::narrow;
  sections_card_->setVisible(!narrow);
  section_menu_->setVisible(narrow);
  form_->parentWidget()->setMaximumWidth(window_width >= sizes::wide ? theme().px(form_width) : QWIDGETSIZE_MAX);
  if (bar_->isHidden() == folded) {
    bar_->setVisible(folded);
    bar_button_->setChecked(false);
    auto* columns = static_cast<QHBoxLayout*>(layout()->itemAt(2)->layout());
    if (folded) {
      columns->removeWidget(panel_card_);
      panel_card_->hide();
    } else {
      columns->insertWidget(panel_place, panel_card_);
      panel_card_->show();
    }
  }
  if (folded && bar_button_->isChecked()) toggle_panel();
}

void NewRunPage::toggle_panel() {
  if (bar_->isHidden()) return;
  panel_card_->setVisible(bar_button_->isChecked());
  if (!bar_button_->isChecked()) return;
  const QRect form = form_->parentWidget()->geometry();
  panel_card_->setGeometry(form.right() - panel_card_->width() + 1, form.top(), panel_card_->width(), form.height());
  panel_card_->raise();
}

bool NewRunPage::show_state(const QString& state) {
  const bool error = state == QStringLiteral("error");
  if (!error && state != QStringLiteral("empty")) return false;
  draft_.stop_saving();  // the person's own draft stays as it is
  draft_.start_from(error ? QStringLiteral("cartoons") : QStringLiteral("pictures"), nullptr, {});
  if (!error) return true;
  draft_.set_value("optimizer.learning_rate", Json(-0.001), tr("Change %1").arg(tr("Learning rate")));
  check_.finish();
  go_to_problem(0);
  return true;
}

bool NewRunPage::settled() const { return has_check_ && !check_.pending() && !panel_->loading(); }

Page* make_new_run_page(PageContext& context) { return new NewRunPage(context); }

}  // namespace disco::ui
