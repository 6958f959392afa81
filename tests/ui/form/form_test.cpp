// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QtTest>

#include "engine/run/run_config.h"
#include "engine/run/run_folder.h"
#include "engine/run/settings.h"
#include "ui/form/field_editor.h"
#include "ui/form/form_row.h"
#include "ui/form/form_view.h"
#include "ui/form/new_run_page.h"
#include "ui/shell/actions.h"
#include "ui/shell/services.h"
#include "ui/theme/theme.h"

namespace disco::ui {

namespace {

/// Another allowed value of a setting, as text that a person could type.
QString other_value(const Setting& setting, const Json& present) {
  if (setting.kind == SettingKind::text) return QStringLiteral("typed here");
  const double now = present.is_number() ? present.get<double>() : 0;
  double next = setting.kind == SettingKind::integer ? now + 1 : now * 0.5 + 0.01;
  if (setting.max && next > *setting.max) next = *setting.max == now ? *setting.min : *setting.max;
  return text_of_value(setting.kind == SettingKind::integer ? Json(static_cast<std::int64_t>(next)) : Json(next));
}

}  // namespace

/// The form of New run: made from the settings, every edit in the draft, every problem at its field.
class FormTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Theme> theme_;
  QTemporaryDir folder_;
  int files_ = 0;

