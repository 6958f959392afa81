// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QScrollArea>
#include <QString>
#include <map>
#include <string>
#include <vector>

#include "engine/base/json.h"

class QLabel;
class QVBoxLayout;

namespace disco::ui {

class Draft;
class FormRow;

/// A group of rows with its heading, as the list of sections shows it.
struct FormSection {
  QString id;
  QString label;
  int problems = 0;
  bool visible = true;
};

/// The scrolling form: one row for each setting, made from settings(), the budget as one row. Edits go into the draft;
/// the draft's changes come back into the rows.
class FormView : public QScrollArea {
  Q_OBJECT

 public:
  explicit FormView(Draft& draft, QWidget* parent = nullptr);

  /// Room above the first section, for the choice of a preset.
  [[nodiscard]] QVBoxLayout* head() const { return head_; }
  [[nodiscard]] const std::vector<FormSection>& sections() const { return sections_; }
  [[nodiscard]] FormRow* row(const std::string& path) const;
  /// The row that a problem's path belongs to: itself, or the nearest above it; null when there is none.
  [[nodiscard]] FormRow* row_for_problem(const std::string& path) const;
  [[nodiscard]] std::vector<FormRow*> rows() const;

  /// Words to look for; while there are any, advanced rows are searched as well.
  void set_filter(const QString& text);
  void set_show_all(bool all);
  [[nodiscard]] int visible_rows() const;
  void show_problems(const Problems& problems);
  void jump_to_section(int index);
  /// Scrolls to the row, shows it if it is hidden as advanced, and gives it the focus.
  void jump_to_row(FormRow* row);
  /// The section whose rows are at the top now.
  [[nodiscard]] int current_section() const;

 Q_SIGNALS:
  void sections_changed();
  void current_section_changed(int index);
  void find_cleared();

 private:
  struct Section {
    QLabel* heading = nullptr;
    std::vector<FormRow*> rows;
  };
  void add_rows();
  void add_row(FormRow* row);
  void connect_row(FormRow* row);
  void update_rows(const std::vector<std::string>& paths);
  void update_notes();
  void update_visibility();
  void scrolled();

  Draft& draft_;
  QVBoxLayout* head_;
  QVBoxLayout* column_;
  QLabel* nothing_;
  std::vector<FormSection> sections_;
  std::vector<Section> parts_;
  std::map<std::string, FormRow*> by_path_;
  QStringList words_;
  bool all_ = false;
  FormRow* forced_ = nullptr;  ///< shown although it is advanced, because someone jumped to it
  int current_ = 0;
};

/// What a person reads for a problem: at the field, and in the list with the field's label.
[[nodiscard]] QString field_words(const Problem& problem);
[[nodiscard]] QString list_words(const Problem& problem);

}  // namespace disco::ui
