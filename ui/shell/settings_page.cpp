// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/settings_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QThread>
#include <QVBoxLayout>

#include "engine/base/version.h"
#include "ui/shell/actions.h"
#include "ui/shell/app_state.h"
#include "ui/shell/engine_client.h"
#include "ui/shell/serve_client.h"
#include "ui/shell/settings.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/card.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/notices.h"

namespace disco::ui {
namespace {

constexpr int label_width = 150;

/// A settings group: card with [Restore] and rows of label and field.
class Group : public Card {
 public:
  Group(const QString& id, const QString& title) : Card(title) { setObjectName(id); }

  void add_restore(std::function<void()> restore) {
    auto* button = new QPushButton(SettingsPage::tr("Restore"), this);
    set_role(button, "flat");
    button->setAccessibleName(SettingsPage::tr("Restore %1").arg(objectName()));
    connect(button, &QPushButton::clicked, this, std::move(restore));
    tools()->addWidget(button);
  }
  QHBoxLayout* add_row(const QString& label, QWidget* field) {
    auto* line = new QHBoxLayout;
    auto* words = new QLabel(label, this);
    words->setFixedWidth(theme().px(label_width));
    connect(&theme(), &Theme::changed, words, [words] { words->setFixedWidth(theme().px(label_width)); });
    words->setBuddy(field);
    if (field->accessibleName().isEmpty()) field->setAccessibleName(label);
    line->addWidget(words);
    line->addWidget(field, 1);
    body()->addLayout(line);
    return line;
  }
  void add_help(const QString& text) {
    auto* help = new QLabel(text, this);
    set_role(help, "caption");
    help->setWordWrap(true);
    body()->addWidget(help);
  }
};

QCheckBox* check(PageContext& context, const SettingKey<bool>& key, const QString& text) {
  auto* box = new QCheckBox(text);
  const auto show = [&context, box, key] {
    const QSignalBlocker quiet(box);
    box->setChecked(context.settings.get(key));
  };
  show();
  QObject::connect(box, &QCheckBox::toggled, box, [&context, key](bool on) { context.settings.set(key, on); });
  QObject::connect(&context.settings, &Settings::changed, box, show);
  return box;
}

}  // namespace

void apply_appearance(const Settings& settings) {
  theme().set_mode(static_cast<Theme::Mode>(std::clamp(settings.get(keys::theme_mode), 0, 2)));
  theme().set_text_percent(settings.get(keys::text_percent));
  theme().set_less_motion(settings.get(keys::less_motion));
}

void choose_workspace(PageContext& context, QWidget* window) {
  const QString chosen =
      QFileDialog::getExistingDirectory(window, SettingsPage::tr("Choose workspace"), context.state.workspace());
  if (chosen.isEmpty()) return;
  if (!QFileInfo(chosen).isWritable()) {
    context.notices.post({Severity::bad,
                          SettingsPage::tr("%1 cannot be written. Runs stay in %2.")
                              .arg(words::path(chosen), words::path(context.state.workspace())),
                          {},
                          {},
                          {}});
    return;
  }
  context.state.set_workspace(chosen);
}

SettingsPage::SettingsPage(PageContext& context) : context_(context), scroll_(new QScrollArea(this)) {
  auto* column = new QWidget;
  set_role(column, "page");
  auto* groups = new QVBoxLayout(column);
  groups->setContentsMargins(0, 0, sizes::gap4, sizes::gap4);
  groups->setSpacing(sizes::gap3);
  auto* title = new QLabel(tr("Settings"), column);
  set_role(title, "title");
  groups->addWidget(title);
  for (QWidget* group : {appearance(), workspace(), engine(), notifications(), plots(), about()})
    groups->addWidget(group);
  groups->addStretch(1);
  const auto fit = [column] { column->setMaximumWidth(theme().px(sizes::settings_column) + sizes::gap4); };
  fit();
  connect(&theme(), &Theme::changed, column, fit);
  scroll_->setWidget(column);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setAccessibleName(tr("Settings"));
  scroll_->setFocusPolicy(Qt::NoFocus);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(sizes::gap4, sizes::gap3, 0, 0);
  layout->addWidget(scroll_);
}

QStringList SettingsPage::tabs() const {
  QStringList ids;
  for (const Card* group : findChildren<Card*>()) ids << group->objectName();
  return ids;
}

bool SettingsPage::show_tab(const QString& id) {
  auto* group = findChild<Card*>(id);
  if (group == nullptr) return false;
  group_ = id;
  scroll_->widget()->layout()->activate();
  scroll_->verticalScrollBar()->setValue(group->y() - sizes::gap3);
  for (QWidget* field : group->findChildren<QWidget*>())
    if ((field->focusPolicy() & Qt::TabFocus) != 0 && field->property("role").toString() != QLatin1String("flat")) {
      field->setFocus(Qt::OtherFocusReason);
      break;
    }
  return true;
}

QWidget* SettingsPage::appearance() {
  auto* group = new Group(QStringLiteral("appearance"), tr("Appearance"));
  auto* mode = new QComboBox;
  mode->addItems({tr("As the system"), tr("Light"), tr("Dark")});
  connect(mode, &QComboBox::activated, this, [this](int index) { context_.settings.set(keys::theme_mode, index); });
  group->add_row(tr("Theme"), mode)->addStretch(1);
  auto* text = new QSlider(Qt::Horizontal);
  text->setRange(85, 150);
  text->setSingleStep(5);
  text->setPageStep(10);
  auto* percent = new QLabel;
  percent->setMinimumWidth(theme().px(48));
  percent->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  // Applied when the handle is let go: every step lays the whole window out again under the pointer.
  text->setTracking(false);
  connect(text, &QSlider::sliderMoved, percent,
          [percent](int value) { percent->setText(words::percent(value / 100.0, 0)); });
  connect(text, &QSlider::valueChanged, this, [this](int value) { context_.settings.set(keys::text_percent, value); });
  group->add_row(tr("Text size"), text)->addWidget(percent);
  group->body()->addWidget(check(context_, keys::less_motion, tr("Less motion")));
  const auto show = [this, mode, text, percent] {
    const QSignalBlocker quiet(text);
    mode->setCurrentIndex(context_.settings.get(keys::theme_mode));
    text->setValue(context_.settings.get(keys::text_percent));
    percent->setText(words::percent(text->value() / 100.0, 0));
  };
  show();
  connect(&context_.settings, &Settings::changed, group, show);
  group->add_restore([this] {
    context_.settings.restore(keys::theme_mode);
    context_.settings.restore(keys::text_percent);
    context_.settings.restore(keys::less_motion);
  });
  return group;
}

QWidget* SettingsPage::workspace() {
  auto* group = new Group(QStringLiteral("workspace"), tr("Workspace"));
  auto* folder = new ElidedLabel(Qt::ElideMiddle);
  auto* choose = new QPushButton(tr("Choose…"));
  choose->setAccessibleName(tr("Choose workspace"));
  const auto show = [this, folder] { folder->set_text(words::path(context_.state.workspace())); };
  show();
  connect(&context_.state, &AppState::workspace_changed, folder, show);
  connect(choose, &QPushButton::clicked, this, [this] { choose_workspace(context_, window()); });
  group->add_row(tr("Folder"), folder)->addWidget(choose);
  group->add_help(tr("Each run is a folder in it. Runs of the workspace before stay where they are."));
  group->add_restore([this] { context_.state.set_workspace(AppState::default_workspace()); });
  return group;
}

QWidget* SettingsPage::engine() {
  auto* group = new Group(QStringLiteral("engine"), tr("Engine"));
  auto* program = new QLineEdit;
  auto* choose = new QPushButton(tr("Choose…"));
  choose->setAccessibleName(tr("Choose engine program"));
  auto* found = new QLabel;
  set_role(found, "caption");
  found->setWordWrap(true);
  program->setPlaceholderText(tr("Found by itself"));
  const auto show = [this, program, found] {
    const QString chosen = context_.settings.get(keys::engine_program);
    if (program->text() != chosen) program->setText(chosen);
    const QString used = context_.engine.program();
    const bool missing = used.isEmpty();
    found->setText(!missing           ? tr("Uses %1").arg(words::path(used))
                   : chosen.isEmpty() ? tr("disco-engine was found neither beside this program nor in PATH.")
                                      : tr("%1 is no program that can be run.").arg(words::path(chosen)));
    set_role(found, missing ? "bad" : "caption");
    set_problem(program, missing ? found->text() : QString());
  };
  show();
  connect(&context_.settings, &Settings::changed, group, show);
  connect(program, &QLineEdit::editingFinished, this, [this, program] {
    if (program->text().trimmed() == context_.settings.get(keys::engine_program)) return;
    context_.settings.set(keys::engine_program, program->text().trimmed());
    context_.serve.restart();
  });
  connect(choose, &QPushButton::clicked, this, [this] {
    const QString chosen = QFileDialog::getOpenFileName(this, tr("Choose engine program"));
    if (chosen.isEmpty()) return;
    context_.settings.set(keys::engine_program, chosen);
    context_.serve.restart();
  });
  group->add_row(tr("Program"), program)->addWidget(choose);
  group->body()->addWidget(found);
  auto* threads = new QSpinBox;
  threads->setRange(1, std::max(1, QThread::idealThreadCount()));
  threads->setValue(context_.settings.get(keys::serve_threads));
  connect(threads, &QSpinBox::valueChanged, this, [this](int value) {
    context_.settings.set(keys::serve_threads, value);
    context_.serve.restart();
  });
  group->add_row(tr("Threads of Try it"), threads)->addStretch(1);
  group->add_help(tr("Questions are answered beside training; more threads answer sooner and slow training down."));
  group->add_restore([this, threads] {
    context_.settings.restore(keys::engine_program);
    context_.serve.restart();
    threads->setValue(keys::serve_threads.fallback);
  });
  return group;
}

QWidget* SettingsPage::notifications() {
  auto* group = new Group(QStringLiteral("notifications"), tr("Notifications"));
  group->body()->addWidget(
      check(context_, keys::notify_ends, tr("Tell me when a run ends or fails while the window is not in front")));
  group->add_restore([this] { context_.settings.restore(keys::notify_ends); });
  return group;
}

QWidget* SettingsPage::plots() {
  auto* group = new Group(QStringLiteral("plots"), tr("Plots"));
  auto* smoothing = new QDoubleSpinBox;
  smoothing->setRange(0, 0.999);
  smoothing->setDecimals(3);
  smoothing->setSingleStep(0.05);
  const auto show = [this, smoothing] {
    const QSignalBlocker quiet(smoothing);
    smoothing->setValue(context_.settings.get(keys::smoothing));
  };
  show();
  connect(&context_.settings, &Settings::changed, group, show);
  connect(smoothing, &QDoubleSpinBox::valueChanged, this,
          [this](double value) { context_.settings.set(keys::smoothing, value); });
  group->add_row(tr("Smoothing"), smoothing)->addStretch(1);
  group->add_help(tr("0 draws every step as measured; 0.9 draws about the mean of the last 10 steps."));
  group->add_restore([this] { context_.settings.restore(keys::smoothing); });
  return group;
}

QWidget* SettingsPage::about() {
  auto* group = new Group(QStringLiteral("about"), tr("Shortcuts and about"));
  auto* line = new QHBoxLayout;
  auto* shortcuts = new QPushButton(tr("Shortcuts"));
  connect(shortcuts, &QPushButton::clicked, this, [this] { context_.actions.action("help.shortcuts")->trigger(); });
  const QString number = QString::fromUtf8(version().data(), static_cast<qsizetype>(version().size()));
  line->addWidget(new QLabel(tr("DisCo Studio %1, with Qt %2").arg(number, QLatin1String(qVersion()))), 1);
  line->addWidget(shortcuts);
  group->body()->addLayout(line);
  group->add_help(
      tr("Trains vision-language models and shows what happens. Free software under the GNU General Public "
         "License, version 3 or later. Plots by QCustomPlot."));
  return group;
}

QList<QPair<QString, QString>> settings_groups() {
  return {{QStringLiteral("appearance"), SettingsPage::tr("Appearance")},
          {QStringLiteral("workspace"), SettingsPage::tr("Workspace")},
          {QStringLiteral("engine"), SettingsPage::tr("Engine")},
          {QStringLiteral("notifications"), SettingsPage::tr("Notifications")},
          {QStringLiteral("plots"), SettingsPage::tr("Plots")},
          {QStringLiteral("about"), SettingsPage::tr("Shortcuts and about")}};
}

Page* make_settings_page(PageContext& context) { return new SettingsPage(context); }

}  // namespace disco::ui
