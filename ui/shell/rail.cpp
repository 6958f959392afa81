// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/rail.h"

#include <QAbstractButton>
#include <QFontMetrics>
#include <QKeyEvent>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/icon.h"
#include "ui/theme/theme.h"

namespace disco::ui {

/// One page of the rail. The selected one is a filled shape with a bold label, so that colour does not stand alone.
class RailButton : public QAbstractButton {
 public:
  RailButton(const PageSpec& page, QWidget* parent) : QAbstractButton(parent), icon_(page.icon), of_run_(page.of_run) {
    setText(page.title);
    setCheckable(true);
    setAutoExclusive(true);
    setAccessibleName(page.title);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    tip_ = page.number > 0 ? QObject::tr("%1 (Ctrl+%2)").arg(page.title).arg(page.number) : page.title;
    setToolTip(tip_);
  }

  void set_narrow(bool narrow) {
    narrow_ = narrow;
    update();
  }
  void set_run_colour(const QColor& colour) {
    colour_ = colour;
    update();
  }
  void set_dot(bool dot) {
    dot_ = dot;
    setAccessibleDescription(dot ? QObject::tr("something failed since it was last looked at") : QString());
    update();
  }
  [[nodiscard]] int label_width() const {
    QFont bold = label_font();
    bold.setWeight(QFont::DemiBold);
    return QFontMetrics(bold).horizontalAdvance(text());
  }
  [[nodiscard]] QSize sizeHint() const override { return {0, theme().px(sizes::rail_button)}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF ground = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    if (isChecked() || underMouse()) {
      painter.setPen(Qt::NoPen);
      painter.setBrush(theme().colour(isChecked() ? Token::select : Token::hover));
      painter.drawRoundedRect(ground, sizes::radius_card, sizes::radius_card);
    }
    paint_icon(painter);
    if (!narrow_) {
      QFont font = label_font();
      if (isChecked()) font.setWeight(QFont::DemiBold);
      painter.setFont(font);
      painter.setPen(theme().colour(isChecked() ? Token::text : Token::text2));
      painter.drawText(rect().adjusted(0, height() / 2 + 4, 0, -4), Qt::AlignHCenter | Qt::AlignTop, text());
    }
    if (of_run_ && colour_.isValid()) {
      painter.setPen(Qt::NoPen);
      painter.setBrush(colour_);
      painter.drawRoundedRect(QRectF(0, 10, 3, height() - 20), 1.5, 1.5);
    }
    if (hasFocus()) {
      painter.setBrush(Qt::NoBrush);
      painter.setPen(QPen(theme().colour(Token::link), sizes::focus_ring));
      painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), sizes::radius_card, sizes::radius_card);
    }
  }

  void keyPressEvent(QKeyEvent* event) override {
    if (event->key() == Qt::Key_Down || event->key() == Qt::Key_Up) {
      focusNextPrevChild(event->key() == Qt::Key_Down);
    } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
      click();
    } else {
      QAbstractButton::keyPressEvent(event);
    }
  }

 private:
  [[nodiscard]] static QFont label_font() { return theme().font(FontRole::caption); }

  void paint_icon(QPainter& painter) const {
    const int side = theme().px(sizes::icon_large);
    const QColor ink = theme().colour(isChecked() ? Token::link : Token::text2);
    const int y = narrow_ ? (height() - side) / 2 : height() / 2 - side + 2;
    const QPoint corner((width() - side) / 2, y);
    painter.drawPixmap(corner, icon_pixmap(QString::fromLatin1(icon_), ink, side, devicePixelRatioF()));
    if (!dot_) return;
    painter.setPen(QPen(theme().colour(Token::rail), 2));
    painter.setBrush(theme().colour(Token::bad));
    painter.drawEllipse(QPointF(corner.x() + side, corner.y() + 2), 5, 5);
  }

  const char* icon_;
  QString tip_;
  QColor colour_;
  bool of_run_;
  bool narrow_ = false;
  bool dot_ = false;
};

Rail::Rail(const std::vector<PageSpec>& pages, QWidget* parent) : QFrame(parent) {
  set_role(this, "rail");
  setAccessibleName(tr("Pages"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(sizes::gap2, sizes::gap2, sizes::gap2, sizes::gap2);
  layout->setSpacing(sizes::gap1);
  for (const PageSpec& page : pages) {
    if (page.starts_group) {
      auto* line = new QFrame(this);
      set_role(line, "line");
      line->setFixedHeight(1);
      layout->addSpacing(sizes::gap1);
      layout->addWidget(line);
      layout->addSpacing(sizes::gap1);
    }
    if (page.id == QLatin1String("settings")) layout->addStretch(1);
    auto* button = new RailButton(page, this);
    layout->addWidget(button);
    buttons_.emplace(page.id, button);
    connect(button, &QAbstractButton::clicked, this, [this, id = page.id] { Q_EMIT chosen(id); });
  }
  connect(&theme(), &Theme::changed, this, &Rail::fit_width);
  fit_width();
}

void Rail::set_current(const QString& page) {
  if (const auto found = buttons_.find(page); found != buttons_.end()) found->second->setChecked(true);
}

void Rail::set_narrow(bool narrow) {
  if (narrow == narrow_) return;
  narrow_ = narrow;
  for (const auto& [id, button] : buttons_) button->set_narrow(narrow);
  fit_width();
}

void Rail::fit_width() {
  int width = narrow_ ? theme().px(sizes::rail_narrow) : sizes::rail;
  if (!narrow_)
    for (const auto& [id, button] : buttons_) width = std::max(width, button->label_width() + 28);
  setFixedWidth(width);
}

void Rail::set_run_colour(const QColor& colour) {
  for (const auto& [id, button] : buttons_) button->set_run_colour(colour);
}

void Rail::set_dot(const QString& page, bool dot) {
  if (const auto found = buttons_.find(page); found != buttons_.end()) found->second->set_dot(dot);
}

}  // namespace disco::ui
