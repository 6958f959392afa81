// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <array>
#include <memory>

#include "ui/inspect/prediction_model.h"
#include "ui/inspect/thumbnails.h"
#include "ui/shell/page.h"

class QComboBox;
class QLabel;
class QListView;
class QPushButton;
class QSlider;
class QStackedWidget;

namespace disco::ui {

class EmptyState;
class EnlargeView;
class PredictionDelegate;
struct RunSnapshot;

/// Predictions: what the model says about the watched pictures, at any step of the run.
class PredictionsPage : public Page {
  Q_OBJECT

 public:
  explicit PredictionsPage(PageContext& context, QWidget* parent = nullptr);

  void activate() override;
  void deactivate() override;
  [[nodiscard]] QStringList tabs() const override { return {QStringLiteral("watched")}; }
  bool show_tab(const QString& id) override { return id == QStringLiteral("watched"); }
  [[nodiscard]] QString current_tab() const override { return QStringLiteral("watched"); }
  bool show_state(const QString& state) override;
  [[nodiscard]] bool settled() const override;

  [[nodiscard]] PredictionModel& model() { return model_; }
  [[nodiscard]] QListView& gallery() { return *gallery_; }
  [[nodiscard]] EnlargeView& enlarged() { return *enlarged_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build_head(class QVBoxLayout* page);
  void build_time_line(class QVBoxLayout* page);
  void build_gallery();
  void connect_all();
  void take(const std::shared_ptr<const RunSnapshot>& snapshot);
  void show_stop();
  void show_place();
  void go_to_stop(int stop);
  void follow_latest();
  void play();
  void lay_out_cards();
  void cancel_hidden_pictures();

  PageContext& context_;
  PredictionModel model_;
  Thumbnails pictures_;
  std::shared_ptr<const RunSnapshot> snapshot_;
  std::shared_ptr<const PredictionEvents> taken_;
  bool latest_ = true;
  bool active_ = false;
  QString shown_state_;
  QTimer play_timer_;
  QTimer loading_delay_;

  std::array<QPushButton*, 4> filters_{};
  QComboBox* sort_;
  QWidget* time_line_;
  QPushButton* back_;
  QPushButton* forward_;
  QPushButton* play_;
  QSlider* slider_;
  QLabel* step_;
  QPushButton* latest_button_;
  QStackedWidget* places_;
  QListView* gallery_;
  PredictionDelegate* delegate_;
  EmptyState* empty_;
  EnlargeView* enlarged_;
};

/// For PageSpec::make.
[[nodiscard]] Page* make_predictions_page(PageContext& context);

}  // namespace disco::ui
