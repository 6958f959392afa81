// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/form_view.h"

#include <QLabel>
#include <QScrollBar>
#include <QVBoxLayout>

#include "engine/run/settings.h"
#include "ui/form/draft.h"
#include "ui/form/field_editor.h"
#include "ui/form/form_row.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"

namespace disco::ui {

namespace {

/// All budget settings as one row: the form shows one field where exactly one of them may be set.
const Setting& budget_setting() {
  static const Setting setting = [] {
    Setting one;
    one.path = Draft::budget_path;
    one.section = Draft::budget_path;
    one.label = FormView::tr("Budget").toStdString();
    for (const Setting& leaf : settings())
      if (leaf.section == one.section) one.section_label = leaf.section_label;
    one.help = FormView::tr("How long to train: minutes, hours, steps, pictures or epochs").toStdString();
    one.default_value = Json(FormView::tr("none").toStdString());
    return one;
  }();
  return setting;
}

/// A setting with a label that no other one of its section has: what two towers share is told apart by their keys.
Setting with_own_label(Setting setting) {
  const auto same = std::count_if(settings().begin(), settings().end(), [&](const Setting& other) {
    return other.section == setting.section && other.label == setting.label;
  });
  if (same < 2) return setting;
  const auto end = setting.path.rfind('.');
  const auto start = setting.path.rfind('.', end - 1) + 1;
  setting.label += " (" + setting.path.substr(start, end - start) + ")";
  return setting;
}

QString value_words(const std::string& path, const Json& value) {
  return path == Draft::budget_path ? budget_text(value) : text_of_value(value);
}

QString capitalised(QString text) {
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

}  // namespace

QString field_words(const Problem& problem) {
  QString text = capitalised(QString::fromStdString(problem.what));
  if (!text.endsWith(QLatin1Char('.'))) text += QLatin1Char('.');
  if (!problem.hint.empty()) {
    text += QLatin1Char(' ') + capitalised(QString::fromStdString(problem.hint));
    if (!text.endsWith(QLatin1Char('.')) && !text.endsWith(QLatin1Char('?'))) text += QLatin1Char('.');
  }
  return text;
}

QString list_words(const Problem& problem) {
  QString label = QString::fromStdString(problem.path);
  for (const Setting& setting : settings())
    if (setting.path == problem.path) label = QString::fromStdString(with_own_label(setting).label);
  if (problem.path.starts_with(Draft::budget_path)) label = QString::fromStdString(budget_setting().label);
  return (label + QLatin1Char(' ') + QString::fromStdString(problem.what)).trimmed();
}

FormView::FormView(Draft& draft, QWidget* parent) : QScrollArea(parent), draft_(draft) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* content = new QWidget;
  content->setMaximumWidth(theme().px(sizes::settings_column + 120));
  column_ = new QVBoxLayout(content);
  column_->setContentsMargins(sizes::gap3, sizes::gap3, sizes::gap3, sizes::gap3);
  column_->setSpacing(0);
  head_ = new QVBoxLayout;
  head_->setSpacing(sizes::gap2);
  column_->addLayout(head_);
  add_rows();
  nothing_ = new QLabel(content);
  set_role(nothing_, "text2");
  nothing_->hide();
  column_->addWidget(nothing_);
  column_->addStretch(1);
  setWidget(content);
  connect(&draft_, &Draft::values_changed, this, &FormView::update_rows);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this] { scrolled(); });
  connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, [this] { scrolled(); });
  update_rows({});
}

void FormView::add_rows() {
  QWidget* parent = this;
  bool budget_done = false;
  for (const Setting& setting : settings()) {
    if (setting.path.starts_with("budget.")) {
      if (!budget_done)
        add_row(new FormRow(
            budget_setting(), [](const Setting&, QWidget* owner) { return make_budget_editor(owner); }, parent));
      budget_done = true;
      continue;
    }
    add_row(new FormRow(with_own_label(setting), &make_editor, parent));
  }
}

void FormView::add_row(FormRow* row) {
  const QString id = QString::fromStdString(row->setting().section);
  auto found = std::find_if(sections_.begin(), sections_.end(), [&](const FormSection& s) { return s.id == id; });
  if (found == sections_.end()) {
    sections_.push_back({id, QString::fromStdString(row->setting().section_label)});
    Section part;
    part.heading = new QLabel(sections_.back().label, this);
    set_role(part.heading, "heading");
    part.heading->setContentsMargins(0, sizes::gap4, 0, sizes::gap1);
    column_->addWidget(part.heading);
    parts_.push_back(part);
    found = std::prev(sections_.end());
  }
  Section& part = parts_[static_cast<std::size_t>(found - sections_.begin())];
  // A section's rows stay together even when its settings are not.
  const int after = column_->indexOf(part.rows.empty() ? static_cast<QWidget*>(part.heading) : part.rows.back());
  column_->insertWidget(after + 1, row);
  part.rows.push_back(row);
  by_path_[row->path()] = row;
  connect_row(row);
}

void FormView::connect_row(FormRow* row) {
  const QString label = QString::fromStdString(row->setting().label);
  const QString words = tr("Change %1").arg(label);
  connect(row, &FormRow::edited, this,
          [this, row, words](const Json& value) { draft_.set_value(row->path(), value, words); });
  connect(row, &FormRow::back_clicked, this, [this, row, words] {
    draft_.reset_value(row->path(), words);
    row->take_focus();
  });
  connect(row, &FormRow::cure_clicked, this, [this, row, words] {
    draft_.reset_value(row->path(), words);
    row->take_focus();
  });
}

