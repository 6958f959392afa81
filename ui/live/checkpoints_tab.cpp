// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/checkpoints_tab.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/shell/app_state.h"
#include "ui/shell/engine_client.h"
#include "ui/shell/folders.h"
#include "ui/shell/run_words.h"
#include "ui/theme/icon.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/notices.h"

namespace disco::ui {
namespace {

bool same(const CheckpointEvent& a, const CheckpointEvent& b) {
  return a.path == b.path && a.best == b.best && a.time == b.time;
}

QString metric_text(const CheckpointEvent& checkpoint, const char* name) {
  const auto found = checkpoint.metrics.find(name);
  return found == checkpoint.metrics.end() ? QStringLiteral("–") : words::percent(found->second);
}

}  // namespace

void CheckpointModel::set_checkpoints(const std::vector<CheckpointEvent>& checkpoints) {
  if (std::equal(rows_.begin(), rows_.end(), checkpoints.rbegin(), checkpoints.rend(), same)) return;
  beginResetModel();
  rows_.assign(checkpoints.rbegin(), checkpoints.rend());
  endResetModel();
}

int CheckpointModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int CheckpointModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : column_count; }

QString CheckpointModel::text(int row, int column) const {
  const CheckpointEvent& checkpoint = at(row);
  switch (column) {
    case step_column:
      return words::count(checkpoint.step);
    case accuracy_column:
      return metric_text(checkpoint, "matching/accuracy");
    case recall_column:
      return metric_text(checkpoint, "retrieval/image_to_text_r1");
    case size_column:
      return words::file_size(checkpoint.bytes);
    case saved_column:
      return words::ago(QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(checkpoint.time * 1000)));
    case note_column: {
      QStringList notes;
      if (row == 0) notes.append(tr("latest"));
      if (checkpoint.best) notes.append(tr("best"));
      return words::dotted(notes);
    }
    default:
      return {};
  }
}

QVariant CheckpointModel::data(const QModelIndex& index, int role) const {
  const bool number = index.column() < note_column;
  if (role == Qt::DisplayRole) return text(index.row(), index.column());
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) return QString::fromStdString(at(index.row()).path);
  if (role == Qt::ForegroundRole && index.column() == note_column && at(index.row()).best)
    return theme().colour(Token::ok);
  return {};
}

QVariant CheckpointModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((section < note_column ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case step_column:
      return tr("Step");
    case accuracy_column:
      return tr("Accuracy");
    case recall_column:
      return tr("R@1");
    case size_column:
      return tr("Size");
    case saved_column:
      return tr("Saved");
    default:
      return QString();
  }
}

CheckpointsTab::CheckpointsTab(PageContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      model_(new CheckpointModel(this)),
      table_(new QTableView(this)),
      stack_(new QStackedLayout(this)),
      empty_(new EmptyState(this)),
      ask_(new QPushButton(tr("Ask"), this)),
      resume_(new QPushButton(tr("Resume"), this)),
      show_(new QPushButton(tr("Show in folder"), this)) {
  table_->setModel(model_);
  table_->setAccessibleName(tr("Checkpoints"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setShowGrid(false);
  table_->setAlternatingRowColors(true);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(theme().px(sizes::row));
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setDefaultSectionSize(theme().px(130));
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->setContextMenuPolicy(Qt::ActionsContextMenu);
  auto* inside = new QWidget(this);
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(0, 0, sizes::gap4, 0);
  column->setSpacing(sizes::gap2);
  column->addWidget(table_, 1);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(sizes::gap2);
  for (QPushButton* button : {ask_, resume_, show_}) buttons->addWidget(button);
  buttons->addStretch(1);
  column->addLayout(buttons);
  stack_->addWidget(inside);
  stack_->addWidget(empty_);
  ask_->setToolTip(tr("Show it a picture in Try it"));
  connect(ask_, &QPushButton::clicked, this, [this] {
    if (const auto checkpoint = selected()) context_.state.ask_checkpoint(checkpoint->step);
  });
  connect(resume_, &QPushButton::clicked, this, &CheckpointsTab::resume);
  connect(show_, &QPushButton::clicked, this, [this] {
    if (const auto checkpoint = selected())
      show_in_folder(QString::fromStdString((snapshot_->folder / checkpoint->path).string()));
  });
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &CheckpointsTab::refresh_buttons);
  connect(table_, &QTableView::activated, this, [this] { show_->click(); });
  connect(&theme(), &Theme::changed, this,
          [this] { table_->verticalHeader()->setDefaultSectionSize(theme().px(sizes::row)); });
}

void CheckpointsTab::set_snapshot(std::shared_ptr<const RunSnapshot> snapshot) {
  snapshot_ = std::move(snapshot);
  static const std::vector<CheckpointEvent> none;
  const bool any = snapshot_ && snapshot_->checkpoints;
  const int before = model_->rowCount();
  model_->set_checkpoints(any ? *snapshot_->checkpoints : none);
  if (model_->rowCount() > 0 && (before == 0 || !table_->selectionModel()->hasSelection())) table_->selectRow(0);
  const auto every = snapshot_ && snapshot_->config ? snapshot_->config->checkpoint.every_steps : 0;
  empty_->set_content(QStringLiteral("checkpoint"), tr("Nothing saved yet"),
                      every > 0
                          ? tr("The first checkpoint comes at step %1. A run that is stopped or killed goes on from "
                               "its last checkpoint.")
                                .arg(words::count(every))
                          : tr("A run that is stopped or killed goes on from its last checkpoint."));
  stack_->setCurrentIndex(model_->rowCount() > 0 ? 0 : 1);
  refresh_buttons();
}

std::optional<CheckpointEvent> CheckpointsTab::selected() const {
  const auto rows = table_->selectionModel()->selectedRows();
  if (rows.isEmpty()) return std::nullopt;
  return model_->at(rows.first().row());
}

void CheckpointsTab::refresh_buttons() {
  const auto checkpoint = selected();
  const bool latest = checkpoint && model_->rowCount() > 0 && model_->at(0).path == checkpoint->path;
  ask_->setEnabled(checkpoint.has_value());
  show_->setEnabled(checkpoint.has_value());
  // An engine resumes from the latest one; the others are for asking and copying.
  const bool possible = latest && snapshot_ && can_resume(snapshot_->status);
  resume_->setVisible(possible);
  if (checkpoint) resume_->setText(tr("Resume from %1").arg(words::count(checkpoint->step)));
}

void CheckpointsTab::resume() {
  if (!snapshot_) return;
  const auto result = context_.engine.resume(QString::fromStdString(snapshot_->folder.string()));
  if (!result) context_.notices.post({Severity::bad, QString::fromStdString(result.error().message()), {}, {}, {}});
}

}  // namespace disco::ui
