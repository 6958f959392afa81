// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <memory>
#include <vector>

#include "ui/runs/trash.h"
#include "ui/shell/page.h"

class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace disco::ui {

class Banner;
class EmptyState;
class RunDetail;
class RunsModel;
class RunsOrder;
struct WorkspaceSnapshot;

/// Runs: what there is, what is going on, what failed. One table of the workspace and the selected run below it.
class RunsPage : public Page {
  Q_OBJECT

 public:
  explicit RunsPage(PageContext& context, QWidget* parent = nullptr);

  void activate() override;
  void deactivate() override;
  /// Shows the runs that a filter lets through ("state:live"), as the strip asks for them.
  bool show_tab(const QString& filter) override;
  bool show_state(const QString& state) override;
  [[nodiscard]] bool settled() const override;

  [[nodiscard]] QTableView& table() { return *table_; }
  [[nodiscard]] QLineEdit& filter() { return *filter_; }
  /// Trashes runs without asking; each can be brought back.
  void trash(const QStringList& paths);
  void undo_trash();

 private:
  void build_head(class QVBoxLayout* page);
  void build_table();
  void connect_all();
  void handle_actions();
  void take(const std::shared_ptr<const WorkspaceSnapshot>& snapshot);
  void show_place();
  void show_heading();
  void selection_changed();
  void open_selected(const QString& page, const QString& tab = {});
  void resume_selected();
  void duplicate_selected();
  void rename_selected();
  void rename(const QString& path, const QString& name);
  void toggle_pin();
  void fill_menu();
  void train_cartoons();
  void train_pictures();
  void store_view();
  void restore_view();
  [[nodiscard]] QStringList selected_paths() const;
  [[nodiscard]] int selected_row() const;  ///< of the model; -1 unless exactly one is selected

  PageContext& context_;
  std::shared_ptr<const WorkspaceSnapshot> snapshot_;
  QString shown_state_;  ///< a state forced for a screenshot
  std::vector<std::vector<TrashedFolder>> trashed_;
  QString still_training_;
  QTimer clock_;

  QLabel* heading_;
  QLineEdit* filter_;
  QPushButton* columns_;
  QPushButton* new_run_;
  Banner* banner_;
  QStackedWidget* places_;
  QTableView* table_;
  EmptyState* empty_;
  EmptyState* nothing_fits_;
  EmptyState* problem_;
  EmptyState* loading_;
  RunDetail* detail_;
  RunsModel* model_;
  RunsOrder* order_;
  QMenu* menu_;
};

/// For PageSpec::make.
[[nodiscard]] Page* make_runs_page(PageContext& context);

}  // namespace disco::ui
