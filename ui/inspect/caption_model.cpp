// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/caption_model.h"

#include <QListView>
#include <QPainter>
#include <algorithm>

#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/digit_label.h"
#include "ui/widgets/meter.h"

namespace disco::ui {

namespace {

constexpr int padding = 8;
constexpr int number_width = 64;
constexpr int bar_height = 8;

template <class T>
std::optional<T> at(const std::vector<T>& values, std::size_t index) {
  return index < values.size() ? std::optional<T>(values[index]) : std::nullopt;
}

}  // namespace

int CaptionModel::add(const QString& lines) {
  int added = 0;
  for (const QString& line : lines.split(QLatin1Char('\n'))) {
    const QString text = line.simplified();
    const bool known = std::any_of(captions_.begin(), captions_.end(), [&](const auto& c) { return c.text == text; });
    if (text.isEmpty() || known) continue;
    const int row = rowCount();
    beginInsertRows({}, row, row);
    captions_.push_back({text, {}, {}, {}});
    endInsertRows();
    ++added;
  }
  if (added > 0) Q_EMIT captions_changed();
  return added;
}

void CaptionModel::remove(int row) {
  if (row < 0 || row >= rowCount()) return;
  beginRemoveRows({}, row, row);
  captions_.erase(captions_.begin() + row);
  endRemoveRows();
  Q_EMIT captions_changed();
}

void CaptionModel::set_captions(const QStringList& captions) {
  beginResetModel();
  captions_.clear();
  for (const QString& text : captions) captions_.push_back({text, {}, {}, {}});
  endResetModel();
  Q_EMIT captions_changed();
}

QStringList CaptionModel::captions() const {
  QStringList list;
  for (const RankedCaption& caption : captions_) list << caption.text;
  return list;
}

void CaptionModel::take(const QStringList& asked, const RankAnswer& answer) {
  const bool exact = asked.size() == rowCount() && std::all_of(captions_.begin(), captions_.end(),
                                                               [&](const auto& c) { return asked.contains(c.text); });
  for (RankedCaption& caption : captions_) {
    const auto place = asked.indexOf(caption.text);
    if (place < 0) continue;
    const auto index = static_cast<std::size_t>(place);
    caption.similarity = at(answer.similarities, index);
    caption.cut = QString::fromStdString(at(answer.cut, index).value_or(std::string()));
    // A share means something only among the captions that were asked together.
    caption.probability = exact ? at(answer.probabilities, index) : std::nullopt;
  }
  Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
  const QModelIndexList persistent = persistentIndexList();
  QStringList texts;
  for (const QModelIndex& index : persistent) texts << captions_[static_cast<std::size_t>(index.row())].text;
  std::stable_sort(captions_.begin(), captions_.end(), [](const RankedCaption& a, const RankedCaption& b) {
    return a.probability.value_or(-1) > b.probability.value_or(-1);
  });
  QModelIndexList moved;
  for (const QString& text : texts) {
    const auto found = std::find_if(captions_.begin(), captions_.end(), [&](const auto& c) { return c.text == text; });
    moved << index(static_cast<int>(found - captions_.begin()));
  }
  changePersistentIndexList(persistent, moved);
  Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void CaptionModel::clear_figures() {
  for (RankedCaption& caption : captions_) {
    caption.probability.reset();
    caption.similarity.reset();
    caption.cut.clear();
  }
  if (rowCount() > 0) Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

int CaptionModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(captions_.size());
}

QVariant CaptionModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const RankedCaption& caption = captions_[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
      return caption.text;
    case Qt::ToolTipRole:
      return caption.similarity ? tr("Similarity %1").arg(words::number(*caption.similarity, 3)) : QString();
    case Qt::AccessibleTextRole:
      return caption.probability ? tr("%1: %2").arg(caption.text, words::percent(*caption.probability)) : caption.text;
    default:
      return {};
  }
}

Qt::ItemFlags CaptionModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags usual = QAbstractListModel::flags(index);
  return index.isValid() ? usual | Qt::ItemIsEditable : usual;
}

