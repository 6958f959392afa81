// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/command_palette.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/theme.h"

namespace disco::ui {
namespace {

constexpr int kind_role = Qt::UserRole;
constexpr int shortcut_role = Qt::UserRole + 1;
constexpr int index_role = Qt::UserRole + 2;
constexpr int most_shown = 60;
constexpr QSize panel_size(560, 420);
constexpr int panel_top = 72;

/// Name at the left, kind and shortcut at the right.
class PaletteDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    if (selected) painter->fillRect(option.rect, theme().colour(Token::select));
    const QRect inner = option.rect.adjusted(sizes::gap3, 0, -sizes::gap3, 0);
    const QString shortcut = index.data(shortcut_role).toString();
    const QString side = shortcut.isEmpty() ? index.data(kind_role).toString() : shortcut;
    painter->setFont(theme().font(FontRole::caption));
    painter->setPen(theme().colour(Token::text3));
    painter->drawText(inner, Qt::AlignRight | Qt::AlignVCenter, side);
    const int taken = painter->fontMetrics().horizontalAdvance(side) + sizes::gap3;
    painter->setFont(theme().font(FontRole::body));
    painter->setPen(theme().colour(Token::text));
    const QString text = index.data(Qt::DisplayRole).toString();
    painter->drawText(inner, Qt::AlignLeft | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(text, Qt::ElideRight, inner.width() - taken));
  }

  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
    return {100, theme().px(32)};
  }
};

}  // namespace

int palette_score(const QString& typed, const QString& text) {
  const QStringList words = typed.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  int score = 1;
  for (const QString& word : words) {
    const auto at = text.indexOf(word, 0, Qt::CaseInsensitive);
    if (at < 0) return 0;
    const bool begins_word = at == 0 || !text.at(at - 1).isLetterOrNumber();
    score += at == 0 ? 4 : begins_word ? 3 : 1;
  }
  return score;
}

CommandPalette::CommandPalette(QWidget* window, Source entries)
    : Overlay(window, tr("Find action, page or run"), panel_size),
      source_(std::move(entries)),
      field_(new QLineEdit(this)),
      list_(new QListWidget(this)) {
  set_top(panel_top);
  field_->setPlaceholderText(tr("Find action, page, run or setting"));
  field_->setAccessibleName(tr("Find action, page, run or setting"));
  field_->installEventFilter(this);
  list_->setAccessibleName(tr("Found"));
  list_->setFrameShape(QFrame::NoFrame);
  list_->setItemDelegate(new PaletteDelegate(list_));
  list_->setUniformItemSizes(true);
  list_->setFocusPolicy(Qt::NoFocus);  // the arrow keys reach it from the field
  list_->setMouseTracking(true);
  list_->viewport()->setAutoFillBackground(false);
  body()->addWidget(field_);
  body()->addWidget(list_, 1);
  connect(field_, &QLineEdit::textChanged, this, &CommandPalette::fill);
  connect(field_, &QLineEdit::returnPressed, this, &CommandPalette::run_current);
  connect(list_, &QListWidget::itemClicked, this, &CommandPalette::run_current);
}

void CommandPalette::open_palette() {
  entries_ = source_();
  field_->clear();
  fill({});
  open(field_);
}

void CommandPalette::fill(const QString& typed) {
  std::vector<std::pair<int, int>> found;  // score, index
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (const int score = palette_score(typed, entries_[i].text); score > 0)
      found.emplace_back(score, static_cast<int>(i));
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  if (found.size() > most_shown) found.resize(most_shown);
  list_->clear();
  for (const auto& [score, index] : found) {
    const PaletteEntry& entry = entries_[static_cast<std::size_t>(index)];
    auto* item = new QListWidgetItem(entry.text, list_);
    item->setData(kind_role, entry.kind);
    item->setData(shortcut_role, entry.shortcut);
    item->setData(index_role, index);
  }
  list_->setCurrentRow(0);
}

void CommandPalette::run_current() {
  const QListWidgetItem* item = list_->currentItem();
  if (item == nullptr) return;
  const std::function<void()> run = entries_[static_cast<std::size_t>(item->data(index_role).toInt())].run;
  dismiss();
  run();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched == field_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    const int step = key == Qt::Key_Down       ? 1
                     : key == Qt::Key_Up       ? -1
                     : key == Qt::Key_PageDown ? 10
                     : key == Qt::Key_PageUp   ? -10
                                               : 0;
    if (step != 0 && list_->count() > 0) {
      list_->setCurrentRow(std::clamp(list_->currentRow() + step, 0, list_->count() - 1));
      return true;
    }
  }
  return Overlay::eventFilter(watched, event);
}

}  // namespace disco::ui
