// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/section_list.h"

#include <QPainter>
#include <QStyledItemDelegate>

#include "ui/theme/theme.h"
#include "ui/theme/words.h"

namespace disco::ui {

namespace {

constexpr int problems_role = Qt::UserRole + 1;

class SectionDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& /*option*/, const QModelIndex& /*index*/) const override {
    return {60, theme().px(sizes::row_compact + sizes::gap1)};
  }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Theme& look = theme();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool marked = (option.state & QStyle::State_Selected) != 0;
    if (marked || (option.state & QStyle::State_MouseOver) != 0) {
      painter->setPen(Qt::NoPen);
      painter->setBrush(look.colour(marked ? Token::select : Token::hover));
      painter->drawRoundedRect(option.rect.adjusted(2, 1, -2, -1), sizes::radius, sizes::radius);
    }
    if ((option.state & QStyle::State_HasFocus) != 0 && marked) {
      painter->setBrush(Qt::NoBrush);
      painter->setPen(QPen(look.colour(Token::link), sizes::focus_ring));
      painter->drawRoundedRect(QRectF(option.rect).adjusted(3, 2, -3, -2), sizes::radius, sizes::radius);
    }
    QRect words = option.rect.adjusted(sizes::gap2 + 2, 0, -sizes::gap2, 0);
    if (const int problems = index.data(problems_role).toInt(); problems > 0) {
      const QString count = words::count(problems);
      painter->setFont(look.font(FontRole::caption));
      const int side =
          std::max(painter->fontMetrics().height() + 2, painter->fontMetrics().horizontalAdvance(count) + 10);
      const QRect pill(words.right() - side, words.center().y() - (painter->fontMetrics().height() + 2) / 2, side,
                       painter->fontMetrics().height() + 2);
      painter->setPen(Qt::NoPen);
      painter->setBrush(look.colour(Token::bad_bg));
      painter->drawRoundedRect(pill, pill.height() / 2.0, pill.height() / 2.0);
      painter->setPen(look.colour(Token::bad));
      painter->drawText(pill, Qt::AlignCenter, count);
      words.setRight(pill.left() - sizes::gap1);
    }
    painter->setFont(look.font(marked ? FontRole::strong : FontRole::body));
    painter->setPen(look.colour(marked ? Token::text : Token::text2));
    painter->drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, words.width()));
    painter->restore();
  }
};

}  // namespace

SectionList::SectionList(QWidget* parent) : QListWidget(parent) {
  setItemDelegate(new SectionDelegate(this));
  setAccessibleName(tr("Sections"));
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setMouseTracking(true);
  connect(this, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { Q_EMIT chosen(row(item)); });
  connect(this, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) { Q_EMIT chosen(row(item)); });
}

void SectionList::show_sections(const std::vector<FormSection>& sections) {
  while (count() > static_cast<int>(sections.size())) delete takeItem(count() - 1);
  for (int i = 0; i < static_cast<int>(sections.size()); ++i) {
    const FormSection& section = sections[static_cast<std::size_t>(i)];
    if (i >= count()) addItem(section.label);
    QListWidgetItem* entry = item(i);
    entry->setText(section.label);
    entry->setData(problems_role, section.problems);
    entry->setData(Qt::AccessibleTextRole, section.problems > 0
                                               ? tr("%1, %n problem(s)", nullptr, section.problems).arg(section.label)
                                               : section.label);
    entry->setHidden(!section.visible);
  }
}

void SectionList::mark(int section) {
  if (section >= 0 && section < count()) setCurrentRow(section);
}

}  // namespace disco::ui