bool CaptionModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  const QString text = value.toString().simplified();
  if (!index.isValid() || role != Qt::EditRole) return false;
  RankedCaption& caption = captions_[static_cast<std::size_t>(index.row())];
  if (text.isEmpty() || text == caption.text) return false;
  caption = {text, {}, {}, {}};
  Q_EMIT dataChanged(index, index);
  Q_EMIT captions_changed();
  return true;
}

CaptionDelegate::CaptionDelegate(const CaptionModel& captions, QObject* parent)
    : QStyledItemDelegate(parent), captions_(captions) {}

QString CaptionDelegate::cut_words(const RankedCaption& caption) const {
  if (caption.cut.isEmpty()) return {};
  return context_length_ > 0 ? tr("Cut after %n token(s): “%1” is not seen.", nullptr, context_length_).arg(caption.cut)
                             : tr("“%1” is not seen.").arg(caption.cut);
}

int CaptionDelegate::text_width(int row_width) const { return row_width - 2 * padding - theme().px(number_width); }

QSize CaptionDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const auto* list = qobject_cast<const QListView*>(option.widget);
  const int width = list != nullptr ? list->viewport()->width() : option.rect.width();
  const RankedCaption& caption = captions_.caption(index.row());
  const QFontMetrics body(theme().font(FontRole::body));
  int height = body.boundingRect(0, 0, text_width(width), 10000, Qt::TextWordWrap, caption.text).height() + bar_height +
               2 * padding;
  if (const QString cut = cut_words(caption); !cut.isEmpty())
    height += QFontMetrics(theme().font(FontRole::caption))
                  .boundingRect(0, 0, width - 2 * padding, 10000, Qt::TextWordWrap, cut)
                  .height();
  return {60, height};
}

void CaptionDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const Theme& look = theme();
  const RankedCaption& caption = captions_.caption(index.row());
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  const bool selected = (option.state & QStyle::State_Selected) != 0;
  const bool hovered = (option.state & QStyle::State_MouseOver) != 0;
  if (selected || hovered) {
    painter->setPen(Qt::NoPen);
    painter->setBrush(look.colour(selected ? Token::select : Token::hover));
    painter->drawRoundedRect(option.rect.adjusted(1, 1, -1, -1), sizes::radius, sizes::radius);
  }
  const QRect inside = option.rect.adjusted(padding, padding - 2, -padding, -padding + 2);
  const bool best = index.row() == 0 && caption.probability && captions_.rowCount() > 1;
  painter->setFont(look.font(best ? FontRole::strong : FontRole::body));
  painter->setPen(look.colour(Token::text));
  QRect used;
  painter->drawText(QRect(inside.left(), inside.top(), text_width(option.rect.width()), inside.height()),
                    Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, caption.text, &used);
  const bool ranked = caption.probability && captions_.rowCount() > 1;
  if (ranked)
    paint_digits(*painter, QRect(inside.left(), inside.top(), inside.width(), painter->fontMetrics().height()),
                 words::percent(*caption.probability), Qt::AlignRight | Qt::AlignVCenter);
  const int below = used.bottom() + 3;
  paint_meter(*painter, QRect(inside.left(), below, inside.width(), bar_height), ranked ? *caption.probability : 0,
              look.colour(best ? Token::meter : Token::control), 5);
  if (const QString cut = cut_words(caption); !cut.isEmpty()) {
    painter->setFont(look.font(FontRole::caption));
    painter->setPen(look.colour(Token::warn));
    painter->drawText(QRect(inside.left(), below + bar_height + 1, inside.width(), 200),
                      Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, cut);
  }
  painter->restore();
}

void CaptionDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                           const QModelIndex& /*index*/) const {
  QRect place = option.rect.adjusted(2, 2, -2, -2);
  place.setHeight(theme().px(sizes::control));
  editor->setGeometry(place);
}

}  // namespace disco::ui
