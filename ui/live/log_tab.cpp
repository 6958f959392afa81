// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/log_tab.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/shell/folders.h"
#include "ui/theme/icon.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/empty_state.h"

namespace disco::ui {
namespace {

constexpr int typing_ms = 250;
constexpr std::uint32_t longest_shown = 4000;  // characters of one line

}  // namespace

void LogModel::open(const QString& file) {
  beginResetModel();
  lines_.clear();
  texts_.clear();
  file_.close();
  file_.setFileName(file);
  endResetModel();
}

void LogModel::add(const std::vector<LogLine>& lines, bool restarted) {
  if (restarted) {
    beginResetModel();
    file_.close();
    texts_.clear();
    lines_ = lines;
    endResetModel();
    return;
  }
  if (lines.empty()) return;
  const int first = static_cast<int>(lines_.size());
  beginInsertRows({}, first, first + static_cast<int>(lines.size()) - 1);
  lines_.insert(lines_.end(), lines.begin(), lines.end());
  endInsertRows();
}

QString LogModel::text(int row) const {
  if (const QString* known = texts_.object(row)) return *known;
  const LogLine& line = lines_[static_cast<std::size_t>(row)];
  if (!file_.isOpen() && !file_.open(QIODevice::ReadOnly)) return {};
  if (!file_.seek(static_cast<qint64>(line.offset))) return {};
  auto text = QString::fromUtf8(file_.read(std::min(line.length, longest_shown)));
  text.replace(QLatin1Char('\t'), QStringLiteral("    "));
  text.remove(QLatin1Char('\r'));
  texts_.insert(row, new QString(text));
  return text;
}

int LogModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
  if (role == Qt::DisplayRole || role == Qt::ToolTipRole) return text(index.row());
  if (role == Qt::FontRole) return theme().font(FontRole::mono);
  if (role != Qt::ForegroundRole) return {};
  const LogLevel level = lines_[static_cast<std::size_t>(index.row())].level;
  if (level == LogLevel::error) return theme().colour(Token::bad);
  return level == LogLevel::warning ? theme().colour(Token::warn) : theme().colour(Token::text);
}

