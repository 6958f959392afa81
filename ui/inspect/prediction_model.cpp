// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/prediction_model.h"

#include <QDir>
#include <algorithm>

#include "ui/inspect/differing_words.h"
#include "ui/theme/words.h"

namespace disco::ui {

namespace {

QString qtext(const std::string& text) { return QString::fromStdString(text); }

const PredictionItem* find_item(const PredictionEvent& event, const std::string& id) {
  const auto found =
      std::find_if(event.items.begin(), event.items.end(), [&](const auto& item) { return item.id == id; });
  return found == event.items.end() ? nullptr : &*found;
}

double right_probability(const CardView& card) {
  return card.candidates.empty() ? 0 : card.candidates.front().probability;
}

double lead(const CardView& card) {
  double best = 0;
  double second = 0;
  for (const CandidateView& candidate : card.candidates) {
    if (candidate.probability > best) {
      second = best;
      best = candidate.probability;
    } else {
      second = std::max(second, candidate.probability);
    }
  }
  return best - second;
}

}  // namespace

int winner_of(const PredictionItem& item) {
  if (item.probabilities.empty()) return -1;
  return static_cast<int>(std::max_element(item.probabilities.begin(), item.probabilities.end()) -
                          item.probabilities.begin());
}

CardView make_card(const QString& run_folder, const PredictionItem& item, const PredictionItem* before) {
  CardView card;
  const QDir folder(run_folder);
  card.id = qtext(item.id);
  card.image = item.image.empty() ? QString() : folder.filePath(qtext(item.image));
  card.view = item.view.empty() ? QString() : folder.filePath(qtext(item.view));
  const int count = static_cast<int>(std::min(item.candidates.size(), item.probabilities.size()));
  if (item.correct < 0 || item.correct >= count) return card;
  const int winner = winner_of(item);
  card.truth = qtext(item.candidates[static_cast<std::size_t>(item.correct)]);
  card.right = winner == item.correct;
  card.changed = before != nullptr && winner_of(*before) != winner;

  std::vector<int> others;
  for (int i = 0; i < count; ++i)
    if (i != item.correct) others.push_back(i);
  if (static_cast<int>(others.size()) > shown_candidates - 1) {
    std::stable_sort(others.begin(), others.end(), [&](int a, int b) {
      return item.probabilities[static_cast<std::size_t>(a)] > item.probabilities[static_cast<std::size_t>(b)];
    });
    others.resize(shown_candidates - 1);
    std::sort(others.begin(), others.end());
  }
  others.insert(others.begin(), item.correct);
  for (const int i : others) {
    const QString caption = qtext(item.candidates[static_cast<std::size_t>(i)]);
    CandidateView view;
    view.index = i;
    view.right = i == item.correct;
    view.winner = i == winner;
    view.probability = item.probabilities[static_cast<std::size_t>(i)];
    if (!view.right) view.label = short_label(card.truth, caption);
    card.candidates.push_back(std::move(view));
  }
  return card;
}

PredictionModel::PredictionModel(QObject* parent) : QAbstractListModel(parent) {}

const PredictionEvent* PredictionModel::event_at(int stop) const {
  return events_ && stop >= 0 && stop < stops() ? (*events_)[static_cast<std::size_t>(stop)].get() : nullptr;
}

const PredictionEvent* PredictionModel::event() const { return event_at(stop_); }

void PredictionModel::set_events(const QString& run_folder, std::shared_ptr<const PredictionEvents> events) {
  const bool other_run = run_folder != folder_;
  const PredictionEvent* before = event();
  const std::int64_t step = before != nullptr ? before->step : -1;
  const bool at_end = stop_ < 0 || stop_ == stops() - 1;
  folder_ = run_folder;
  events_ = std::move(events);
  int next = stops() - 1;
  if (!other_run && !at_end)
    for (int i = 0; i < stops(); ++i)
      if (event_at(i)->step <= step) next = i;
  if (other_run) order_.clear();
  stop_ = next;
  make_cards();
}

void PredictionModel::set_stop(int stop) {
  stop = std::clamp(stop, 0, std::max(0, stops() - 1));
  if (stop == stop_ || stops() == 0) return;
  stop_ = stop;
  make_cards();
}

void PredictionModel::make_cards() {
  cards_.clear();
  const PredictionEvent* now = event();
  const PredictionEvent* before = event_at(stop_ - 1);
  if (now != nullptr)
    for (const PredictionItem& item : now->items) {
      cards_.push_back(make_card(folder_, item, before != nullptr ? find_item(*before, item.id) : nullptr));
    }
  if (order_.empty()) make_order();
  make_shown();
}

void PredictionModel::make_order() {
  std::vector<int> rows(cards_.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int>(i);
  const auto by = [&](auto key) {
    std::stable_sort(rows.begin(), rows.end(), [&](int a, int b) {
      return key(cards_[static_cast<std::size_t>(a)]) < key(cards_[static_cast<std::size_t>(b)]);
    });
  };
  if (sort_ == PredictionSort::most_wrong) by(right_probability);
  if (sort_ == PredictionSort::least_sure) by(lead);
  order_.clear();
  for (const int row : rows) order_.push_back(cards_[static_cast<std::size_t>(row)].id);
}

bool PredictionModel::passes(const CardView& card, PredictionFilter filter) {
  switch (filter) {
    case PredictionFilter::all:
      return true;
    case PredictionFilter::right:
      return card.right;
    case PredictionFilter::wrong:
      return !card.right;
    case PredictionFilter::changed:
      return card.changed;
  }
  return true;
}

void PredictionModel::make_shown() {
  QHash<QString, int> place;
  for (std::size_t i = 0; i < order_.size(); ++i) place.insert(order_[i], static_cast<int>(i));
  std::vector<int> shown;
  for (std::size_t i = 0; i < cards_.size(); ++i)
    if (passes(cards_[i], filter_)) shown.push_back(static_cast<int>(i));
  std::stable_sort(shown.begin(), shown.end(), [&](int a, int b) {
    const auto at = [&](int row) {
      return place.value(cards_[static_cast<std::size_t>(row)].id, static_cast<int>(order_.size()) + row);
    };
    return at(a) < at(b);
  });
  // The same rows: only their content changed, so that scrolling and selection stay.
  if (shown.size() == shown_.size()) {
    shown_ = std::move(shown);
    if (!shown_.empty()) Q_EMIT dataChanged(index(0), index(static_cast<int>(shown_.size()) - 1));
  } else {
    beginResetModel();
    shown_ = std::move(shown);
    endResetModel();
  }
  Q_EMIT stop_changed();
}

void PredictionModel::set_filter(PredictionFilter filter) {
  if (filter == filter_) return;
  filter_ = filter;
  make_shown();
}

void PredictionModel::set_sort(PredictionSort sort) {
  sort_ = sort;
  make_order();
  make_shown();
}

int PredictionModel::count(PredictionFilter filter) const {
  return static_cast<int>(
      std::count_if(cards_.begin(), cards_.end(), [&](const CardView& card) { return passes(card, filter); }));
}

int PredictionModel::row_of(const QString& id) const {
  for (int row = 0; row < rowCount(); ++row)
    if (card(row).id == id) return row;
  return -1;
}

const PredictionItem* PredictionModel::item_at(const QString& id, int stop) const {
  const PredictionEvent* found = event_at(stop);
  return found == nullptr ? nullptr : find_item(*found, id.toStdString());
}

int PredictionModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QVariant PredictionModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const CardView& shown = card(index.row());
  if (role == Qt::ToolTipRole) return shown.truth;
  if (role != Qt::AccessibleTextRole && role != Qt::DisplayRole) return {};
  const double right = right_probability(shown);
  return shown.right ? tr("%1: right, %2").arg(shown.truth, words::percent(right, 0))
                     : tr("%1: wrong, the right caption has %2").arg(shown.truth, words::percent(right, 0));
}

}  // namespace disco::ui
