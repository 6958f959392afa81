// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/prediction_delegate.h"

#include <QListView>
#include <QPainter>
#include <QPainterPath>
#include <QTextLayout>

#include "ui/inspect/prediction_model.h"
#include "ui/inspect/thumbnails.h"
#include "ui/theme/icon.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/digit_label.h"
#include "ui/widgets/meter.h"

namespace disco::ui {

namespace {

constexpr int picture_side = 128;
constexpr int padding = 8;
constexpr int gap = 8;
constexpr int percent_width = 40;
constexpr int mark_width = 16;
constexpr int bar_thickness = 3;

QString label_of(const CandidateView& candidate) {
  return candidate.right ? PredictionDelegate::tr("right caption") : candidate.label;
}

/// Up to `lines` lines of wrapped text; the last one is shortened.
void paint_lines(QPainter& painter, const QRect& area, const QString& text, int lines) {
  QTextLayout layout(text, painter.font());
  layout.beginLayout();
  const int height = painter.fontMetrics().height();
  for (int i = 0; i < lines; ++i) {
    QTextLine line = layout.createLine();
    if (!line.isValid()) break;
    line.setLineWidth(area.width());
    const bool last = i + 1 == lines && line.textStart() + line.textLength() < text.size();
    const QString words =
        last ? painter.fontMetrics().elidedText(text.mid(line.textStart()), Qt::ElideRight, area.width())
             : text.mid(line.textStart(), line.textLength());
    painter.drawText(QRect(area.left(), area.top() + i * height, area.width(), height),
                     Qt::AlignLeft | Qt::AlignVCenter, words.trimmed());
  }
  layout.endLayout();
}

}  // namespace

PredictionDelegate::PredictionDelegate(const PredictionModel& model, Thumbnails& pictures, QObject* parent)
    : QStyledItemDelegate(parent), model_(model), pictures_(pictures) {}

int PredictionDelegate::lines_of(const CandidateView& candidate, int row_width) const {
  QFont font = theme().font(FontRole::caption);
  font.setWeight(QFont::DemiBold);  // the winner may change with the step, the height may not
  const int room = row_width - mark_width - theme().px(percent_width);
  return QFontMetrics(font).horizontalAdvance(label_of(candidate)) > room ? 2 : 1;
}

int PredictionDelegate::row_height(int lines) const {
  return QFontMetrics(theme().font(FontRole::caption)).height() * lines + bar_thickness + 5;
}

int PredictionDelegate::fit(int cell_width) {
  const int row_width = cell_width - gap - 2 * padding - theme().px(picture_side) - sizes::gap3;
  int highest = theme().px(picture_side);
  const int title = QFontMetrics(theme().font(FontRole::caption)).height() * 2 + sizes::gap1;
  for (int row = 0; row < model_.rowCount(); ++row) {
    int height = title;
    for (const CandidateView& candidate : model_.card(row).candidates)
      height += row_height(lines_of(candidate, row_width));
    highest = std::max(highest, height);
  }
  cell_height_ = highest + 2 * padding + gap;
  return cell_height_;
}

QSize PredictionDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& /*index*/) const {
  // A card fills its cell; the gap between cards is painted as part of it.
  const auto* gallery = qobject_cast<const QListView*>(option.widget);
  if (gallery != nullptr && gallery->gridSize().isValid()) return gallery->gridSize();
  return {theme().px(372), cell_height_};
}

void PredictionDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const Theme& look = theme();
  const CardView& card = model_.card(index.row());
  const bool hovered = (option.state & QStyle::State_MouseOver) != 0;
  const bool focused = (option.state & QStyle::State_HasFocus) != 0;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  const QRectF frame = QRectF(option.rect).adjusted(0.5, 0.5, -gap - 0.5, -gap - 0.5);
  painter->setPen(focused ? QPen(look.colour(Token::link), sizes::focus_ring) : QPen(look.colour(Token::border), 1));
  painter->setBrush(look.colour(hovered ? Token::hover : Token::surface));
  painter->drawRoundedRect(frame, sizes::radius_card, sizes::radius_card);

  const QRect inside = frame.toRect().adjusted(padding, padding, -padding, -padding);
  const int side = look.px(picture_side);
  paint_picture(*painter, QRect(inside.left(), inside.top(), side, side), card.image);
  QRect words = inside.adjusted(side + sizes::gap3, 0, 0, 0);
  painter->setFont(look.font(FontRole::caption));
  painter->setPen(look.colour(Token::text));
  const int title = painter->fontMetrics().height() * 2;
  paint_lines(*painter, QRect(words.left(), words.top(), words.width(), title), card.truth, 2);
  int top = words.top() + title + sizes::gap1;
  for (const CandidateView& candidate : card.candidates) {
    const int height = row_height(lines_of(candidate, words.width()));
    paint_candidate(*painter, QRect(words.left(), top, words.width(), height), candidate);
    top += height;
  }
  painter->restore();
}

void PredictionDelegate::paint_picture(QPainter& painter, const QRect& box, const QString& path) const {
  const Theme& look = theme();
  const auto found = pictures_.get(path, box.width(), painter.device()->devicePixelRatioF());
  if (found.state == Thumbnails::State::ready) {
    const QSizeF size = found.pixmap.deviceIndependentSize();
    QPainterPath round;
    const QRectF place(box.left() + (box.width() - size.width()) / 2, box.top() + (box.height() - size.height()) / 2,
                       size.width(), size.height());
    round.addRoundedRect(place, sizes::radius, sizes::radius);
    painter.save();
    painter.setClipPath(round);
    painter.drawPixmap(place.topLeft(), found.pixmap);
    painter.restore();
    return;
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(look.colour(Token::sunken));
  painter.drawRoundedRect(box, sizes::radius, sizes::radius);
  if (found.state != Thumbnails::State::missing) return;
  painter.setFont(look.font(FontRole::caption));
  painter.setPen(look.colour(Token::text3));
  painter.drawText(box.adjusted(6, 6, -6, -6), Qt::AlignCenter | Qt::TextWordWrap,
                   tr("%1 is missing").arg(path.section(QLatin1Char('/'), -2)));
}

void PredictionDelegate::paint_candidate(QPainter& painter, const QRect& row, const CandidateView& candidate) const {
  const Theme& look = theme();
  const Token ink = candidate.right ? Token::ok : candidate.winner ? Token::bad : Token::control;
  QFont font = look.font(FontRole::caption);
  font.setWeight(candidate.winner ? QFont::DemiBold : QFont::Normal);
  painter.setFont(font);
  const int text_height = row.height() - bar_thickness - 5;
  QRect words(row.left(), row.top(), row.width() - look.px(percent_width), text_height);
  if (candidate.right || candidate.winner) {
    const QPixmap mark = icon_pixmap(candidate.right ? QStringLiteral("check") : QStringLiteral("close"),
                                     look.colour(ink), 12, painter.device()->devicePixelRatioF());
    painter.drawPixmap(
        QPoint(words.left(), words.top() + (std::min(text_height, painter.fontMetrics().height()) - 12) / 2), mark);
  }
  words.setLeft(words.left() + mark_width);
  painter.setPen(look.colour(candidate.winner ? Token::text : Token::text2));
  paint_lines(painter, words, label_of(candidate), lines_of(candidate, row.width()));
  paint_digits(painter, QRect(words.right(), row.top(), row.right() - words.right(), painter.fontMetrics().height()),
               words::percent(candidate.probability, 0), Qt::AlignRight | Qt::AlignVCenter);
  paint_meter(painter, QRect(row.left(), row.top() + text_height, row.width(), bar_thickness + 2),
              candidate.probability, look.colour(ink), bar_thickness);
}

}  // namespace disco::ui
