// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/form/draft.h"
#include "ui/form/form_check.h"
#include "ui/shell/page.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace disco::ui {

class Banner;
class BeforeStart;
class Card;
class ElidedLabel;
class FormRow;
class FormView;
class SectionList;

/// New run: what will be trained, will it fit, how long. One draft, on the disk after every change.
class NewRunPage : public Page {
  Q_OBJECT

 public:
  /// `draft_file` empty: the person's own.
  explicit NewRunPage(PageContext& context, const QString& draft_file = {}, QWidget* parent = nullptr);

  void activate() override;
  void deactivate() override;
  bool show_state(const QString& state) override;
  [[nodiscard]] bool settled() const override;

  [[nodiscard]] Draft& draft() { return draft_; }
  [[nodiscard]] FormView& form() { return *form_; }
  /// The name the run would get: the person's, else the next free one of the preset.
  [[nodiscard]] QString run_name() const;
  /// The exact command of what is on the page.
  [[nodiscard]] QString command() const;
  /// Starts the run, or goes to the first problem.
  void start();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build_head(class QVBoxLayout* page);
  void build_start_card();
  void build_footer(class QVBoxLayout* page);
  void connect_all();
  void take_proposal();
  void draft_changed();
  void show_name();
  void show_check(const CheckedConfig& checked);
  void show_problems();
  void show_changes();
  void go_to_problem(int index);
  void lay_out();
  void toggle_panel();
  [[nodiscard]] QString name_problem() const;
  /// The next free name made from another: "cartoons-4" from "cartoons" or "cartoons-2".
  [[nodiscard]] QString free_name(const QString& name) const;
  [[nodiscard]] Problems all_problems() const;

  PageContext& context_;
  Draft draft_;
  FormCheck check_;
  CheckedConfig checked_;
  Problems problems_;
  Problem data_problem_;
  bool has_check_ = false;
  QString starting_;   ///< folder of the run that was started last
  QString free_name_;  ///< what [Use] at a taken name sets

  QLabel* saved_;
  QLineEdit* find_;
  QCheckBox* all_;
  QComboBox* section_menu_;
  Banner* banner_;
  Card* sections_card_;
  SectionList* sections_;
  FormView* form_;
  QComboBox* preset_;
  QLabel* preset_help_;
  QLabel* changed_;
  QPushButton* undo_all_;
  FormRow* name_;
  Card* panel_card_;
  BeforeStart* panel_;
  QWidget* bar_;
  ElidedLabel* bar_words_;
  QPushButton* bar_button_;
  QListWidget* problem_list_;
  QPushButton* problem_button_;
  QPushButton* measure_;
  QPushButton* start_;
};

/// The preset from which `config` differs in the fewest settings.
[[nodiscard]] QString nearest_preset(const std::vector<Preset>& presets, const Json& config);

/// For PageSpec::make.
[[nodiscard]] Page* make_new_run_page(PageContext& context);

}  // namespace disco::ui
