// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>
#include <vector>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace disco::ui {

class PredictionModel;
class ProbabilityChart;
class Thumbnails;

/// One watched picture, large, over the page: at its own size and as the model sees it, all captions whole, and each
/// candidate's probability over training. ← → other pictures, Ctrl+← → other steps, Esc back to where it was.
class EnlargeView : public QWidget {
  Q_OBJECT

 public:
  EnlargeView(PredictionModel& model, Thumbnails& pictures, QWidget* page);
  void open(int row);
  [[nodiscard]] const QString& id() const { return id_; }

 Q_SIGNALS:
  void stop_wanted(int stop);
  void closed(int row);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  bool focusNextPrevChild(bool next) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct CaptionRow {
    QWidget* box;
    QLabel* caption;
    QLabel* percent;
    class Meter* bar;
  };
  void show_card();
  void show_pictures();
  void show_captions();
  void show_chart();
  void step_picture(int direction);
  void close_view();
  void place();

  PredictionModel& model_;
  Thumbnails& pictures_;
  QPointer<QWidget> focus_before_;
  QString id_;
  QWidget* panel_;
  QLabel* title_;
  QLabel* picture_;
  QLabel* view_;
  QLabel* picture_note_;
  QLabel* view_note_;
  QVBoxLayout* captions_;
  std::vector<CaptionRow> rows_;
  ProbabilityChart* chart_;
  QPushButton* before_;
  QPushButton* next_;
  QPushButton* close_;
};

}  // namespace disco::ui
