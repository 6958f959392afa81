// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/enlarge_view.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <cmath>
#include <limits>

#include "ui/inspect/differing_words.h"
#include "ui/inspect/prediction_model.h"
#include "ui/inspect/probability_chart.h"
#include "ui/inspect/thumbnails.h"
#include "ui/theme/icon.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/meter.h"

namespace disco::ui {

namespace {

constexpr int picture_side = 384;
constexpr int small_picture_side = 240;
constexpr int view_side = 128;
constexpr int panel_width = 980;
constexpr int panel_height = 620;
constexpr int small_height = 640;  ///< below this the large picture shrinks
constexpr int curve_of_right = curves::accuracy;

/// A colour for each candidate that does not change with the step: the right one keeps the colour of accuracy.
QColor candidate_colour(int index, int correct) {
  if (index == correct) return theme().curve(curve_of_right);
  static constexpr std::array others{0, 1, 3, 6, 4, 8, 7, 5, 9};
  const int place = index < correct ? index : index - 1;
  return theme().curve(others[static_cast<std::size_t>(place) % others.size()]);
}

}  // namespace

EnlargeView::EnlargeView(PredictionModel& model, Thumbnails& pictures, QWidget* page)
    : QWidget(page), model_(model), pictures_(pictures) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Enlarged picture"));
  panel_ = new QFrame(this);
  set_role(panel_, "raised");
  auto* column = new QVBoxLayout(panel_);
  column->setContentsMargins(sizes::gap4, sizes::gap3, sizes::gap4, sizes::gap4);
  column->setSpacing(sizes::gap3);
  auto* head = new QHBoxLayout;
  title_ = new QLabel(panel_);
  set_role(title_, "heading");
  const auto tool = [this](const char* name, const QString& words) {
    auto* button = new QPushButton(panel_);
    button->setIcon(icon(name));
    button->setToolTip(words);
    button->setAccessibleName(words);
    return button;
  };
  before_ = tool("chevron-left", tr("Picture before (←)"));
  next_ = tool("chevron-right", tr("Next picture (→)"));
  close_ = tool("close", tr("Close (Esc)"));
  head->addWidget(title_, 1);
  head->addWidget(before_);
  head->addWidget(next_);
  head->addWidget(close_);
  column->addLayout(head);

  auto* body = new QHBoxLayout;
  body->setSpacing(sizes::gap4);
  auto* left = new QVBoxLayout;
  const auto label = [this](const char* role) {
    auto* made = new QLabel(panel_);
    set_role(made, role);
    return made;
  };
  picture_ = label("");
  picture_note_ = label("caption");
  auto* below = new QHBoxLayout;
  view_ = label("");
  view_note_ = label("caption");
  view_note_->setWordWrap(true);
  below->addWidget(view_);
  below->addWidget(view_note_, 1, Qt::AlignTop);
  left->addWidget(picture_);
  left->addWidget(picture_note_);
  left->addLayout(below);
  left->addStretch(1);
  body->addLayout(left);
  auto* right = new QVBoxLayout;
  right->setSpacing(sizes::gap2);
  captions_ = new QVBoxLayout;
  captions_->setSpacing(sizes::gap2);
  right->addLayout(captions_);
  right->addSpacing(sizes::gap2);
  auto* over_time = new QLabel(tr("Probability over training"), panel_);
  set_role(over_time, "caption");
  right->addWidget(over_time);
  chart_ = new ProbabilityChart(panel_);
  right->addWidget(chart_, 1);
  body->addLayout(right, 1);
  column->addLayout(body, 1);

  connect(before_, &QPushButton::clicked, this, [this] { step_picture(-1); });
  connect(next_, &QPushButton::clicked, this, [this] { step_picture(1); });
  connect(close_, &QPushButton::clicked, this, &EnlargeView::close_view);
  connect(chart_, &ProbabilityChart::stop_clicked, this, &EnlargeView::stop_wanted);
  connect(&model_, &PredictionModel::stop_changed, this, [this] {
    if (isVisible()) show_card();
  });
  connect(&pictures_, &Thumbnails::loaded, this, [this] {
    if (isVisible()) show_pictures();
  });
  page->installEventFilter(this);
  hide();
}

