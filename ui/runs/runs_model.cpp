// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_model.h"

#include <QHash>
#include <algorithm>

#include "engine/base/json.h"
#include "ui/shell/run_words.h"
#include "ui/theme/words.h"

namespace disco::ui {

namespace {

QString qtext(const std::string& text) { return QString::fromStdString(text); }

QDateTime moment(double wall_seconds) {
  return QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(wall_seconds * 1000));
}

bool same(const RunStatus& a, const RunStatus& b) { return write_json(a) == write_json(b); }

}  // namespace

RunsModel::RunsModel(QObject* parent) : QAbstractTableModel(parent) {}

void RunsModel::set_runs(const std::vector<RunStatus>& runs, bool confirmed) {
  const bool greyness_changed = confirmed != confirmed_;
  confirmed_ = confirmed;
  QHash<QString, const RunStatus*> next;
  for (const RunStatus& run : runs) next.insert(qtext(run.path), &run);
  for (int row = static_cast<int>(runs_.size()) - 1; row >= 0; --row) {
    if (next.contains(qtext(run(row).path))) continue;
    beginRemoveRows({}, row, row);
    runs_.erase(runs_.begin() + row);
    endRemoveRows();
  }
  for (int row = 0; row < static_cast<int>(runs_.size()); ++row) {
    const RunStatus* fresh = next.take(qtext(run(row).path));
    if (!same(*fresh, run(row))) {
      runs_[static_cast<std::size_t>(row)] = *fresh;
    } else if (!greyness_changed) {
      continue;
    }
    Q_EMIT dataChanged(index(row, 0), index(row, column_count - 1));
  }
  std::vector<RunStatus> added;
  for (const RunStatus& run : runs)
    if (next.contains(qtext(run.path))) added.push_back(run);
  if (added.empty()) return;
  const int first = static_cast<int>(runs_.size());
  beginInsertRows({}, first, first + static_cast<int>(added.size()) - 1);
  runs_.insert(runs_.end(), added.begin(), added.end());
  endInsertRows();
  Q_EMIT run_appeared();
}

int RunsModel::row_of_path(const QString& path) const {
  for (std::size_t row = 0; row < runs_.size(); ++row)
    if (qtext(runs_[row].path) == path) return static_cast<int>(row);
  return -1;
}

void RunsModel::set_pinned(const QSet<QString>& ids) {
  pinned_ = ids;
  if (!runs_.empty()) Q_EMIT dataChanged(index(0, name_column), index(rowCount() - 1, name_column));
}

bool RunsModel::is_pinned(int row) const { return pinned_.contains(qtext(run(row).id)); }

int RunsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(runs_.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

QString RunsModel::text(const RunStatus& run, int column) const {
  switch (column) {
    case state_column:
      return chip_word(chip_state(run.state));
    case name_column:
      return qtext(run.name);
    case model_column:
      return qtext(run.model);
    case data_column:
      return qtext(run.data);
    case progress_column: {
      const double share = run_share(run);
      if (share >= 0) return words::percent(share, 0);
      return run.step > 0 ? tr("step %1").arg(words::count(run.step)) : QString();
    }
    case best_column:
      if (!run.best_value) return QStringLiteral("–");
      // The column is of accuracies; what is none says so.
      return run.best_metric.find("accuracy") != std::string::npos || run.best_metric.empty()
                 ? words::percent(*run.best_value)
                 : tr("R@1 %1").arg(words::percent(*run.best_value));
    case activity_column:
      return run.last_activity > 0 ? words::ago(moment(run.last_activity)) : QString();
    default:
      return {};
  }
}

QVariant RunsModel::sort_key(const RunStatus& run, int column) const {
  switch (column) {
    case state_column:
      return static_cast<int>(run.state);
    case name_column:
      return qtext(run.name);
    case model_column:
      return qtext(run.model);
    case data_column:
      return qtext(run.data);
    case progress_column:
      return run_share(run);
    case best_column:
      return run.best_value.value_or(-1);
    default:
      return run.created;
  }
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const RunStatus& status = run(index.row());
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
      return text(status, index.column());
    case sort_role:
      return index.column() == activity_column ? QVariant(status.last_activity) : sort_key(status, index.column());
    case path_role:
      return qtext(status.path);
    case Qt::ToolTipRole:
      if (index.column() == state_column) return run_sentence(status);
      if (index.column() == name_column) return words::path(qtext(status.path));
      if (index.column() == activity_column && status.last_activity > 0)
        return QLocale().toString(moment(status.last_activity), QLocale::ShortFormat);
      if (index.column() == best_column && status.best_value)
        return tr("%1 at step %2").arg(metric_words(status.best_metric), words::count(status.best_step));
      return {};
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(index.column() == best_column ? Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter)
                                                               : Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    case Qt::AccessibleTextRole:
      if (index.column() == state_column) return tr("State: %1").arg(text(status, state_column));
      return text(status, index.column());
    default:
      return {};
  }
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags usual = QAbstractTableModel::flags(index);
  const bool named =
      index.isValid() && index.column() == name_column && run(index.row()).state != ShownState::unreadable;
  return named ? usual | Qt::ItemIsEditable : usual;
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  const QString name = value.toString().trimmed();
  if (role != Qt::EditRole || index.column() != name_column || name.isEmpty()) return false;
  RunStatus& status = runs_[static_cast<std::size_t>(index.row())];
  if (name == qtext(status.name)) return false;
  Q_EMIT rename_wanted(qtext(status.path), name);
  return true;
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue((section == best_column ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case state_column:
      return tr("State");
    case name_column:
      return tr("Run");
    case model_column:
      return tr("Model");
    case data_column:
      return tr("Data");
    case progress_column:
      return tr("Progress");
    case best_column:
      return tr("Best accuracy");
    case activity_column:
      return tr("Last activity");
    default:
      return {};
  }
}

void RunsModel::refresh_times() {
  if (!runs_.empty()) Q_EMIT dataChanged(index(0, activity_column), index(rowCount() - 1, activity_column));
}

RunsOrder::RunsOrder(RunsModel& runs, QObject* parent) : QSortFilterProxyModel(parent), runs_(runs) {
  // The C locale knows no numbers within words.
  if (QLocale().language() == QLocale::C) collator_.setLocale(QLocale(QLocale::English));
  collator_.setNumericMode(true);
  collator_.setCaseSensitivity(Qt::CaseInsensitive);
  setDynamicSortFilter(false);
  setSortRole(RunsModel::sort_role);
  setSourceModel(&runs_);
  connect(&runs_, &RunsModel::run_appeared, this, &RunsOrder::order_again);
  // Without dynamic sorting the choice of rows does not follow the values by itself.
  sort(RunsModel::activity_column, Qt::DescendingOrder);
}

void RunsOrder::set_filter(const RunFilter& filter) {
  filter_ = filter;
  invalidateFilter();
}

void RunsOrder::order_again() {
  invalidate();
  sort(sortColumn() < 0 ? static_cast<int>(RunsModel::activity_column) : sortColumn(), sortOrder());
}

bool RunsOrder::filterAcceptsRow(int row, const QModelIndex& /*parent*/) const {
  return filter_.matches(runs_.run(row));
}

bool RunsOrder::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  const bool left_pinned = runs_.is_pinned(left.row());
  if (left_pinned != runs_.is_pinned(right.row())) return (sortOrder() == Qt::AscendingOrder) == left_pinned;
  const QVariant a = left.data(sortRole());
  const QVariant b = right.data(sortRole());
  if (a.userType() == QMetaType::QString && b.userType() == QMetaType::QString) {
    if (const int words = collator_.compare(a.toString(), b.toString()); words != 0) return words < 0;
  } else {
    const auto order = QVariant::compare(a, b);
    if (order == QPartialOrdering::Less) return true;
    if (order == QPartialOrdering::Greater) return false;
  }
  return runs_.run(left.row()).created < runs_.run(right.row()).created;
}

}  // namespace disco::ui
