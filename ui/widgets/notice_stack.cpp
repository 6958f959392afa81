// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/notice_stack.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/icon.h"
#include "ui/theme/theme.h"

namespace disco::ui {
namespace {

constexpr int most_shown = 3;
constexpr int plain_time = 5000;
constexpr int action_time = 8000;

/// One notice on screen. Its clock stands still while the pointer rests on it or the keyboard is in it.
class NoticeCard : public QFrame {
 public:
  NoticeCard(Notices& notices, const Notices::Entry& entry, QWidget* parent) : QFrame(parent), id_(entry.id) {
    set_role(this, "raised");
    setFixedWidth(sizes::notice);
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(sizes::gap3, sizes::gap2, sizes::gap2, sizes::gap2);
    line->setSpacing(sizes::gap2);
    auto* mark = new QLabel(this);
    // A label keeps the pixmap it is given, so it is made again when the colours change.
    const auto draw = [mark, severity = entry.notice.severity] {
      const SeverityLook look = severity_look(severity);
      mark->setPixmap(icon_pixmap(QString::fromLatin1(look.icon), theme().colour(look.ink), theme().px(sizes::icon),
                                  mark->devicePixelRatioF()));
    };
    draw();
    connect(&theme(), &Theme::changed, mark, draw);
    words_ = new QLabel(this);
    words_->setWordWrap(true);
    line->addWidget(mark, 0, Qt::AlignVCenter);
    line->addWidget(words_, 1);
    if (!entry.notice.action.isEmpty()) {
      auto* button = new QPushButton(entry.notice.action, this);
      set_role(button, "link");
      connect(button, &QPushButton::clicked, this, [this, &notices] {
        notices.act(id_);
        deleteLater();
      });
      line->addWidget(button);
    }
    auto* close = new QToolButton(this);
    close->setIcon(icon("close"));
    close->setAutoRaise(true);
    close->setAccessibleName(QObject::tr("Close notice"));
    connect(close, &QToolButton::clicked, this, &QObject::deleteLater);
    line->addWidget(close);
    clock_.setSingleShot(true);
    clock_.setInterval(entry.notice.action.isEmpty() ? plain_time : action_time);
    connect(&clock_, &QTimer::timeout, this, &QObject::deleteLater);
    refresh(entry);
  }

  void refresh(const Notices::Entry& entry) {
    words_->setText(entry.times > 1 ? QObject::tr("%1 (%2 times)").arg(entry.notice.text).arg(entry.times)
                                    : entry.notice.text);
    setAccessibleName(words_->text());
    clock_.start();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
  }

  [[nodiscard]] int id() const { return id_; }

 protected:
  void enterEvent(QEnterEvent*) override { clock_.stop(); }
  void leaveEvent(QEvent*) override { clock_.start(); }

 private:
  int id_;
  QLabel* words_ = nullptr;
  QTimer clock_;
};

}  // namespace

NoticeStack::NoticeStack(Notices& notices, QWidget* parent, int bottom)
    : QWidget(parent), notices_(notices), bottom_(bottom) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(sizes::gap2);
  parent->installEventFilter(this);
  connect(&notices, &Notices::posted, this, &NoticeStack::show_entry);
  hide();
}

int NoticeStack::shown() const { return layout()->count(); }

void NoticeStack::show_entry(int id) {
  const auto& entries = notices_.entries();
  const auto found = std::find_if(entries.begin(), entries.end(), [id](const auto& entry) { return entry.id == id; });
  if (found == entries.end()) return;
  const QList<QWidget*> cards = findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
  for (QWidget* widget : cards) {
    if (auto* card = static_cast<NoticeCard*>(widget); card->id() == id) {
      card->refresh(*found);
      place();
      return;
    }
  }
  if (cards.size() >= most_shown) delete cards.first();
  auto* card = new NoticeCard(notices_, *found, this);
  layout()->addWidget(card);
  card->show();
  connect(card, &QObject::destroyed, this, &NoticeStack::place, Qt::QueuedConnection);
  place();
}

void NoticeStack::place() {
  if (layout()->count() == 0) {
    hide();
    return;
  }
  const int height =
      layout()->hasHeightForWidth() ? layout()->heightForWidth(sizes::notice) : layout()->sizeHint().height();
  setGeometry(parentWidget()->width() - sizes::notice - sizes::gap4,
              parentWidget()->height() - height - bottom_ - sizes::gap4, sizes::notice, height);
  show();
  raise();
}

bool NoticeStack::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible()) place();
  return QWidget::eventFilter(watched, event);
}

}  // namespace disco::ui