LogTab::LogTab(PageContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      model_(new LogModel(this)),
      view_(new QListView(this)),
      filter_(new QLineEdit(this)),
      level_(new QComboBox(this)),
      follow_(new QPushButton(tr("Follow"), this)),
      warnings_(new QLabel(this)),
      stack_(new QStackedLayout),
      empty_(new EmptyState(this)) {
  filter_->setPlaceholderText(tr("Filter: word, rank, file"));
  filter_->setAccessibleName(tr("Filter the log"));
  filter_->setClearButtonEnabled(true);
  level_->addItems({tr("All lines"), tr("Warnings and errors"), tr("Errors")});
  level_->setAccessibleName(tr("Level"));
  follow_->setCheckable(true);
  follow_->setChecked(true);
  follow_->setToolTip(tr("Stay at the newest line"));
  auto* tools = new QHBoxLayout;
  tools->setSpacing(sizes::gap2);
  tools->addWidget(filter_, 1);
  tools->addWidget(level_);
  tools->addWidget(follow_);
  view_->setModel(model_);
  view_->setAccessibleName(tr("Engine log"));
  view_->setUniformItemSizes(true);
  view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  auto* copy = new QAction(tr("Copy lines"), view_);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  view_->addAction(copy);
  view_->setContextMenuPolicy(Qt::ActionsContextMenu);
  connect(copy, &QAction::triggered, this, &LogTab::copy_lines);
  set_role(warnings_, "warn");
  warnings_->setWordWrap(true);
  warnings_->hide();
  stack_->addWidget(view_);
  stack_->addWidget(empty_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, sizes::gap4, 0);
  layout->setSpacing(sizes::gap2);
  layout->addLayout(tools);
  layout->addWidget(warnings_);
  layout->addLayout(stack_, 1);
  typing_.setSingleShot(true);
  typing_.setInterval(typing_ms);
  connect(&typing_, &QTimer::timeout, this, &LogTab::read_again);
  connect(filter_, &QLineEdit::textChanged, this, [this] { typing_.start(); });
  connect(level_, &QComboBox::currentIndexChanged, this, &LogTab::read_again);
  connect(&reader_, &LogReader::found, this, &LogTab::take);
  connect(follow_, &QPushButton::clicked, this, &LogTab::set_following);
  connect(view_->verticalScrollBar(), &QScrollBar::actionTriggered, this, [this](int action) {
    if (action != QAbstractSlider::SliderNoAction)
      QTimer::singleShot(0, this, [this] {
        const QScrollBar* bar = view_->verticalScrollBar();
        if (bar->value() < bar->maximum()) set_following(false);
      });
  });
  refresh_empty();
}

void LogTab::set_snapshot(std::shared_ptr<const RunSnapshot> snapshot) {
  const bool other = (snapshot != nullptr) != (snapshot_ != nullptr) ||
                     (snapshot && snapshot_ && snapshot->folder != snapshot_->folder);
  snapshot_ = std::move(snapshot);
  if (other) read_again();
  refresh_warnings();
}

void LogTab::set_active(bool active) { reader_.set_paused(!active); }

void LogTab::focus_filter() { filter_->setFocus(Qt::ShortcutFocusReason); }

void LogTab::read_again() {
  const auto log = snapshot_ ? RunFolder(snapshot_->folder).log_path() : std::filesystem::path();
  model_->open(QString::fromStdString(log.string()));
  settled_ = log.empty();
  reading_ =
      reader_.open(log, {filter_->text().toLower().toStdString(), static_cast<LogLevel>(level_->currentIndex())});
  refresh_empty();
}

void LogTab::take(int reading, const std::vector<LogLine>& lines, bool restarted, bool caught_up) {
  if (reading != reading_) return;
  model_->add(lines, restarted);
  settled_ = caught_up;
  refresh_empty();
  if (following_) view_->scrollToBottom();
}

void LogTab::set_following(bool following) {
  following_ = following;
  follow_->setChecked(following);
  if (following) view_->scrollToBottom();
}

void LogTab::refresh_empty() {
  const bool filtered = !filter_->text().isEmpty() || level_->currentIndex() > 0;
  if (filtered)
    empty_->set_content(QStringLiteral("log"), tr("No line matches"), tr("Lines are looked for in all of engine.log."));
  else
    empty_->set_content(QStringLiteral("log"), tr("Nothing logged yet"),
                        tr("What the engine writes while it works appears here, with the rank that wrote it."));
  stack_->setCurrentIndex(model_->rowCount() > 0 ? 0 : 1);
}

void LogTab::refresh_warnings() {
  const auto warnings = snapshot_ ? snapshot_->warnings : nullptr;
  if (warnings == shown_warnings_) return;
  shown_warnings_ = warnings;
  struct Count {
    std::int64_t count = 0;
    std::int64_t step = 0;
    std::string message;
  };
  std::map<std::string, Count> counts;
  for (const WarningEvent& warning : warnings ? *warnings : std::vector<WarningEvent>{}) {
    Count& count = counts[warning.code];
    count.count += warning.count;
    count.step = warning.step;
    count.message = warning.message;
  }
  QStringList lines;
  for (const auto& [code, count] : counts)
    lines.append(tr("%1 × %2, last at step %3: %4")
                     .arg(words::count(count.count), QString::fromStdString(code), words::count(count.step),
                          QString::fromStdString(count.message)));
  warnings_->setText(lines.join(QLatin1Char('\n')));
  warnings_->setVisible(!lines.isEmpty());
}

void LogTab::copy_lines() {
  auto rows = view_->selectionModel()->selectedIndexes();
  std::sort(rows.begin(), rows.end());
  QStringList lines;
  for (const QModelIndex& row : rows) lines.append(model_->text(row.row()));
  QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace disco::ui
