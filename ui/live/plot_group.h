// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

#include "ui/live/reduce.h"

namespace disco::ui {

/// What all charts of a page share: the x axis, its range, smoothing, and the cross-hair. GUI thread.
class PlotGroup : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  [[nodiscard]] XAxis axis() const { return axis_; }
  void set_axis(XAxis axis);
  [[nodiscard]] double weight() const { return weight_; }
  void set_weight(double weight);

  /// The range in view. While it follows, it is the whole run; once held, only the person moves it.
  [[nodiscard]] Span range() const { return held_ ? range_ : whole_; }
  [[nodiscard]] Span whole() const { return whole_; }
  [[nodiscard]] bool held() const { return held_; }
  /// New data: moves the view only while it follows.
  void set_whole(Span whole);
  void hold(double low, double high);
  void follow();

  /// The cross-hair's place; nothing when there is none.
  [[nodiscard]] std::optional<double> cursor() const { return cursor_; }
  [[nodiscard]] bool pinned() const { return pinned_; }
  /// Moves the cross-hair unless it is pinned; `force` moves a pinned one too (keyboard).
  void set_cursor(std::optional<double> x, bool force = false);
  void set_pinned(bool pinned);

 Q_SIGNALS:
  void axis_changed();
  void weight_changed();
  /// The person chose another range, or followed again.
  void range_chosen();
  void cursor_moved();

 private:
  XAxis axis_ = XAxis::step;
  double weight_ = 0.9;
  Span whole_;
  Span range_;
  bool held_ = false;
  std::optional<double> cursor_;
  bool pinned_ = false;
};

}  // namespace disco::ui