void EnlargeView::open(int row) {
  if (row < 0 || row >= model_.rowCount()) return;
  if (!isVisible()) focus_before_ = QApplication::focusWidget();
  id_ = model_.card(row).id;
  place();
  show();
  raise();
  setFocus(Qt::OtherFocusReason);
  show_card();
}

void EnlargeView::place() {
  setGeometry(parentWidget()->rect());
  const int w = std::min(theme().px(panel_width), width() - 2 * sizes::gap4);
  const int h = std::min(theme().px(panel_height), height() - 2 * sizes::gap4);
  panel_->setGeometry((width() - w) / 2, (height() - h) / 2, w, h);
}

void EnlargeView::show_card() {
  const PredictionEvent* event = model_.event();
  if (event == nullptr || model_.item_at(id_, model_.stop()) == nullptr) return close_view();
  const int row = model_.row_of(id_);
  title_->setText(tr("Step %1").arg(words::count(event->step)) +
                  (row >= 0 ? QStringLiteral(" · ") +
                                  tr("picture %1 of %2").arg(words::count(row + 1), words::count(model_.rowCount()))
                            : QString()));
  before_->setEnabled(row > 0);
  next_->setEnabled(row >= 0 && row + 1 < model_.rowCount());
  show_pictures();
  show_captions();
  show_chart();
}

void EnlargeView::show_pictures() {
  const int row = model_.row_of(id_);
  if (row < 0) return;
  const CardView& card = model_.card(row);
  const int large = height() < small_height ? small_picture_side : picture_side;
  const auto put = [&](QLabel* label, const QString& path, int side) {
    label->setFixedSize(side, side);
    label->setAlignment(Qt::AlignCenter);
    const auto found = pictures_.get(path, side, devicePixelRatioF());
    label->setPixmap(found.pixmap);
    return found.state;
  };
  const auto state = put(picture_, card.image, large);
  picture_->setAccessibleName(card.truth);
  picture_note_->setText(state == Thumbnails::State::missing
                             ? tr("%1 is missing").arg(card.image.section(QLatin1Char('/'), -2))
                             : QString());
  picture_note_->setVisible(!picture_note_->text().isEmpty());
  put(view_, card.view, view_side);
  view_note_->setText(tr("As the model sees it"));
}

void EnlargeView::show_captions() {
  const PredictionItem* item = model_.item_at(id_, model_.stop());
  if (item == nullptr || item->correct < 0 || item->correct >= static_cast<int>(item->candidates.size())) return;
  const QString truth = QString::fromStdString(item->candidates[static_cast<std::size_t>(item->correct)]);
  const std::size_t count = std::min(item->candidates.size(), item->probabilities.size());
  while (rows_.size() < count) {
    CaptionRow row{new QWidget(panel_), nullptr, nullptr, nullptr};
    auto* column = new QVBoxLayout(row.box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    auto* line = new QHBoxLayout;
    row.caption = new QLabel(row.box);
    row.caption->setWordWrap(true);
    row.caption->setTextFormat(Qt::RichText);
    row.percent = new QLabel(row.box);
    line->addWidget(row.caption, 1);
    line->addWidget(row.percent, 0, Qt::AlignTop);
    row.bar = new Meter(row.box);
    column->addLayout(line);
    column->addWidget(row.bar);
    captions_->addWidget(row.box);
    rows_.push_back(row);
  }
  const int winner = winner_of(*item);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    CaptionRow& row = rows_[i];
    row.box->setVisible(i < count);
    if (i >= count) continue;
    const QString caption = QString::fromStdString(item->candidates[i]);
    const bool right = static_cast<int>(i) == item->correct;
    const bool wins = static_cast<int>(i) == winner;
    const QString mark = right ? QStringLiteral("✓ ") : wins ? QStringLiteral("✕ ") : QString();
    const QString swatch = QStringLiteral("<span style=\"color:%1\">■</span> ")
                               .arg(candidate_colour(static_cast<int>(i), item->correct).name());
    const QString ground = theme().colour(Token::warn_bg).name();
    row.caption->setText(
        swatch + mark +
        (right ? caption.toHtmlEscaped() : marked_html(caption, difference(truth, caption).spans, ground)));
    row.percent->setText(words::percent(item->probabilities[i]));
    set_role(row.percent, wins ? "strong" : "text2");
    row.bar->set_share(item->probabilities[i]);
    row.bar->set_ink(right ? Token::ok : wins ? Token::bad : Token::control);
  }
}