FormRow* FormView::row(const std::string& path) const {
  const auto found = by_path_.find(path);
  return found == by_path_.end() ? nullptr : found->second;
}

FormRow* FormView::row_for_problem(const std::string& path) const {
  std::string key = path.substr(0, path.find('['));
  while (!key.empty()) {
    if (FormRow* exact = row(key)) return exact;
    for (const auto& [name, candidate] : by_path_)
      if (name.starts_with(key + '.')) return candidate;
    const auto dot = key.rfind('.');
    key = dot == std::string::npos ? std::string() : key.substr(0, dot);
  }
  return nullptr;
}

std::vector<FormRow*> FormView::rows() const {
  std::vector<FormRow*> all;
  for (const Section& part : parts_) all.insert(all.end(), part.rows.begin(), part.rows.end());
  return all;
}

void FormView::update_rows(const std::vector<std::string>& paths) {
  const auto update = [&](FormRow* row) {
    row->show_value(draft_.value(row->path()));
    row->set_changed(draft_.is_changed(row->path()), value_words(row->path(), draft_.base_value(row->path())));
  };
  if (paths.empty()) {
    for (FormRow* row : rows()) update(row);
  } else {
    for (const std::string& path : paths)
      if (FormRow* found = row(path)) update(found);
  }
  update_notes();
  update_visibility();
}

void FormView::update_notes() {
  if (FormRow* batch = row("batch.size")) {
    const Json size = draft_.value("batch.size");
    const bool known = size.is_number_integer() && size.get<std::int64_t>() > 1;
    batch->set_note(known ? tr("%1 negatives for each picture.").arg(words::count(size.get<std::int64_t>() - 1))
                          : QString());
  }
  if (FormRow* place = row("data.path")) place->editor()->set_picks_file(draft_.value("data.source") == "table");
  if (FormRow* place = row("data.validation_path"))
    place->editor()->set_picks_file(draft_.value("data.source") == "table");
}

void FormView::set_filter(const QString& text) {
  words_ = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  forced_ = nullptr;
  update_visibility();
}

void FormView::set_show_all(bool all) {
  all_ = all;
  update_visibility();
}

void FormView::update_visibility() {
  const Json document = draft_.document();
  bool any = false;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    bool section = false;
    for (FormRow* row : parts_[i].rows) {
      const bool relevant = is_relevant(row->setting(), document);
      const bool asked = all_ || row->setting().level == Level::basic || row->is_changed() ||
                         !row->problem().isEmpty() || !words_.isEmpty() || row == forced_;
      const bool show = relevant && asked && row->matches(words_);
      row->setVisible(show);
      section = section || show;
    }
    parts_[i].heading->setVisible(section);
    sections_[i].visible = section;
    any = any || section;
  }
  nothing_->setVisible(!any);
  if (!any) nothing_->setText(tr("No setting matches “%1”.").arg(words_.join(QLatin1Char(' '))));
  Q_EMIT sections_changed();
}

int FormView::visible_rows() const {
  int count = 0;
  for (const FormRow* row : rows()) count += row->isHidden() ? 0 : 1;
  return count;
}

void FormView::show_problems(const Problems& problems) {
  std::map<FormRow*, const Problem*> first;
  for (const Problem& problem : problems)
    if (FormRow* found = row_for_problem(problem.path)) first.emplace(found, &problem);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    sections_[i].problems = 0;
    for (FormRow* row : parts_[i].rows) {
      const auto found = first.find(row);
      if (found == first.end()) {
        if (!row->problem().isEmpty()) row->set_problem({}, {});
        continue;
      }
      ++sections_[i].problems;
      const QString back = row->is_changed() ? value_words(row->path(), draft_.base_value(row->path())) : QString();
      const QString words = field_words(*found->second);
      row->set_problem(words, back);
    }
  }
  update_visibility();
}

void FormView::jump_to_section(int index) {
  if (index < 0 || index >= static_cast<int>(parts_.size())) return;
  widget()->layout()->activate();
  verticalScrollBar()->setValue(parts_[static_cast<std::size_t>(index)].heading->y() - sizes::gap1);
  for (FormRow* row : parts_[static_cast<std::size_t>(index)].rows) {
    if (row->isHidden()) continue;
    row->editor()->control()->setFocus(Qt::OtherFocusReason);
    break;
  }
  if (current_ != index) {
    current_ = index;
    Q_EMIT current_section_changed(index);
  }
}

void FormView::jump_to_row(FormRow* row) {
  forced_ = row;
  if (!row->matches(words_)) {
    words_.clear();
    Q_EMIT find_cleared();
  }
  update_visibility();
  widget()->layout()->activate();
  ensureWidgetVisible(row, 0, height() / 3);
  row->take_focus();
}

int FormView::current_section() const { return current_; }

void FormView::scrolled() {
  const int top = verticalScrollBar()->value() + sizes::gap4 * 2;
  int found = -1;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (!sections_[i].visible) continue;
    if (found < 0 || parts_[i].heading->y() <= top) found = static_cast<int>(i);
  }
  // The end of the page belongs to its last section, however short that is.
  if (verticalScrollBar()->maximum() > 0 && verticalScrollBar()->value() == verticalScrollBar()->maximum())
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (sections_[i].visible) found = static_cast<int>(i);
  if (found < 0 || found == current_) return;
  current_ = found;
  Q_EMIT current_section_changed(found);
}

}  // namespace disco::ui
