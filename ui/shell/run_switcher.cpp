// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/run_switcher.h"

#include <QFrame>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyleOptionButton>
#include <QVBoxLayout>

#include "ui/shell/app_state.h"
#include "ui/shell/run_colours.h"
#include "ui/shell/run_words.h"
#include "ui/shell/workspace_watch.h"
#include "ui/theme/icon.h"
#include "ui/theme/theme.h"

namespace disco::ui {
namespace {

constexpr int shown_runs = 12;
constexpr int popup_width = 320;
constexpr int dot = 10;
constexpr int folder_role = Qt::UserRole;

QPixmap dot_pixmap(const QColor& colour, qreal ratio) {
  QPixmap pixmap(QSize(sizes::icon, sizes::icon) * ratio);
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawEllipse(QRectF((sizes::icon - dot) / 2.0, (sizes::icon - dot) / 2.0, dot, dot));
  return pixmap;
}

}  // namespace

RunSwitcher::RunSwitcher(PageContext& context, QWidget* parent)
    : QPushButton(parent),
      context_(context),
      popup_(new QFrame(this, Qt::Popup)),
      search_(new QLineEdit(popup_)),
      list_(new QListWidget(popup_)) {
  setAccessibleName(tr("Current run"));
  set_role(popup_, "raised");
  search_->setPlaceholderText(tr("Find a run"));
  search_->setAccessibleName(tr("Find a run"));
  search_->setClearButtonEnabled(true);
  list_->setAccessibleName(tr("Runs"));
  list_->setFrameShape(QFrame::NoFrame);
  list_->setUniformItemSizes(true);
  auto* layout = new QVBoxLayout(popup_);
  layout->setContentsMargins(sizes::gap2, sizes::gap2, sizes::gap2, sizes::gap2);
  layout->addWidget(search_);
  layout->addWidget(list_);
  search_->installEventFilter(this);
  connect(this, &QPushButton::clicked, this, &RunSwitcher::open_list);
  connect(search_, &QLineEdit::textChanged, this, &RunSwitcher::fill);
  connect(search_, &QLineEdit::returnPressed, this, &RunSwitcher::choose);
  connect(list_, &QListWidget::itemClicked, this, &RunSwitcher::choose);
  connect(list_, &QListWidget::itemActivated, this, &RunSwitcher::choose);
}

void RunSwitcher::set_run(const QString& name, const QColor& colour) {
  if (name == name_ && colour == colour_) return;
  name_ = name;
  colour_ = colour;
  setAccessibleDescription(name);
  updateGeometry();
  update();
}

QSize RunSwitcher::sizeHint() const {
  const int text = QFontMetrics(theme().font(FontRole::strong)).horizontalAdvance(name_);
  return {std::clamp(text + 64, theme().px(150), theme().px(220)), theme().px(sizes::control)};
}

QSize RunSwitcher::minimumSizeHint() const { return {theme().px(120), theme().px(sizes::control)}; }

void RunSwitcher::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  QStyleOptionButton option;
  initStyleOption(&option);
  option.text.clear();
  style()->drawControl(QStyle::CE_PushButtonBevel, &option, &painter, this);
  painter.setRenderHint(QPainter::Antialiasing);
  if (colour_.isValid()) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour_);
    painter.drawEllipse(QRectF(sizes::gap3 - 2, (height() - dot) / 2.0, dot, dot));
  }
  const QRect text = rect().adjusted(28, 0, -28, 0);
  painter.setFont(theme().font(FontRole::strong));
  painter.setPen(theme().colour(Token::text));
  painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(name_, Qt::ElideMiddle, text.width()));
  painter.drawPixmap(
      width() - sizes::icon - sizes::gap2, (height() - sizes::icon) / 2,
      icon_pixmap(QStringLiteral("chevron-down"), theme().colour(Token::text2), sizes::icon, devicePixelRatioF()));
}

void RunSwitcher::open_list() {
  search_->clear();
  fill({});
  const int rows = std::clamp(list_->count(), 1, shown_runs);
  const int row = theme().px(sizes::row_compact);
  popup_->setFixedSize(theme().px(popup_width), theme().px(sizes::control) + rows * row + 4 * sizes::gap2);
  popup_->move(mapToGlobal(QPoint(0, height() + sizes::gap1)));
  popup_->show();
  search_->setFocus();
}

void RunSwitcher::fill(const QString& typed) {
  list_->clear();
  const auto snapshot = context_.workspace.snapshot();
  for (const RunStatus& run : snapshot->runs) {
    const QString name = QString::fromStdString(run.name);
    if (!name.contains(typed, Qt::CaseInsensitive)) continue;
    if (typed.isEmpty() && list_->count() >= shown_runs) break;
    const QColor colour = context_.colours.colour(QString::fromStdString(run.id));
    auto* item = new QListWidgetItem(QIcon(dot_pixmap(colour, devicePixelRatioF())),
                                     QStringLiteral("%1   %2").arg(name, chip_word(chip_state(run.state))), list_);
    item->setData(folder_role, QString::fromStdString(run.path));
    item->setSizeHint(QSize(0, theme().px(sizes::row_compact)));
    if (item->data(folder_role).toString() == context_.state.current_run()) list_->setCurrentItem(item);
  }
  if (list_->currentRow() < 0 || !typed.isEmpty()) list_->setCurrentRow(0);
}

void RunSwitcher::choose() {
  const QListWidgetItem* item = list_->currentItem();
  if (item == nullptr) return;
  const QString folder = item->data(folder_role).toString();
  popup_->hide();
  context_.state.set_current_run(folder);
}

bool RunSwitcher::eventFilter(QObject* watched, QEvent* event) {
  if (watched == search_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    const int step = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
    if (step != 0 && list_->count() > 0) {
      list_->setCurrentRow(std::clamp(list_->currentRow() + step, 0, list_->count() - 1));
      return true;
    }
  }
  return QPushButton::eventFilter(watched, event);
}

}  // namespace disco::ui