void EnlargeView::show_chart() {
  const PredictionItem* now = model_.item_at(id_, model_.stop());
  if (now == nullptr) return;
  std::vector<double> steps;
  std::vector<ProbabilityChart::Line> lines(now->candidates.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i].colour = candidate_colour(static_cast<int>(i), now->correct);
    lines[i].strong = static_cast<int>(i) == now->correct;
  }
  for (int stop = 0; stop < model_.stops(); ++stop) {
    steps.push_back(static_cast<double>(model_.event_at(stop)->step));
    const PredictionItem* item = model_.item_at(id_, stop);
    for (std::size_t i = 0; i < lines.size(); ++i)
      lines[i].values.push_back(item != nullptr && i < item->probabilities.size()
                                    ? item->probabilities[i]
                                    : std::numeric_limits<double>::quiet_NaN());
  }
  chart_->set_lines(std::move(steps), std::move(lines));
  chart_->set_stop(model_.stop());
}

void EnlargeView::step_picture(int direction) {
  const int row = model_.row_of(id_) + direction;
  if (row < 0 || row >= model_.rowCount()) return;
  id_ = model_.card(row).id;
  show_card();
}

void EnlargeView::close_view() {
  if (!isVisible()) return;
  hide();
  if (focus_before_) focus_before_->setFocus(Qt::OtherFocusReason);
  Q_EMIT closed(model_.row_of(id_));
}

void EnlargeView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  QColor veil = theme().colour(Token::window);
  veil.setAlphaF(0.8F);
  painter.fillRect(rect(), veil);
}

void EnlargeView::keyPressEvent(QKeyEvent* event) {
  const bool control = (event->modifiers() & Qt::ControlModifier) != 0;
  switch (event->key()) {
    case Qt::Key_Escape:
      return close_view();
    case Qt::Key_Left:
    case Qt::Key_Right: {
      const int direction = event->key() == Qt::Key_Right ? 1 : -1;
      if (control)
        Q_EMIT stop_wanted(model_.stop() + direction);
      else
        step_picture(direction);
      return;
    }
    default:
      QWidget::keyPressEvent(event);
  }
}

void EnlargeView::mousePressEvent(QMouseEvent* event) {
  if (!panel_->geometry().contains(event->pos())) close_view();
}

bool EnlargeView::focusNextPrevChild(bool next) {
  // The focus goes round inside of the view.
  const std::array<QWidget*, 3> stops{before_, next_, close_};
  std::vector<QWidget*> usable{this};
  for (QWidget* stop : stops)
    if (stop->isEnabled()) usable.push_back(stop);
  const auto found = std::find(usable.begin(), usable.end(), QApplication::focusWidget());
  const auto count = static_cast<std::ptrdiff_t>(usable.size());
  const std::ptrdiff_t at = found == usable.end() ? 0 : found - usable.begin();
  usable[static_cast<std::size_t>((at + (next ? 1 : count - 1)) % count)]->setFocus(next ? Qt::TabFocusReason
                                                                                         : Qt::BacktabFocusReason);
  return true;
}

bool EnlargeView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && isVisible()) {
    place();
    show_pictures();
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace disco::ui
