// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QHash>
#include <QString>
#include <memory>
#include <vector>

#include "engine/run/events.h"

namespace disco::ui {

using PredictionEvents = std::vector<std::shared_ptr<const PredictionEvent>>;

/// A candidate as a card shows it.
struct CandidateView {
  int index = 0;  ///< in the item
  QString label;  ///< differing words, or the whole caption; empty for the right one
  bool right = false;
  bool winner = false;
  double probability = 0;
};

/// One watched picture at one step.
struct CardView {
  QString id;
  QString image;  ///< absolute path
  QString view;
  QString truth;
  std::vector<CandidateView> candidates;  ///< the right one first; at most `shown_candidates`
  bool right = false;                     ///< the winner is the right caption
  bool changed = false;                   ///< another winner than at the stop before
};

inline constexpr int shown_candidates = 5;

/// Index of the largest probability; -1 for none.
[[nodiscard]] int winner_of(const PredictionItem& item);
/// The card of an item; `before` is the same picture one stop earlier, or null.
[[nodiscard]] CardView make_card(const QString& run_folder, const PredictionItem& item, const PredictionItem* before);

enum class PredictionFilter { all, right, wrong, changed };
enum class PredictionSort { watched, most_wrong, least_sure };

/// The watched pictures at one stop of the slider, filtered and in an order that only a new choice of order changes.
class PredictionModel : public QAbstractListModel {
  Q_OBJECT

 public:
  explicit PredictionModel(QObject* parent = nullptr);

  /// Events by step; the stop stays at the same step where it can.
  void set_events(const QString& run_folder, std::shared_ptr<const PredictionEvents> events);
  [[nodiscard]] int stops() const { return events_ ? static_cast<int>(events_->size()) : 0; }
  void set_stop(int stop);
  [[nodiscard]] int stop() const { return stop_; }
  [[nodiscard]] const PredictionEvent* event() const;
  [[nodiscard]] const PredictionEvent* event_at(int stop) const;

  void set_filter(PredictionFilter filter);
  [[nodiscard]] PredictionFilter filter() const { return filter_; }
  void set_sort(PredictionSort sort);
  /// Pictures that a filter would show at this stop.
  [[nodiscard]] int count(PredictionFilter filter) const;

  [[nodiscard]] const CardView& card(int row) const {
    return cards_[static_cast<std::size_t>(shown_[static_cast<std::size_t>(row)])];
  }
  [[nodiscard]] int row_of(const QString& id) const;
  /// The picture's item at a stop, or null.
  [[nodiscard]] const PredictionItem* item_at(const QString& id, int stop) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

 Q_SIGNALS:
  /// Another stop, other counts, or other events.
  void stop_changed();

 private:
  void make_cards();
  void make_order();
  void make_shown();
  [[nodiscard]] static bool passes(const CardView& card, PredictionFilter filter);

  QString folder_;
  std::shared_ptr<const PredictionEvents> events_;
  int stop_ = -1;
  PredictionFilter filter_ = PredictionFilter::all;
  PredictionSort sort_ = PredictionSort::watched;
  std::vector<CardView> cards_;  ///< in the event's order
  std::vector<QString> order_;   ///< ids in the chosen order
  std::vector<int> shown_;       ///< rows: indices of cards_
};

}  // namespace disco::ui
