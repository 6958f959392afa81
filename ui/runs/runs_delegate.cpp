// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_delegate.h"

#include <QPainter>

#include "ui/runs/runs_model.h"
#include "ui/shell/run_words.h"
#include "ui/theme/icon.h"
#include "ui/theme/theme.h"
#include "ui/widgets/digit_label.h"
#include "ui/widgets/meter.h"

namespace disco::ui {

namespace {

constexpr int percent_width = 48;

/// The row's own model index: views show runs through the proxy.
QModelIndex source_index(QModelIndex index) {
  while (const auto* proxy = qobject_cast<const QAbstractProxyModel*>(index.model())) index = proxy->mapToSource(index);
  return index;
}

void paint_text(QPainter& painter, const QRect& area, const QString& text, const QFont& font, const QColor& ink) {
  painter.setFont(font);
  painter.setPen(ink);
  painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                   QFontMetrics(font).elidedText(text, Qt::ElideRight, area.width()));
}

}  // namespace

RunsDelegate::RunsDelegate(const RunsModel& runs, std::function<QColor(const RunStatus&)> colour_of, QObject* parent)
    : QStyledItemDelegate(parent), runs_(runs), colour_of_(std::move(colour_of)) {}

QSize RunsDelegate::sizeHint(const QStyleOptionViewItem& /*option*/, const QModelIndex& /*index*/) const {
  return {60, theme().px(sizes::row)};
}

void RunsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const Theme& look = theme();
  const bool selected = (option.state & QStyle::State_Selected) != 0;
  const bool hovered = (option.state & QStyle::State_MouseOver) != 0;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->fillRect(option.rect, look.colour(selected ? Token::select : hovered ? Token::hover : Token::surface));
  painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1),
                    look.colour(Token::border));

  const QModelIndex source = source_index(index);
  const RunStatus& run = runs_.run(source.row());
  const QRect area = option.rect.adjusted(sizes::gap2, 0, -sizes::gap2, -1);
  const QString text = index.data(Qt::DisplayRole).toString();
  if (!runs_.confirmed()) painter->setOpacity(0.55);
  switch (source.column()) {
    case RunsModel::state_column:
      paint_chip(*painter, area, chip_state(run.state));
      break;
    case RunsModel::name_column:
      paint_name(*painter, area, run, runs_.is_pinned(source.row()));
      break;
    case RunsModel::progress_column:
      paint_progress(*painter, area, run, text);
      break;
    case RunsModel::best_column:
      painter->setFont(look.font(FontRole::body));
      painter->setPen(look.colour(run.best_value ? Token::text : Token::text3));
      paint_digits(*painter, area, text, Qt::AlignRight | Qt::AlignVCenter);
      break;
    case RunsModel::activity_column:
      paint_text(*painter, area, text, look.font(FontRole::body), look.colour(Token::text2));
      break;
    default:
      paint_text(*painter, area, text, look.font(FontRole::body), look.colour(Token::text));
      break;
  }
  painter->restore();
}

void RunsDelegate::paint_name(QPainter& painter, const QRect& area, const RunStatus& run, bool pinned) const {
  const Theme& look = theme();
  constexpr qreal dot = 9;
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour_of_(run));
  painter.drawEllipse(QRectF(area.left(), area.center().y() - dot / 2 + 0.5, dot, dot));
  QRect words = area.adjusted(static_cast<int>(dot) + sizes::gap2, 0, 0, 0);
  if (pinned) {
    const QPixmap pin = icon_pixmap(QStringLiteral("pin"), look.colour(Token::text3), sizes::icon,
                                    painter.device()->devicePixelRatioF());
    painter.drawPixmap(QPoint(words.right() - sizes::icon, words.center().y() - sizes::icon / 2), pin);
    words.adjust(0, 0, -sizes::icon - sizes::gap1, 0);
  }
  paint_text(painter, words, QString::fromStdString(run.name), look.font(FontRole::strong), look.colour(Token::text));
}

void RunsDelegate::paint_progress(QPainter& painter, const QRect& area, const RunStatus& run,
                                  const QString& text) const {
  const Theme& look = theme();
  const double share = run_share(run);
  painter.setFont(look.font(FontRole::body));
  painter.setPen(look.colour(Token::text2));
  if (share < 0) {
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter, text);
    return;
  }
  const int number = look.px(percent_width);
  paint_digits(painter, area, text, Qt::AlignRight | Qt::AlignVCenter);
  paint_meter(painter, area.adjusted(0, 0, -number, 0), share, look.colour(chip_ink(chip_state(run.state))));
}

}  // namespace disco::ui