  QString fresh_file() { return folder_.filePath(QStringLiteral("draft-%1.json").arg(++files_)); }

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    theme_ = std::make_unique<Theme>(*qApp);
  }

  void everySetting_hasARowWithLabelHelpAndName() {
    Draft draft(fresh_file());
    const FormView form(draft);
    QVERIFY(settings().size() > 30);
    for (const Setting& setting : settings()) {
      const bool budget = setting.path.starts_with("budget.");
      const FormRow* row = form.row(budget ? std::string(Draft::budget_path) : setting.path);
      QVERIFY2(row != nullptr, setting.path.c_str());
      QVERIFY2(!row->setting().label.empty(), setting.path.c_str());
      QVERIFY2(!row->help_text().isEmpty(), setting.path.c_str());
      QVERIFY2(!row->editor()->control()->accessibleName().isEmpty(), setting.path.c_str());
      QVERIFY2(row->editor()->control()->focusPolicy() & Qt::TabFocus, setting.path.c_str());
    }
  }

  void editing_changesTheConfiguration_data() {
    QTest::addColumn<QString>("path");
    for (const Setting& setting : settings())
      if (!setting.path.starts_with("budget."))
        QTest::newRow(setting.path.c_str()) << QString::fromStdString(setting.path);
  }
  void editing_changesTheConfiguration() {
    QFETCH(QString, path);
    Draft draft(fresh_file());
    FormView form(draft);
    form.set_show_all(true);
    FormRow* row = form.row(path.toStdString());
    const Json before = draft.value(row->path());
    QWidget* control = row->editor()->control();
    if (auto* box = qobject_cast<QCheckBox*>(control)) {
      box->click();
    } else if (auto* choice = qobject_cast<QComboBox*>(control)) {
      QVERIFY(choice->count() > 1);
      QTest::keyClick(choice, choice->currentIndex() + 1 < choice->count() ? Qt::Key_Down : Qt::Key_Up);
    } else {
      auto* line = qobject_cast<QLineEdit*>(control);
      QVERIFY(line != nullptr);
      line->selectAll();
      QTest::keyClicks(line, other_value(row->setting(), before));
    }
    const Json after = draft.value(row->path());
    QVERIFY2(after != before, after.dump().c_str());
    QVERIFY(draft.is_changed(row->path()));
    QVERIFY(row->is_changed());
    const LoadedConfig loaded = load_config(draft.overlay());
    QCOMPARE(value_at(write_json(loaded.config), row->path()).dump(), after.dump());
    QCOMPARE(draft.set_arguments().size(), 1);
    draft.undo_stack().undo();
    QCOMPARE(draft.value(row->path()).dump(), before.dump());
    QVERIFY(!row->is_changed());
  }

  void budget_isOneField() {
    Draft draft(fresh_file());
    FormView form(draft);
    auto* line = qobject_cast<QLineEdit*>(form.row(Draft::budget_path)->editor()->control());
    QCOMPARE(line->text(), QStringLiteral("8 min"));
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("500 steps"));
    const RunConfig config = load_config(draft.overlay()).config;
    QCOMPARE(config.budget.steps, std::int64_t{500});
    QCOMPARE(config.budget.minutes, 0.0);
    QCOMPARE(draft.changed_count(), 1);
    QCOMPARE(line->text(), QStringLiteral("500 steps"));
  }

  void sizes_followTheArchitecture() {
    Draft draft(fresh_file());
    const Json tiny = draft.value("model.clip.vision.width");
    draft.set_value("model.architecture", Json("clip-vit-b-32"), {});
    QCOMPARE(draft.value("model.clip.vision.width").dump(), std::string("768"));
    QVERIFY(draft.value("model.clip.vision.width") != tiny);
    QCOMPARE(draft.changed_count(), 1);
  }

  void aProblem_showsAtItsField_andUseGoesBack() {
    Draft draft(fresh_file());
    FormView form(draft);
    FormRow* row = form.row("optimizer.learning_rate");
    auto* line = qobject_cast<QLineEdit*>(row->editor()->control());
    const QString of_the_preset = line->text();
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("-0,001"));
    QCOMPARE(line->text(), QStringLiteral("-0,001"));
    const CheckedConfig checked = check_config(draft.overlay());
    QCOMPARE(checked.problems.size(), std::size_t{1});
    form.show_problems(checked.problems);
    QVERIFY2(row->problem().contains(QStringLiteral("more than 0")), qPrintable(row->problem()));
    QVERIFY(line->accessibleDescription().contains(QStringLiteral("more than 0")));
    int counted = 0;
    for (const FormSection& section : form.sections()) counted += section.problems;
    QCOMPARE(counted, 1);
    Q_EMIT row->cure_clicked();
    QCOMPARE(line->text(), of_the_preset);
    form.show_problems(check_config(draft.overlay()).problems);
    QVERIFY(row->problem().isEmpty());
  }

  void aProblemBelowARow_isShownAtTheNearestOne() {
    Draft draft(fresh_file());
    const FormView form(draft);
    QCOMPARE(form.row_for_problem("budget.epochs"), form.row(Draft::budget_path));
    QCOMPARE(form.row_for_problem("data.path"), form.row("data.path"));
    QCOMPARE(form.row_for_problem("no.such.thing"), nullptr);
  }

  void rows_showWhatMatters() {
    Draft draft(fresh_file());
    FormView form(draft);
    QVERIFY(form.row("data.path")->isHidden());
    draft.set_value("data.source", Json("folder"), {});
    QVERIFY(!form.row("data.path")->isHidden());
    QVERIFY(form.row("data.image_column")->isHidden());
    QVERIFY(form.row("optimizer.beta1")->isHidden());
    form.set_filter(QStringLiteral("beta"));
    QVERIFY(!form.row("optimizer.beta1")->isHidden());
    QVERIFY(form.row("batch.size")->isHidden());
    form.set_filter(QStringLiteral("no such words"));
    QCOMPARE(form.visible_rows(), 0);
    form.set_filter({});
    form.set_show_all(true);
    QVERIFY(!form.row("optimizer.beta1")->isHidden());
  }

  void draft_survivesAKill() {
    const QString file = fresh_file();
    {
      Draft draft(file);
      draft.set_value("batch.size", Json(128), {});
      draft.set_value("optimizer.learning_rate", Json("fast"), {});
      draft.set_name(QStringLiteral("my run"));
      QTRY_VERIFY(draft.saved());
      // What lies on the disk now is all that a killed window leaves.
      QFile::copy(file, file + QStringLiteral(".copy"));
    }
    const Draft again(file + QStringLiteral(".copy"));
    QCOMPARE(again.value("batch.size").dump(), std::string("128"));
    QCOMPARE(again.value("optimizer.learning_rate").dump(), std::string("\"fast\""));
    QCOMPARE(again.name(), QStringLiteral("my run"));
    QCOMPARE(again.changed_count(), 2);
  }

  void aDamagedDraft_isSetAside() {
    const QString file = fresh_file();
    QFile damaged(file);
    QVERIFY(damaged.open(QIODevice::WriteOnly));
    damaged.write("{\"preset\": \"cartoons\", \"changes\": {");
    damaged.close();
    const Draft draft(file);
    QVERIFY(!draft.load_problem().isEmpty());
    QVERIFY(QFile::exists(file + QStringLiteral(".damaged")));
    QCOMPARE(draft.changed_count(), 0);
  }

  void undo_mergesTypingAndCoversAll() {
    Draft draft(fresh_file());
    draft.set_value("batch.size", Json(1), {});
    draft.set_value("batch.size", Json(12), {});
    draft.set_value("batch.size", Json(128), {});
    draft.set_value("seed", Json(7), {});
    QCOMPARE(draft.undo_stack().count(), 2);
    draft.reset_all();
    QCOMPARE(draft.changed_count(), 0);
    draft.undo_stack().undo();
    QCOMPARE(draft.changed_count(), 2);
    draft.undo_stack().undo();
    draft.undo_stack().undo();
    QCOMPARE(draft.changed_count(), 0);
    draft.undo_stack().redo();
    QCOMPARE(draft.value("batch.size").dump(), std::string("128"));
  }

  void backToThePreset_isNoChange() {
    Draft draft(fresh_file());
    const Json before = draft.value("batch.size");
    draft.set_value("batch.size", Json(128), {});
    draft.set_value("batch.size", before, {});
    QVERIFY(!draft.is_changed("batch.size"));
    QCOMPARE(draft.set_arguments().size(), 0);
  }
};

