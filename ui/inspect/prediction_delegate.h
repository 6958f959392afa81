// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace disco::ui {

struct CandidateView;
class PredictionModel;
class Thumbnails;

/// Paints a watched picture with its candidates as bars.
class PredictionDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  PredictionDelegate(const PredictionModel& model, Thumbnails& pictures, QObject* parent = nullptr);
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  /// Makes all cards as high as the one that needs most at this width; returns it. The gap between cards is part of
  /// both.
  int fit(int cell_width);

 private:
  void paint_picture(QPainter& painter, const QRect& box, const QString& path) const;
  void paint_candidate(QPainter& painter, const QRect& row, const CandidateView& candidate) const;
  [[nodiscard]] int lines_of(const CandidateView& candidate, int row_width) const;
  [[nodiscard]] int row_height(int lines) const;

  const PredictionModel& model_;
  Thumbnails& pictures_;
  int cell_height_ = 0;
};

}  // namespace disco::ui
