// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/field_editor.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QFileDialog>
#include <QFileInfo>
#include <QFileSystemModel>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QWheelEvent>

#include "engine/base/number.h"
#include "ui/theme/theme.h"

namespace disco::ui {

namespace {

constexpr int field_width = 280;

/// Lets the wheel through to the page unless the control has the focus.
class WheelGuard : public QObject {
 public:
  using QObject::QObject;
  bool eventFilter(QObject* watched, QEvent* event) override {
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (event->type() != QEvent::Wheel || widget == nullptr || widget->hasFocus()) return false;
    event->ignore();
    return true;
  }
};

QHBoxLayout* row_layout(QWidget* owner) {
  auto* layout = new QHBoxLayout(owner);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(sizes::gap2);
  return layout;
}

void add_unit(QHBoxLayout* layout, const std::string& unit, QWidget* parent) {
  if (!unit.empty()) {
    auto* label = new QLabel(QString::fromStdString(unit), parent);
    set_role(label, "caption");
    layout->addWidget(label);
  }
  layout->addStretch(1);
}

class ToggleEditor : public FieldEditor {
 public:
  ToggleEditor(const Setting& setting, QWidget* parent) : FieldEditor(parent) {
    box_ = new QCheckBox(FieldEditor::tr("On"), this);
    auto* layout = row_layout(this);
    layout->addWidget(box_);
    add_unit(layout, setting.unit, this);
    connect(box_, &QCheckBox::toggled, this, [this](bool on) { Q_EMIT edited(Json(on)); });
  }
  void show_value(const Json& value) override {
    const QSignalBlocker quiet(box_);
    box_->setChecked(value.is_boolean() && value.get<bool>());
  }
  [[nodiscard]] QWidget* control() const override { return box_; }

 private:
  QCheckBox* box_;
};

class ChoiceEditor : public FieldEditor {
 public:
  ChoiceEditor(const Setting& setting, QWidget* parent) : FieldEditor(parent) {
    box_ = new QComboBox(this);
    box_->setFixedWidth(theme().px(field_width));
    box_->installEventFilter(new WheelGuard(box_));
    box_->setFocusPolicy(Qt::StrongFocus);
    for (const SettingChoice& choice : setting.choices) {
      box_->addItem(QString::fromStdString(choice.label), QString::fromStdString(choice.id));
      box_->setItemData(box_->count() - 1, QString::fromStdString(choice.help), Qt::ToolTipRole);
    }
    auto* layout = row_layout(this);
    layout->addWidget(box_);
    layout->addStretch(1);
    connect(box_, &QComboBox::activated, this,
            [this](int index) { Q_EMIT edited(Json(box_->itemData(index).toString().toStdString())); });
  }
  void show_value(const Json& value) override {
    const QString id = text_of_value(value);
    int index = box_->findData(id);
    if (index < 0) {  // an id that this version does not know: shown as it is, so that nothing is hidden
      box_->addItem(id, id);
      index = box_->count() - 1;
    }
    box_->setCurrentIndex(index);
  }
  [[nodiscard]] QWidget* control() const override { return box_; }

 private:
  QComboBox* box_;
};

/// A line of text; numbers and the budget add the arrow keys.
class LineEditor : public FieldEditor {
 public:
  explicit LineEditor(QWidget* parent) : FieldEditor(parent) {
    line_ = new QLineEdit(this);
    line_->setFixedWidth(theme().px(field_width));
    line_->installEventFilter(this);
    connect(line_, &QLineEdit::textEdited, this, [this](const QString& text) { Q_EMIT edited(value_of(text)); });
  }
  void show_value(const Json& value) override {
    if (value_of(line_->text()) == value && !line_->text().isEmpty()) return;
    const QString text = text_of(value);
    if (text != line_->text()) line_->setText(text);
  }
  [[nodiscard]] QWidget* control() const override { return line_; }

 protected:
  [[nodiscard]] virtual Json value_of(const QString& text) const { return text.toStdString(); }
  [[nodiscard]] virtual QString text_of(const Json& value) const { return text_of_value(value); }
  virtual bool step(int /*direction*/) { return false; }
  void type(const QString& text) {
    line_->setText(text);
    line_->selectAll();
    Q_EMIT edited(value_of(text));
  }
  [[nodiscard]] QLineEdit* line() const { return line_; }

  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::KeyPress) {
      const auto* key = static_cast<QKeyEvent*>(event);
      // Undo belongs to the whole form, not to the line.
      if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
        event->ignore();
        return true;
      }
      if (key->modifiers() == Qt::NoModifier && key->key() == Qt::Key_Up && step(1)) return true;
      if (key->modifiers() == Qt::NoModifier && key->key() == Qt::Key_Down && step(-1)) return true;
    }
    if (event->type() == QEvent::ShortcutOverride) {
      const auto* key = static_cast<QKeyEvent*>(event);
      if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
        event->ignore();
        return true;
      }
    }
    if (event->type() == QEvent::Wheel && line_->hasFocus()) {
      const int turn = static_cast<QWheelEvent*>(event)->angleDelta().y();
      if (turn != 0 && step(turn > 0 ? 1 : -1)) return true;
    }
    return FieldEditor::eventFilter(watched, event);
  }

 private:
  QLineEdit* line_;
};