/// The page around the form, with the real services of the window.
class NewRunPageTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  struct Window {
    explicit Window(const QTemporaryDir& folder, const QString& draft)
        : services(folder.filePath(QStringLiteral("settings.ini")), {}),
          actions(&frame),
          context(services.context(actions)) {
      services.state.set_workspace(folder.filePath(QStringLiteral("workspace")));
      page = new NewRunPage(context, folder.filePath(draft), &frame);
      page->resize(1184, 760);
    }
    QWidget frame;
    Services services;
    Actions actions;
    PageContext context;
    NewRunPage* page;
  };

 private Q_SLOTS:
  void command_namesWhatDiffers() {
    Window window(folder_, QStringLiteral("command.json"));
    window.page->draft().set_value("batch.size", Json(128), {});
    window.page->draft().set_value("data.path", Json("/my pictures"), {});
    const QString command = window.page->command();
    QVERIFY2(command.contains(QStringLiteral(" train ")), qPrintable(command));
    QVERIFY2(command.contains(QStringLiteral("--preset cartoons")), qPrintable(command));
    QVERIFY2(command.contains(QStringLiteral("--set batch.size=128")), qPrintable(command));
    QVERIFY2(command.contains(QStringLiteral("'data.path=/my pictures'")), qPrintable(command));
  }

  void aTakenName_hasACure() {
    const std::string taken = folder_.filePath(QStringLiteral("workspace/cartoons-1")).toStdString();
    RunIdentity identity;
    identity.id = identity.name = "cartoons-1";
    QVERIFY(RunFolder::create(taken, identity, RunConfig{}).has_value());
    Window window(folder_, QStringLiteral("name.json"));
    QVERIFY(window.page->run_name() != QStringLiteral("cartoons-1"));
    window.page->draft().set_name(QStringLiteral("cartoons-1"));
    window.page->start();  // goes to the problem instead
    window.page->draft().set_name({});
    QVERIFY(window.page->run_name() != QStringLiteral("cartoons-1"));
  }

  void aProposal_becomesTheDraft_withTheNearestPreset() {
    Window window(folder_, QStringLiteral("proposal.json"));
    Json config{{"data", {{"source", "folder"}, {"path", folder_.path().toStdString()}, {"negatives_per_picture", 0}}},
                {"model", {{"architecture", "clip-tiny"}}},
                {"budget", {{"epochs", 60}}}};
    window.services.state.propose_draft(config, QStringLiteral("stamps-1"));
    QCOMPARE(window.page->draft().preset(), QStringLiteral("pictures"));
    QCOMPARE(window.page->run_name(), QStringLiteral("stamps-1"));
    QCOMPARE(window.page->draft().value("data.path").get<std::string>(), folder_.path().toStdString());
    const LoadedConfig loaded = load_config(window.page->draft().overlay());
    QCOMPARE(loaded.problems.size(), std::size_t{0});
    QCOMPARE(loaded.config.budget.epochs, 60.0);
  }

  void everyFocusableWidget_hasAName() {
    Window window(folder_, QStringLiteral("names.json"));
    window.page->form().set_show_all(true);
    for (const QWidget* widget : window.page->findChildren<QWidget*>()) {
      if ((widget->focusPolicy() & Qt::TabFocus) == 0 || widget->focusProxy() != nullptr ||
          !widget->isVisibleTo(window.page))
        continue;
      const auto* button = qobject_cast<const QAbstractButton*>(widget);
      const bool named = !widget->accessibleName().isEmpty() || (button != nullptr && !button->text().isEmpty()) ||
                         widget->inherits("QScrollArea") || widget->inherits("QLabel");
      QVERIFY2(named, qPrintable(QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') +
                                 widget->objectName()));
    }
  }
};

}  // namespace disco::ui

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  disco::ui::FormTest form;
  disco::ui::NewRunPageTest page;
  const int form_failures = QTest::qExec(&form, argc, argv);
  return form_failures + QTest::qExec(&page, argc, argv);
}
#include "form_test.moc"
