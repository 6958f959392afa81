// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/before_start.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QImageReader>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/form/token_flow.h"
#include "ui/shell/serve_client.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/meter.h"
#include "ui/widgets/spinner.h"

namespace disco::ui {

namespace {

constexpr int picture_side = 64;
constexpr int preview_pause_milliseconds = 400;
constexpr int measured_steps = 3;
constexpr int command_lines = 4;

QLabel* caption_above(const QString& words, QWidget* parent) {
  auto* label = new QLabel(words, parent);
  set_role(label, "caption");
  return label;
}

/// What the first samples depend on.
Json preview_key(const RunConfig& config) {
  return Json{{"data", write_json(config.data)},
              {"image", config.model.clip.vision.image_size},
              {"text", config.model.clip.text.context_length},
              {"seed", config.seed},
              {"checkpoint", config.model.checkpoint}};
}

/// A configuration to preview: a mistake in a setting that has nothing to do with it must not hide the pictures.
Json preview_config(const RunConfig& config) {
  RunConfig shown;
  shown.data = config.data;
  shown.model = config.model;
  shown.seed = config.seed;
  shown.budget.steps = 1'000'000;  // longer than any warm-up
  return write_json(shown);
}

/// What a measured step depends on.
Json measure_key(const RunConfig& config) {
  Json all = write_json(config);
  for (const char* section : {"budget", "evaluate", "checkpoint", "sample", "schedule", "optimizer"})
    all.erase(section);
  return all;
}

QString of_error(const Error& error) { return QString::fromStdString(error.message()); }

}  // namespace

BeforeStart::BeforeStart(ServeClient* serve, QWidget* parent) : QWidget(parent), serve_(serve) {
  reader_.setMaxThreadCount(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(sizes::gap1);

  column->addWidget(caption_above(tr("Memory"), this));
  memory_bar_ = new Meter(this);
  memory_bar_->setAccessibleName(tr("Memory"));
  memory_ = new QLabel(this);
  memory_->setWordWrap(true);
  memory_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  memory_->setAccessibleName(tr("Memory forecast"));
  column->addWidget(memory_bar_);
  column->addWidget(memory_);
  column->addSpacing(sizes::gap2);
  column->addWidget(caption_above(tr("Time"), this));
  time_ = new QLabel(this);
  time_->setWordWrap(true);
  column->addWidget(time_);
  column->addSpacing(sizes::gap2);
  column->addWidget(caption_above(tr("What the model sees"), this));
  build_samples(column);
  column->addSpacing(sizes::gap2);
  auto* command_head = new QHBoxLayout;
  command_head->addWidget(caption_above(tr("Command"), this));
  command_head->addStretch(1);
  copy_ = new QPushButton(tr("Copy"), this);
  copy_->setAccessibleName(tr("Copy the command"));
  set_role(copy_, "link");
  command_head->addWidget(copy_);
  column->addLayout(command_head);
  command_ = new QPlainTextEdit(this);
  command_->setReadOnly(true);
  command_->setTabChangesFocus(true);
  command_->setAccessibleName(tr("The command that would run"));
  command_->setFont(theme().font(FontRole::mono));
  command_->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  command_->setFixedHeight(QFontMetrics(command_->font()).lineSpacing() * command_lines + 2 * sizes::gap2);
  column->addWidget(command_);
  column->addStretch(1);

  connect(copy_, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(command_->toPlainText()); });
  connect(memory_, &QLabel::linkActivated, this, [this] {
    if (checked_.batch_that_fits) Q_EMIT batch_proposed(*checked_.batch_that_fits);
  });
  preview_delay_.setSingleShot(true);
  preview_delay_.setInterval(preview_pause_milliseconds);
  connect(&preview_delay_, &QTimer::timeout, this, &BeforeStart::ask_preview);
  measure_clock_.setInterval(1000);
  connect(&measure_clock_, &QTimer::timeout, this, [this] {
    ++measure_seconds_;
    update_time();
  });
  update_time();
}

BeforeStart::~BeforeStart() { reader_.waitForDone(); }

void BeforeStart::build_samples(QVBoxLayout* column) {
  spinner_ = new Spinner(this);
  spinner_->hide();
  column->addWidget(spinner_);
  samples_note_ = new QLabel(tr("Choose data, and its first pictures appear here as the model will see them."), this);
  samples_note_->setWordWrap(true);
  set_role(samples_note_, "text2");
  column->addWidget(samples_note_);
  for (SampleView& view : samples_) {
    view.box = new QWidget(this);
    auto* line = new QHBoxLayout(view.box);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(sizes::gap2);
    view.picture = new QLabel(view.box);
    view.picture->setFixedSize(picture_side, picture_side);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    view.tokens = new TokenFlow(view.box);
    view.count = caption_above({}, view.box);
    words->addWidget(view.tokens);
    words->addWidget(view.count);
    words->addStretch(1);
    line->addWidget(view.picture, 0, Qt::AlignTop);
    line->addLayout(words, 1);
    view.box->hide();
    column->addWidget(view.box);
  }
  skipped_ = caption_above({}, this);
  skipped_->setWordWrap(true);
  skipped_->hide();
  column->addWidget(skipped_);
}

void BeforeStart::show_config(const CheckedConfig& checked) {
  checked_ = checked;
  if (measured_ && measure_key(checked.config) != measured_for_) measured_.reset();
  update_memory();
  update_time();
  const bool data_fit = std::none_of(checked.problems.begin(), checked.problems.end(), [](const Problem& problem) {
    return problem.path.starts_with("data") || problem.path.starts_with("model");
  });
  const Json key = preview_key(checked.config);
  if (!data_fit) {
    preview_delay_.stop();
    forget_preview();
    show_samples({});
  } else if (key != preview_for_) {
    preview_delay_.start();
  }
}

void BeforeStart::show_command(const QString& command) {
  if (command != command_->toPlainText()) command_->setPlainText(command);
}

void BeforeStart::update_memory() {
  const Forecast& forecast = checked_.forecast;
  const auto available = static_cast<double>(forecast.available);
  const double needed = measured_ ? static_cast<double>(measured_->peak_bytes) : static_cast<double>(forecast.total);
  const bool too_big = available > 0 && needed > available;
  memory_bar_->set_share(needed > 0 && available > 0 ? needed / available : -1);
  memory_bar_->set_ink(too_big ? Token::bad : Token::meter);
  set_role(memory_, too_big ? "bad" : "text2");
  if (needed <= 0) {
    memory_words_ = tr("Known when the settings fit together.");
  } else if (too_big) {
    memory_words_ = tr("Needs %1, %2 are free.").arg(words::memory(needed), words::memory(available));
    if (checked_.batch_that_fits)
      memory_words_ +=
          QLatin1Char(' ') + tr("A batch of %1 would fit (%2). <a href=\"use\">Use</a>")
                                 .arg(words::count(*checked_.batch_that_fits),
                                      words::memory(static_cast<double>(checked_.bytes_of_batch_that_fits)));
  } else if (measured_) {
    memory_words_ = tr("%1, measured.").arg(words::memory_of(needed, available));
  } else {
    memory_words_ =
        tr("About %1 of %2, estimated. Measure to be sure.").arg(words::memory(needed), words::memory(available));
  }
  memory_->setText(memory_words_);
  Q_EMIT summary_changed();
}

void BeforeStart::update_time() {
  const RunConfig& config = checked_.config;
  const BudgetSettings& budget = config.budget;
  double steps = 0;
  if (budget.steps > 0) steps = static_cast<double>(budget.steps);
  if (budget.samples > 0) steps = std::ceil(static_cast<double>(budget.samples) / config.batch.size);
  if (budget.epochs > 0 && training_samples_ > 0)
    steps = std::ceil(budget.epochs * static_cast<double>(training_samples_) / config.batch.size);
  const double step_seconds = measured_ ? measured_->step_seconds : 0;
  if (measuring_) {
    time_words_ = tr("Measuring %n step(s)… %1 s", nullptr, measured_steps).arg(measure_seconds_);
  } else if (!checked_.problems.empty()) {
    time_words_ = tr("Known when the settings fit together.");
  } else if (budget.minutes > 0) {
    time_words_ =
        step_seconds > 0
            ? tr("About %1 steps in %2.")
                  .arg(words::count(qRound64(budget.minutes * 60 / step_seconds)), words::duration(budget.minutes * 60))
            : tr("%1. How many steps that is shows after the first 20.").arg(words::duration(budget.minutes * 60));
  } else if (steps > 0 && step_seconds > 0) {
    time_words_ = tr("%1 steps, about %2.").arg(words::count(qRound64(steps)), words::duration(steps * step_seconds));
  } else if (steps > 0) {
    time_words_ = tr("%1 steps. Measure to learn how long they take.").arg(words::count(qRound64(steps)));
  } else {
    time_words_ = tr("Known when the pictures are counted.");
  }
  time_->setText(time_words_);
  Q_EMIT summary_changed();
}

QString BeforeStart::summary() const {
  QString memory = memory_words_;
  if (const auto cut = memory.indexOf(QLatin1String(" <a")); cut >= 0) memory.truncate(cut);
  return memory == time_words_ ? memory : memory + QLatin1Char(' ') + time_words_;
}

void BeforeStart::ask_preview() {
  if (serve_ == nullptr) return;
  preview_for_ = preview_key(checked_.config);
  loading_ = true;
  samples_note_->hide();
  spinner_->show();
  spinner_->start(tr("Reading the first pictures…"));
  const Json body = write_json(PreviewQuestion{preview_config(checked_.config), static_cast<int>(samples_.size())});
  serve_->ask(
      QStringLiteral("preview"), body, this,
      [this, asked = preview_for_](const Result<Json>& answer) {
        if (asked == preview_for_) take_preview(answer);  // else the settings are other ones by now
      },
      [this, asked = preview_for_](const ProgressEvent& progress) {
        if (asked != preview_for_) return;
        const double share =
            progress.total > 0 ? static_cast<double>(progress.done) / static_cast<double>(progress.total) : -1;
        if (share >= 0) spinner_->set_progress(share, tr("Reading the first pictures…"));
      });
}

void BeforeStart::forget_preview() {
  preview_for_ = nullptr;
  loading_ = false;
  spinner_->stop();
  spinner_->hide();
}

void BeforeStart::take_preview(const Result<Json>& answer) {
  loading_ = false;
  spinner_->stop();
  spinner_->hide();
  PreviewAnswer preview;
  Problems problems;
  if (!answer) {
    const Error& error = answer.error();
    show_samples({});
    samples_note_->setText(of_error(error));
    samples_note_->show();
    preview_for_ = nullptr;
    if (checked_.config.data.source != DataKind::cartoons) Q_EMIT data_problem({"data.path", error.what, error.hint});
    return;
  }
  read_json(*answer, preview, "", problems, UnknownKeys::ignore);
  training_samples_ = preview.training_samples;
  show_samples(preview);
  update_time();
  Q_EMIT data_problem({});
}

void BeforeStart::show_samples(const PreviewAnswer& answer) {
  samples_note_->setText(tr("Choose data, and its first pictures appear here as the model will see them."));
  samples_note_->setVisible(answer.samples.empty());
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    SampleView& view = samples_[i];
    const bool used = i < answer.samples.size();
    view.box->setVisible(used);
    if (!used) continue;
    const PreviewSample& sample = answer.samples[i];
    QStringList tokens;
    for (const std::string& token : sample.tokens) tokens << QString::fromStdString(token);
    view.tokens->set_tokens(tokens, sample.cut);
    view.count->setText(tr("%1 of %2 tokens")
                            .arg(words::count(static_cast<qint64>(sample.tokens.size())),
                                 words::count(checked_.config.model.clip.text.context_length)));
    view.picture->setAccessibleName(tr("Picture: %1").arg(QString::fromStdString(sample.caption)));
    view.picture->setToolTip(QString::fromStdString(sample.caption + '\n' + sample.origin));
    view.picture->clear();
    const qreal ratio = devicePixelRatioF();
    reader_.start([this, i, ratio, path = QString::fromStdString(sample.image)] {
      QImageReader reader(path);
      const int side = qRound(picture_side * ratio);
      QImage image = reader.read().scaled(side, side, Qt::KeepAspectRatio, Qt::SmoothTransformation);
      image.setDevicePixelRatio(ratio);
      QMetaObject::invokeMethod(this, [this, i, image] { samples_[i].picture->setPixmap(QPixmap::fromImage(image)); });
    });
  }
  QStringList reasons;
  for (const std::string& reason : answer.skipped_reasons) reasons << QString::fromStdString(reason);
  skipped_->setVisible(answer.skipped > 0);
  skipped_->setText(tr("%1 used, %2 skipped: %3")
                        .arg(words::count(answer.training_samples + answer.held_out_samples),
                             words::count(answer.skipped), reasons.mid(0, 3).join(QStringLiteral("; "))));
}

void BeforeStart::measure() {
  if (serve_ == nullptr || measuring_ || !checked_.problems.empty()) return;
  measuring_ = true;
  measure_seconds_ = 0;
  measured_for_ = measure_key(checked_.config);
  measure_clock_.start();
  update_time();
  Q_EMIT measuring_changed();
  serve_->ask(QStringLiteral("measure"), write_json(MeasureQuestion{write_json(checked_.config), measured_steps}), this,
              [this](const Result<Json>& answer) { take_measure(answer); });
}

void BeforeStart::take_measure(const Result<Json>& answer) {
  measuring_ = false;
  measure_clock_.stop();
  measured_.reset();
  if (answer && measure_key(checked_.config) == measured_for_) {
    MeasureAnswer measured;
    Problems problems;
    read_json(*answer, measured, "", problems, UnknownKeys::ignore);
    if (measured.step_seconds > 0) measured_ = measured;
  }
  update_memory();
  update_time();
  if (!answer) {
    set_role(memory_, "bad");
    memory_->setText(tr("Not measured: %1").arg(of_error(answer.error()).toHtmlEscaped()));
  }
  Q_EMIT measuring_changed();
}

}  // namespace disco::ui
