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
  /// Height of every card with what the model holds now.
  [[nodiscard]] int card_height() const;

 private:
  void paint_picture(QPainter& painter, const QRect& box, const QString& path) const;
  void paint_candidate(QPainter& painter, const QRect& row, const CandidateView& candidate) const;
  [[nodiscard]] int row_height() const;

  const PredictionModel& model_;
  Thumbnails& pictures_;
};

}  // namespace disco::ui
