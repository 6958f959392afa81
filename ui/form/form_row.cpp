// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/form_row.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include "engine/base/number.h"
#include "ui/form/field_editor.h"
#include "ui/theme/theme.h"

namespace disco::ui {

namespace {

constexpr int label_width = 150;
constexpr int dot_width = 16;

/// The mark of a changed setting; a click goes back to the preset.
class Dot : public QToolButton {
 public:
  using QToolButton::QToolButton;

 protected:
  void paintEvent(QPaintEvent* /*event*/) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPointF middle = QRectF(rect()).center();
    if (hasFocus() || underMouse()) {
      painter.setPen(QPen(theme().colour(Token::link), sizes::focus_ring));
      painter.drawEllipse(middle, 6.5, 6.5);
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().colour(Token::meter));
    painter.drawEllipse(middle, 3.5, 3.5);
  }
};

QString sentence(const std::string& text) {
  QString line = QString::fromStdString(text);
  if (!line.isEmpty() && !line.endsWith(QLatin1Char('.'))) line += QLatin1Char('.');
  return line;
}

QString range_words(const Setting& setting) {
  const auto number = [](double value) { return QString::fromStdString(number_text(value)); };
  if (setting.min && setting.max)
    return setting.above_min ? FormRow::tr("more than %1, at most %2").arg(number(*setting.min), number(*setting.max))
                             : FormRow::tr("%1 to %2").arg(number(*setting.min), number(*setting.max));
  if (setting.min)
    return setting.above_min ? FormRow::tr("more than %1").arg(number(*setting.min))
                             : FormRow::tr("at least %1").arg(number(*setting.min));
  return {};
}

QString tip_of(const Setting& setting) {
  QStringList lines{QString::fromStdString(setting.path)};
  if (!setting.unit.empty()) lines << FormRow::tr("Unit: %1").arg(QString::fromStdString(setting.unit));
  const QString usual = text_of_value(setting.default_value);
  lines << FormRow::tr("Default: %1").arg(usual.isEmpty() ? FormRow::tr("empty") : usual);
  if (const QString range = range_words(setting); !range.isEmpty()) lines << FormRow::tr("Range: %1").arg(range);
  for (const SettingChoice& choice : setting.choices)
    if (!choice.help.empty())
      lines << QString::fromStdString(choice.label) + QStringLiteral(": ") + QString::fromStdString(choice.help);
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

FormRow::FormRow(const Setting& setting, FieldEditor* (*make)(const Setting&, QWidget*), QWidget* parent)
    : QWidget(parent), setting_(setting) {
  dot_ = new Dot(this);
  dot_->setFixedSize(theme().px(dot_width), theme().px(dot_width));
  dot_->setFocusPolicy(Qt::TabFocus);
  QSizePolicy keep = dot_->sizePolicy();
  keep.setRetainSizeWhenHidden(true);  // nothing moves when it appears
  dot_->setSizePolicy(keep);
  auto* label = new QLabel(QString::fromStdString(setting.label), this);
  label->setFixedWidth(theme().px(label_width));
  label->setWordWrap(true);
  editor_ = make(setting_, this);
  help_ = new QLabel(this);
  help_->setWordWrap(true);
  help_->setTextFormat(Qt::RichText);
  help_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  label->setBuddy(editor_->control());
  editor_->control()->setAccessibleName(QString::fromStdString(setting.label));
  const QString tip = tip_of(setting_);
  label->setToolTip(tip);
  editor_->control()->setToolTip(tip);

  auto* layout = new QGridLayout(this);
  layout->setContentsMargins(0, sizes::gap1, 0, sizes::gap1);
  layout->setHorizontalSpacing(sizes::gap1);
  layout->setVerticalSpacing(sizes::gap1 / 2);
  layout->addWidget(dot_, 0, 0, Qt::AlignCenter);
  layout->addWidget(label, 0, 1, Qt::AlignVCenter);
  layout->addWidget(editor_, 0, 2);
  layout->addWidget(help_, 1, 2);
  layout->setColumnMinimumWidth(0, theme().px(dot_width));
  layout->setColumnStretch(2, 1);

  connect(editor_, &FieldEditor::edited, this, &FormRow::edited);
  connect(dot_, &QToolButton::clicked, this, &FormRow::back_clicked);
  connect(help_, &QLabel::linkActivated, this, [this] { Q_EMIT cure_clicked(); });
  dot_->hide();
  show_help();
}

QString FormRow::help_text() const {
  if (!setting_.help.empty()) return sentence(setting_.help);
  QString range = range_words(setting_);
  if (!range.isEmpty()) range[0] = range[0].toUpper();
  return sentence(range.toStdString());
}

void FormRow::show_value(const Json& value) { editor_->show_value(value); }

void FormRow::set_changed(bool changed, const QString& back) {
  changed_ = changed;
  dot_->setVisible(changed);
  const QString label = QString::fromStdString(setting_.label);
  dot_->setToolTip(tr("Back to the preset: %1").arg(back.isEmpty() ? tr("empty") : back));
  dot_->setAccessibleName(tr("%1: back to the preset").arg(label));
}

void FormRow::set_problem(const QString& problem, const QString& cure) {
  problem_ = problem;
  ui::set_problem(editor_->control(), problem);
  if (problem.isEmpty()) {
    show_help();
    return;
  }
  set_role(help_, "bad");
  help_->setText(cure.isEmpty()
                     ? problem.toHtmlEscaped()
                     : tr("%1 <a href=\"use\">Use %2</a>").arg(problem.toHtmlEscaped(), cure.toHtmlEscaped()));
  help_->show();
}

void FormRow::set_note(const QString& note) {
  note_ = note;
  if (problem_.isEmpty()) show_help();
}

void FormRow::show_help() {
  set_role(help_, "caption");
  QStringList parts;
  if (!note_.isEmpty()) parts << note_.toHtmlEscaped();
  if (const QString help = help_text(); !help.isEmpty()) parts << help.toHtmlEscaped();
  help_->setText(parts.join(QLatin1Char(' ')));
  help_->setVisible(!parts.isEmpty());
}

bool FormRow::matches(const QStringList& words) const {
  const QString all =
      QString::fromStdString(setting_.label + ' ' + setting_.path + ' ' + setting_.help + ' ' + setting_.section_label);
  return std::all_of(words.begin(), words.end(),
                     [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

void FormRow::take_focus() { editor_->control()->setFocus(Qt::OtherFocusReason); }

}  // namespace disco::ui
