// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include "ui/live/axis_labels.h"
#include "ui/live/chart_layers.h"
#include "ui/live/chart_spec.h"
#include "ui/live/plot_group.h"

namespace disco::ui {

/// The axes of one chart with everything in them, mouse and keyboard included. What it shows comes from outside
/// (set_data); what it needs it says (data_wanted).
class ChartPlot : public QCustomPlot {
  Q_OBJECT

 public:
  ChartPlot(ChartSpec spec, PlotGroup& group, QWidget* parent = nullptr);

  [[nodiscard]] const ChartSpec& spec() const { return spec_; }
  void set_spec(ChartSpec spec);
  void set_data(std::shared_ptr<const ReducedChart> reduced);
  [[nodiscard]] const ChartLook& look() const { return look_; }
  [[nodiscard]] PlotGroup& group() const { return group_; }

  [[nodiscard]] bool log() const { return look_.log; }
  void set_log(bool log);
  void set_hidden(std::vector<bool> hidden);
  void set_hovered(int curve);
  /// The plain wheel zooms; for places that do not scroll.
  void set_wheel_zooms(bool zooms) { wheel_zooms_ = zooms; }
  /// Whether the person set x or y, so that new data does not move it.
  [[nodiscard]] bool held() const { return y_held_ || group_.held(); }
  void follow();

  /// Values at the cross-hair, else the latest; by curve.
  [[nodiscard]] std::vector<double> values() const;
  /// The unit behind the title for what is in view.
  [[nodiscard]] QString unit_words() const;
  /// Pixel columns a reduction should have.
  [[nodiscard]] int pixel_columns() const;
  /// Draws the plot in one of the two themes, without its cross-hair; the one on screen stays as it is.
  void draw_for_export(QCPPainter& painter, bool dark);
  /// The chart in a sentence, for screen readers.
  [[nodiscard]] QString description() const;

 Q_SIGNALS:
  void view_changed();  ///< held or not, log or not, values, unit
  void enlarge_wanted();
  void copy_wanted();
  void toggle_wanted(int curve);
  void menu_wanted(const QPoint& global);
  void plain_wheel();      ///< the wheel went to the page; a hint may be due
  void columns_changed();  ///< pixel_columns() is another: data reduced for the old one looks coarse or is too much

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  enum class Drag { none, box, pan };

  void dress();
  void dress_as(bool dark);
  void fit_y();
  [[nodiscard]] Span y_span() const;
  void show_cursor();
  void range_chosen();
  void zoom_x(double factor, double at_x);
  void zoom_y(double factor, double at_y);
  void end_box(const QPoint& at);
  void pan_to(const QPoint& at);
  void move_fast();
  /// What a mark near a place stands for; empty where there is none.
  [[nodiscard]] QString mark_words(const QPoint& at) const;
  void step_cursor(int direction, Qt::KeyboardModifiers modifiers);

  ChartSpec spec_;
  PlotGroup& group_;
  ChartLook look_;
  QSharedPointer<ShortTicker> x_ticker_;
  QSharedPointer<ShortTicker> y_ticker_;
  CrossHair* cross_hair_ = nullptr;
  QTimer settle_;    ///< antialiasing comes back when a drag rests
  QTimer describe_;  ///< the accessible name is renewed at most every 5 s
  Drag drag_ = Drag::none;
  QPoint press_;
  Span press_x_;
  QCPRange press_y_;
  bool moved_ = false;
  bool y_held_ = false;
  bool fit_wanted_ = true;
  bool wheel_zooms_ = false;
  bool ring_ = true;  ///< the focus came by keyboard
};

}  // namespace disco::ui
