// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QStringList>
#include <QStyledItemDelegate>
#include <optional>
#include <vector>

#include "engine/run/serve_protocol.h"

namespace disco::ui {

/// A caption of Try it and what the model said about it; figures are missing until it was asked.
struct RankedCaption {
  QString text;
  std::optional<double> probability;
  std::optional<double> similarity;
  QString cut;  ///< the end that the model does not see
};

/// The captions of Try it, ranked when an answer comes; edits keep their place until the next answer.
class CaptionModel : public QAbstractListModel {
  Q_OBJECT

 public:
  using QAbstractListModel::QAbstractListModel;

  /// Adds the lines of a text that are not there yet; returns how many were new.
  int add(const QString& lines);
  void remove(int row);
  void set_captions(const QStringList& captions);
  [[nodiscard]] QStringList captions() const;
  [[nodiscard]] const RankedCaption& caption(int row) const { return captions_[static_cast<std::size_t>(row)]; }
  /// Takes the answer to a question about exactly `asked`, and ranks. Answers about other captions only fill in what
  /// they know.
  void take(const QStringList& asked, const RankAnswer& answer);
  /// Forgets all figures: another picture, or another checkpoint.
  void clear_figures();

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 Q_SIGNALS:
  /// Captions were added, removed or edited.
  void captions_changed();

 private:
  std::vector<RankedCaption> captions_;
};

/// Paints a caption over its bar, with its share, and what of it is cut.
class CaptionDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  explicit CaptionDelegate(const CaptionModel& captions, QObject* parent = nullptr);
  void set_context_length(int tokens) { context_length_ = tokens; }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const override;

 private:
  [[nodiscard]] QString cut_words(const RankedCaption& caption) const;
  [[nodiscard]] int text_width(int row_width) const;

  const CaptionModel& captions_;
  int context_length_ = 0;
};

}  // namespace disco::ui