class TextEditor : public LineEditor {
 public:
  TextEditor(const Setting& setting, QWidget* parent) : LineEditor(parent), list_(setting.kind == SettingKind::list) {
    auto* layout = row_layout(this);
    layout->addWidget(line());
    add_unit(layout, setting.unit, this);
  }

 protected:
  [[nodiscard]] Json value_of(const QString& text) const override {
    if (!list_) return text.toStdString();
    Json items = Json::array();
    for (const QString& item : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
      items.push_back(item.trimmed().toStdString());
    return items;
  }

 private:
  bool list_;
};

class NumberEditor : public LineEditor {
 public:
  NumberEditor(const Setting& setting, QWidget* parent) : LineEditor(parent), setting_(setting) {
    auto* layout = row_layout(this);
    layout->addWidget(line());
    add_unit(layout, setting.unit, this);
  }

 protected:
  [[nodiscard]] Json value_of(const QString& text) const override { return number_from_text(text, setting_.unit); }
  bool step(int direction) override {
    const Json value = value_of(line()->text());
    if (!value.is_number()) return true;
    double next = stepped(value.get<double>(), direction, setting_.kind == SettingKind::integer);
    if (setting_.min && next < *setting_.min) next = setting_.above_min ? value.get<double>() : *setting_.min;
    if (setting_.above_min && setting_.min && next <= *setting_.min) next = value.get<double>();
    if (setting_.max && next > *setting_.max) next = *setting_.max;
    type(QString::fromStdString(number_text(next)));
    return true;
  }

 private:
  const Setting& setting_;
};

class BudgetEditor : public LineEditor {
 public:
  explicit BudgetEditor(QWidget* parent) : LineEditor(parent) {
    line()->setPlaceholderText(FieldEditor::tr("8 min, 500 steps, 10 epochs"));
    auto* layout = row_layout(this);
    layout->addWidget(line());
    layout->addStretch(1);
  }

 protected:
  [[nodiscard]] Json value_of(const QString& text) const override { return budget_from_text(text); }
  [[nodiscard]] QString text_of(const Json& value) const override { return budget_text(value); }
  bool step(int direction) override {
    Json budget = value_of(line()->text());
    for (auto& [key, value] : budget.items()) {
      if (!value.is_number() || value.get<double>() <= 0) continue;
      const double next = stepped(value.get<double>(), direction, true);
      if (next >= 1) value = key == "steps" || key == "samples" ? Json(static_cast<std::int64_t>(next)) : Json(next);
      type(budget_text(budget));
      break;
    }
    return true;
  }
};

/// A path with completion from the disk and the native dialog behind [Browse…].
class PathEditor : public LineEditor {
 public:
  PathEditor(const Setting& setting, QWidget* parent)
      : LineEditor(parent), label_(QString::fromStdString(setting.label)) {
    auto* layout = row_layout(this);
    browse_ = new QPushButton(FieldEditor::tr("Browse…"), this);
    browse_->setAccessibleName(FieldEditor::tr("Browse for %1").arg(label_));
    layout->addWidget(line());
    layout->addWidget(browse_);
    layout->addStretch(1);
    picks_file_ = setting.editor == Editor::file;
    connect(browse_, &QPushButton::clicked, this, [this] { browse(); });
    connect(line(), &QLineEdit::textEdited, this, [this] { complete(); });
  }
  void show_value(const Json& value) override {
    LineEditor::show_value(value);
    line()->setToolTip(line()->text());
  }
  void set_picks_file(bool file) override { picks_file_ = file; }

 private:
  /// The model of the disk is made with the first letter typed, not with the form.
  void complete() {
    if (line()->completer() != nullptr) return;
    auto* completer = new QCompleter(this);
    auto* disk = new QFileSystemModel(completer);
    disk->setOption(QFileSystemModel::DontWatchForChanges);
    disk->setOption(QFileSystemModel::DontUseCustomDirectoryIcons);
    disk->setRootPath(QString());
    completer->setModel(disk);
    line()->setCompleter(completer);
    connect(completer, qOverload<const QString&>(&QCompleter::activated), this,
            [this](const QString& path) { Q_EMIT edited(Json(path.toStdString())); });
  }
  void browse() {
    const QFileInfo present(line()->text());
    const QString start = line()->text().isEmpty() ? QDir::homePath() : present.absoluteFilePath();
    const QString path = picks_file_ ? QFileDialog::getOpenFileName(this, label_, start)
                                     : QFileDialog::getExistingDirectory(this, label_, start);
    if (!path.isEmpty()) type(path);
  }

  QString label_;
  QPushButton* browse_;
  bool picks_file_ = false;
};

}  // namespace

FieldEditor* make_editor(const Setting& setting, QWidget* parent) {
  switch (setting.kind) {
    case SettingKind::toggle:
      return new ToggleEditor(setting, parent);
    case SettingKind::choice:
      return new ChoiceEditor(setting, parent);
    case SettingKind::integer:
    case SettingKind::number:
      return new NumberEditor(setting, parent);
    case SettingKind::text:
    case SettingKind::list:
      break;
  }
  if (setting.editor == Editor::folder || setting.editor == Editor::file) return new PathEditor(setting, parent);
  return new TextEditor(setting, parent);
}

FieldEditor* make_budget_editor(QWidget* parent) { return new BudgetEditor(parent); }

}  // namespace disco::ui
