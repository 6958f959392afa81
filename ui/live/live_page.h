// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/plot_group.h"
#include "ui/shell/page.h"
#include "ui/shell/run_watch.h"

class QComboBox;
class QLabel;
class QMenu;
class QPushButton;
class QSlider;
class QStackedWidget;
class QTabBar;
class QToolButton;

namespace disco::ui {

class Banner;
class CheckpointsTab;
class CurvesTab;
class EmptyState;
class LogTab;

/// Live: is it learning, how fast, is it healthy?
class LivePage : public Page {
  Q_OBJECT

 public:
  explicit LivePage(PageContext& context);

  void activate() override;
  void deactivate() override;
  [[nodiscard]] QStringList tabs() const override;
  bool show_tab(const QString& id) override;
  [[nodiscard]] QString current_tab() const override;
  bool show_state(const QString& state) override;
  [[nodiscard]] bool settled() const override;

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build_head();
  void build_tools(QWidget* tools);
  void build_export_menu();
  void refresh_metrics_menu();
  void take(const std::shared_ptr<const RunSnapshot>& snapshot);
  void show_snapshot(const std::shared_ptr<const RunSnapshot>& snapshot);
  void refresh_state_banner(const RunSnapshot& snapshot);
  void refresh_file_banner(const RunSnapshot& snapshot);
  void tab_changed(int index);
  void smoothing_moved(int position);
  void take_smoothing();
  void say_smoothing();
  void use_more_loaders(int threads);
  void resume();
  void show_run_folder();
  void fit_head();

  PageContext& context_;
  PlotGroup group_;
  QTabBar* tab_bar_;
  QWidget* tools_;
  QComboBox* axis_;
  QLabel* axis_label_;
  QLabel* smoothing_label_;
  QSlider* smoothing_;
  QLabel* smoothing_value_;
  QPushButton* log_;
  QPushButton* metrics_;
  QPushButton* export_;
  QMenu* metrics_menu_;
  Banner* state_banner_;
  Banner* file_banner_;
  QWidget* content_;
  QStackedWidget* stack_;  ///< the tabs
  QStackedWidget* whole_;  ///< content, or "nothing to watch yet"
  EmptyState* empty_;
  CurvesTab* curves_;
  CheckpointsTab* checkpoints_;
  LogTab* log_tab_;
  std::shared_ptr<const RunSnapshot> snapshot_;
  QString forced_state_;  ///< of a screenshot
  bool active_ = false;
};

/// For PageSpec::make.
[[nodiscard]] Page* make_live_page(PageContext& context);

}  // namespace disco::ui
