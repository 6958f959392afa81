// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/try_page.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "engine/run/serve_protocol.h"
#include "ui/inspect/picture_area.h"
#include "ui/shell/actions.h"
#include "ui/shell/app_state.h"
#include "ui/shell/engine_client.h"
#include "ui/shell/run_watch.h"
#include "ui/shell/serve_client.h"
#include "ui/shell/settings.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/spinner.h"

namespace disco::ui {

namespace {

constexpr int typing_pause_milliseconds = 150;
constexpr int captions_width = 460;
constexpr int least_captions_width = 300;
constexpr std::int64_t latest = -1;

}  // namespace

TryPage::TryPage(PageContext& context, QWidget* parent) : Page(parent), context_(context) {
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(sizes::gap4, sizes::gap3, sizes::gap4, sizes::gap4);
  page->setSpacing(sizes::gap3);
  banner_ = new Banner(this);
  banner_->hide();
  page->addWidget(banner_);
  auto* columns = new QHBoxLayout;
  columns->setSpacing(sizes::gap3);
  build_picture_side(columns);
  build_captions_side(columns);
  page->addLayout(columns, 1);
  ask_delay_.setSingleShot(true);
  ask_delay_.setInterval(typing_pause_milliseconds);
  connect_all();
  captions_.set_captions(context_.settings.view(QStringLiteral("try/captions")).toStringList());
  const QString picture = context_.settings.view(QStringLiteral("try/picture")).toString();
  if (QFileInfo::exists(picture)) picture_->open(picture);
  take(context_.run.snapshot());
}

void TryPage::build_picture_side(QHBoxLayout* columns) {
  auto* side = new QVBoxLayout;
  side->setSpacing(sizes::gap2);
  picture_ = new PictureArea(this);
  side->addWidget(picture_, 1);
  auto* tools = new QHBoxLayout;
  tools->setSpacing(sizes::gap2);
  open_ = new QPushButton(tr("Open picture…"), this);
  paste_ = new QPushButton(tr("Paste"), this);
  data_ = new QPushButton(tr("From the data"), this);
  data_->setToolTip(tr("A watched picture of this run with its captions"));
  view_ = new QPushButton(tr("As the model sees it"), this);
  view_->setCheckable(true);
  for (QPushButton* button : {open_, paste_, data_, view_}) tools->addWidget(button);
  tools->addStretch(1);
  side->addLayout(tools);
  columns->addLayout(side, 3);
}

void TryPage::build_captions_side(QHBoxLayout* columns) {
  places_ = new QStackedWidget(this);
  places_->setMinimumWidth(theme().px(least_captions_width));
  places_->setMaximumWidth(theme().px(captions_width));
  auto* card = new Card(tr("Captions"), places_);
  auto* asking = new QLabel(tr("Asking"), card);
  set_role(asking, "caption");
  checkpoint_ = new QComboBox(card);
  checkpoint_->setAccessibleName(tr("Checkpoint to ask"));
  checkpoint_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  checkpoint_->setMinimumContentsLength(16);
  checkpoint_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  card->tools()->addWidget(asking);
  card->tools()->addWidget(checkpoint_);
  field_ = new QLineEdit(card);
  field_->setPlaceholderText(tr("Type a caption and press Enter"));
  field_->setAccessibleName(tr("New caption"));
  field_->installEventFilter(this);
  list_ = new QListView(card);
  list_->setModel(&captions_);
  delegate_ = new CaptionDelegate(captions_, list_);
  list_->setItemDelegate(delegate_);
  list_->setAccessibleName(tr("Captions, ranked"));
  list_->setFrameShape(QFrame::NoFrame);
  list_->setResizeMode(QListView::Adjust);
  list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  list_->setMouseTracking(true);
  list_->installEventFilter(this);
  hint_ = new QLabel(card);
  hint_->setWordWrap(true);
  set_role(hint_, "text2");
  spinner_ = new Spinner(card);
  spinner_->hide();
  time_ = new QLabel(card);
  set_role(time_, "caption");
  card->body()->addWidget(field_);
  card->body()->addWidget(hint_);
  card->body()->addWidget(list_, 1);
  card->body()->addWidget(spinner_);
  card->body()->addWidget(time_);
  places_->addWidget(card);
  nothing_ = new EmptyState(places_);
  places_->addWidget(nothing_);
  columns->addWidget(places_, 2);
}

void TryPage::connect_all() {
  connect(&context_.run, &RunWatch::updated, this, &TryPage::take);
  connect(open_, &QPushButton::clicked, this, &TryPage::open_picture);
  connect(paste_, &QPushButton::clicked, this, &TryPage::paste);
  connect(data_, &QPushButton::clicked, this, &TryPage::from_the_data);
  connect(view_, &QPushButton::toggled, picture_, &PictureArea::show_view);
  connect(picture_, &PictureArea::picture_changed, this, [this] {
    banner_->hide();
    captions_.clear_figures();
    store();
    ask_delay_.start();
  });
  connect(picture_, &PictureArea::failed, this,
          [this](const QString& sentence) { banner_->show_message(Severity::bad, sentence); });
  connect(picture_, &PictureArea::text_dropped, this, [this](const QString& text) { captions_.add(text); });
  connect(field_, &QLineEdit::returnPressed, this, [this] {
    captions_.add(field_->text());
    field_->clear();
  });
  connect(&captions_, &CaptionModel::captions_changed, this, [this] {
    store();
    show_hint();
    ask_delay_.start();
  });
  connect(&ask_delay_, &QTimer::timeout, this, &TryPage::ask);
  connect(checkpoint_, &QComboBox::activated, this, [this] {
    captions_.clear_figures();
    ask();
  });
  connect(&context_.serve, &ServeClient::ended, this, [this](const QString& sentence) {
    loaded_.clear();
    loading_.clear();
    if (!asking_) return;
    asking_ = false;
    problem(Error{tr("%1 Picture and captions are kept.").arg(sentence).toStdString(), {}, {}});
  });
  connect(banner_, &Banner::cure_clicked, this, [this] {
    banner_->hide();
    ask();
  });
  connect(nothing_, &EmptyState::primary_clicked, this, [this] {
    if (context_.state.current_run().isEmpty()) return context_.state.go_to(QStringLiteral("new"));
    if (const auto sent = context_.engine.command(run_, CommandKind::checkpoint); !sent) problem(sent.error());
  });
  connect(nothing_, &EmptyState::secondary_clicked, this, [this] { context_.state.go_to(QStringLiteral("runs")); });
  connect(&context_.state, &AppState::picture_offered, this, &TryPage::take_offered);
  Actions& actions = context_.actions;
  actions.handle("try.open", this, [this] { open_picture(); });
  actions.handle("try.paste", this, [this] { paste(); });
  actions.handle("page.main", this, [this] { ask(); });
  actions.handle("page.find", this, [this] { field_->setFocus(Qt::ShortcutFocusReason); });
}

void TryPage::activate() {
  active_ = true;
  take_offered();
  take(context_.run.snapshot());
  take_checkpoint();
}

void TryPage::deactivate() { active_ = false; }

std::int64_t TryPage::newest_step() const {
  return snapshot_ && snapshot_->checkpoints && !snapshot_->checkpoints->empty() ? snapshot_->checkpoints->back().step
                                                                                 : 0;
}

std::int64_t TryPage::chosen_step() const {
  const std::int64_t chosen = checkpoint_->currentData().isValid() ? checkpoint_->currentData().toLongLong() : latest;
  return chosen == latest ? newest_step() : chosen;
}

QString TryPage::model_folder(std::int64_t step) const {
  if (!snapshot_ || !snapshot_->checkpoints) return {};
  for (const CheckpointEvent& checkpoint : *snapshot_->checkpoints)
    if (checkpoint.step == step) return QDir(run_).filePath(QString::fromStdString(checkpoint.path));
  return {};
}

void TryPage::take(const std::shared_ptr<const RunSnapshot>& snapshot) {
  const bool other_checkpoints = !snapshot || !snapshot_ || snapshot->checkpoints != snapshot_->checkpoints;
  snapshot_ = snapshot;
  const QString run = snapshot_ ? QString::fromStdString(snapshot_->folder.string()) : QString();
  if (run != run_) {
    run_ = run;
    asked_step_ = 0;
    captions_.clear_figures();
    checkpoint_->clear();
    banner_->hide();
  }
  if (other_checkpoints) show_checkpoints();
  data_->setEnabled(snapshot_ && snapshot_->predictions && !snapshot_->predictions->empty());
  show_place();
  if (!active_ || newest_step() == 0) return;
  if (asked_step_ == 0) {
    if (!ask_delay_.isActive()) ask_delay_.start();  // a busy run brings news faster than the pause is long
  } else if (checkpoint_->currentData().toLongLong() == latest && newest_step() > asked_step_ && !asking_ &&
             (notice_shown_ || banner_->isHidden())) {
    notice_shown_ = true;
    banner_->show_message(Severity::info, tr("Step %1 is here").arg(words::count(newest_step())), tr("Ask again"));
  }
}

void TryPage::show_checkpoints() {
  const QVariant chosen = checkpoint_->currentData();
  const QSignalBlocker quiet(checkpoint_);
  checkpoint_->clear();
  if (newest_step() == 0) return;
  checkpoint_->addItem(tr("latest, step %1").arg(words::count(newest_step())), QVariant::fromValue<qlonglong>(latest));
  for (auto it = snapshot_->checkpoints->rbegin(); it != snapshot_->checkpoints->rend(); ++it)
    checkpoint_->addItem(
        it->best ? tr("step %1, best").arg(words::count(it->step)) : tr("step %1").arg(words::count(it->step)),
        QVariant::fromValue<qlonglong>(it->step));
  const int index = checkpoint_->findData(chosen);
  checkpoint_->setCurrentIndex(std::max(0, index));
}

void TryPage::show_place() {
  const bool no_run = context_.state.current_run().isEmpty() || shown_state_ == QStringLiteral("empty");
  if (no_run) {
    nothing_->set_content(QStringLiteral("try"), tr("No run is open"),
                          tr("Open a run to ask its checkpoints, or start one."));
    nothing_->set_buttons(tr("New run"), tr("Runs"));
  } else if (newest_step() == 0) {
    const auto* config = snapshot_ ? snapshot_->config.get() : nullptr;
    const bool live = snapshot_ && is_live(snapshot_->status.state);
    const std::int64_t every = config != nullptr ? config->checkpoint.every_steps : 0;
    nothing_->set_content(
        QStringLiteral("checkpoint"), tr("This run has nothing saved yet"),
        every > 0 && live ? tr("The first checkpoint comes at step %1.").arg(words::count(every)) : QString());
    nothing_->set_buttons(live ? tr("Save one now") : QString());
  }
  places_->setCurrentIndex(no_run || newest_step() == 0 ? 1 : 0);
  show_hint();
}

void TryPage::show_hint() {
  const int count = captions_.rowCount();
  QString words;
  if (count == 0)
    words = tr("Write what might be in the picture, a caption a line. Pasting several lines adds several.");
  else if (count == 1 && captions_.caption(0).similarity)
    words =
        tr("Similarity %1. Add a second caption to rank them.").arg(words::number(*captions_.caption(0).similarity, 2));
  else if (count == 1)
    words = tr("Add a second caption to rank them.");
  hint_->setText(words);
  hint_->setVisible(!words.isEmpty());
}

void TryPage::ask() {
  if (picture_->path().isEmpty() || captions_.rowCount() == 0 || newest_step() == 0 || !active_) return;
  const QString model = model_folder(chosen_step());
  if (model.isEmpty()) return;
  if (notice_shown_) banner_->hide();
  notice_shown_ = false;
  asking_ = true;
  asked_step_ = chosen_step();
  if (loaded_ == model) return rank();
  if (loading_ != model) load_then_ask(model);
}

void TryPage::load_then_ask(const QString& model) {
  loading_ = model;
  const QString words = tr("Loading step %1…").arg(words::count(asked_step_));
  spinner_->show();
  spinner_->start(words);
  context_.serve.ask(
      QStringLiteral("load"), write_json(LoadQuestion{model.toStdString()}), this,
      [this, model](const Result<Json>& answer) {
        if (loading_ == model) loading_.clear();
        if (!asking_) return;  // the helper ended, and that was said
        // A checkpoint may make room for a newer one while it is being read.
        if (!answer && chosen_step() > asked_step_) return ask();
        if (!answer) return problem(answer.error());
        LoadAnswer loaded;
        Problems problems;
        read_json(*answer, loaded, "", problems, UnknownKeys::ignore);
        loaded_ = model;
        delegate_->set_context_length(loaded.context_length);
        rank();
      },
      [this, words](const ProgressEvent& progress) {
        if (progress.total <= 0) return;
        spinner_->set_progress(static_cast<double>(progress.done) / static_cast<double>(progress.total),
                               words + QLatin1Char(' ') + words::file_size_of(progress.done, progress.total));
      });
}

void TryPage::rank() {
  const QStringList asked = captions_.captions();
  if (asked.isEmpty() || picture_->path().isEmpty()) {
    asking_ = false;
    spinner_->stop();
    spinner_->hide();
    return;
  }
  RankQuestion question;
  question.image = picture_->path().toStdString();
  for (const QString& caption : asked) question.captions.push_back(caption.toStdString());
  spinner_->show();
  spinner_->start(tr("Asking step %1…").arg(words::count(asked_step_)));
  asked_at_.start();
  context_.serve.ask(
      QStringLiteral("rank"), write_json(question), this,
      [this, asked, image = picture_->path()](const Result<Json>& answer) { take_answer(asked, image, answer); });
}

void TryPage::take_answer(const QStringList& asked, const QString& image, const Result<Json>& answer) {
  if (!asking_) return;  // the helper ended, and that was said
  asking_ = false;
  spinner_->stop();
  spinner_->hide();
  if (!answer) return problem(answer.error());
  if (image != picture_->path()) return;
  RankAnswer ranked;
  Problems problems;
  read_json(*answer, ranked, "", problems, UnknownKeys::ignore);
  captions_.take(asked, ranked);
  picture_->set_view(QString::fromStdString(ranked.view));
  time_->setText(tr("%n caption(s) in %1", nullptr, static_cast<int>(asked.size()))
                     .arg(asked_at_.elapsed() < 1000
                              ? tr("%1 ms").arg(words::count(asked_at_.elapsed()))
                              : words::duration(static_cast<double>(asked_at_.elapsed()) / 1000)));
  show_hint();
}

void TryPage::problem(const Error& error) {
  asking_ = false;
  notice_shown_ = false;
  spinner_->stop();
  spinner_->hide();
  banner_->show_message(Severity::bad, QString::fromStdString(error.message()), tr("Ask again"), context_.serve.log());
}

void TryPage::open_picture() {
  const QString start = picture_->path().isEmpty() ? QDir::homePath() : QFileInfo(picture_->path()).absolutePath();
  const QString path = QFileDialog::getOpenFileName(
      this, tr("Open picture"), start,
      tr("Pictures") + QStringLiteral(" (*.png *.jpg *.jpeg *.webp *.bmp *.tif *.tiff *.gif);;") + tr("All files") +
          QStringLiteral(" (*)"));
  if (!path.isEmpty()) picture_->open(path);
}

void TryPage::paste() {
  const QMimeData* held = QApplication::clipboard()->mimeData();
  if (held == nullptr || !picture_->take(*held))
    banner_->show_message(Severity::info, tr("The clipboard holds neither a picture nor text."));
}

void TryPage::from_the_data() {
  if (!snapshot_ || !snapshot_->predictions || snapshot_->predictions->empty()) return;
  const PredictionEvent& event = *snapshot_->predictions->back();
  if (event.items.empty()) return;
  const PredictionItem& item = event.items[next_from_data_++ % event.items.size()];
  picture_->open(QDir(run_).filePath(QString::fromStdString(item.image)));
  // Captions that a person wrote stay; those of the picture before make room.
  if (captions_.rowCount() > 0 && captions_.captions().toVector().size() > 0) {
    QStringList present = captions_.captions();
    present.sort();
    if (present != from_data_) return;
  }
  QStringList captions;
  for (const std::string& caption : item.candidates) captions << QString::fromStdString(caption);
  captions_.set_captions(captions);
  from_data_ = captions;
  from_data_.sort();
}

void TryPage::take_offered() {
  const QString path = context_.state.take_picture();
  if (!path.isEmpty()) picture_->open(path);
}

void TryPage::take_checkpoint() {
  const auto step = context_.state.take_checkpoint();
  const int index = step ? checkpoint_->findData(QVariant::fromValue<qlonglong>(*step)) : -1;
  if (index < 0 || index == checkpoint_->currentIndex()) return;
  checkpoint_->setCurrentIndex(index);
  captions_.clear_figures();
  ask();
}

void TryPage::store() {
  context_.settings.set_view(QStringLiteral("try/captions"), captions_.captions());
  context_.settings.set_view(QStringLiteral("try/picture"), picture_->path());
}

bool TryPage::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return Page::eventFilter(watched, event);
  auto* key = static_cast<QKeyEvent*>(event);
  if (watched == list_ && key->key() == Qt::Key_Delete) {
    const int row = list_->currentIndex().row();
    captions_.remove(row);
    list_->setCurrentIndex(captions_.index(std::min(row, captions_.rowCount() - 1)));
    return true;
  }
  if (watched == field_ && key->key() == Qt::Key_Down && captions_.rowCount() > 0) {
    list_->setFocus(Qt::OtherFocusReason);
    if (!list_->currentIndex().isValid()) list_->setCurrentIndex(captions_.index(0));
    return true;
  }
  if (watched == list_ && key->key() == Qt::Key_Up && list_->currentIndex().row() <= 0) {
    field_->setFocus(Qt::OtherFocusReason);
    return true;
  }
  if (watched == field_ && key->matches(QKeySequence::Paste)) {
    const QMimeData* held = QApplication::clipboard()->mimeData();
    if (held != nullptr && held->hasText() && held->text().trimmed().contains(QLatin1Char('\n'))) {
      captions_.add(held->text());
      return true;
    }
    if (held != nullptr && !held->hasText() && picture_->take(*held)) return true;
  }
  return Page::eventFilter(watched, event);
}

bool TryPage::show_state(const QString& state) {
  if (state == QStringLiteral("empty")) {
    shown_state_ = state;
    show_place();
    return true;
  }
  if (state == QStringLiteral("error")) {
    banner_->show_message(Severity::bad,
                          tr("%1 is not a picture. Readable: %2.").arg(QStringLiteral("notes.txt"), readable_kinds()));
    return true;
  }
  return false;
}

bool TryPage::settled() const { return !asking_ && !ask_delay_.isActive() && !picture_->loading(); }

Page* make_try_page(PageContext& context) { return new TryPage(context); }

}  // namespace disco::ui
