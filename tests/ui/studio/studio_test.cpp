// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window drives the real disco-engine, as a person would: by its buttons and keys, in a workspace of its own.
// Nothing is asserted about how long anything takes; the limits are only there to end a test that hangs.
#include <signal.h>

#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QStandardPaths>
#include <QTableView>
#include <QTest>

#include "engine/base/files.h"
#include "engine/run/run_folder.h"
#include "tests/ui/studio/studio_window.h"
#include "ui/form/field_editor.h"
#include "ui/form/form_row.h"
#include "ui/form/form_view.h"
#include "ui/form/new_run_page.h"
#include "ui/inspect/caption_model.h"
#include "ui/inspect/picture_area.h"
#include "ui/inspect/try_page.h"
#include "ui/live/columns.h"
#include "ui/live/live_page.h"
#include "ui/runs/runs_page.h"
#include "ui/shell/engine_client.h"
#include "ui/shell/run_bar.h"
#include "ui/shell/serve_client.h"
#include "ui/theme/theme.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/state_chip.h"

namespace disco::ui {
namespace {

constexpr int patience = 180000;  // ms; one core may be shared with a whole build

#define TRY_VERIFY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, patience)

/// The banner with these words that shows on a page, or null.
Banner* banner(const QWidget& page, const QString& words) {
  for (auto* candidate : page.findChildren<Banner*>())
    if (candidate->isVisible() && candidate->sentence().contains(words)) return candidate;
  return nullptr;
}

/// A label of the page that shows these words, or null.
const QLabel* label(const QWidget& page, const QString& words) {
  for (const auto* candidate : page.findChildren<QLabel*>())
    if (candidate->isVisible() && candidate->text().contains(words)) return candidate;
  return nullptr;
}

bool works(ShownState state) {
  return state == ShownState::running || state == ShownState::evaluating || state == ShownState::saving;
}

}  // namespace

class StudioTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void init() { studio_ = std::make_unique<StudioWindow>(); }
  void cleanup() {
    studio_.reset();
  }
  void cleanupTestCase() { theme_.reset(); }
  void first_start_trains_cartoons();
  void killed_engine_is_resumed();
  void own_pictures_from_folder_to_finish();
  void problems_of_the_data_stop_the_start();
  void questions_while_training_goes_on();
  void killed_helper_comes_back();
  void killed_studio_leaves_the_run();

 private:
  [[nodiscard]] MainWindow& window() { return studio_->window(); }
  [[nodiscard]] RunStatus status() const { return studio_->status(); }
  [[nodiscard]] ChipState shown() { return window().findChild<RunBar*>()->findChild<StateChip*>()->state(); }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(&window(), key, modifiers);
  }
  void ask_about_a_sample();

  std::unique_ptr<Theme> theme_;
  std::unique_ptr<StudioWindow> studio_;
};

void StudioTest::initTestCase() {
  QStandardPaths::setTestModeEnabled(true);
  theme_ = std::make_unique<Theme>(*qApp);
}

// Empty state, one button, a run; pause, resume, save, stop.
void StudioTest::first_start_trains_cartoons() {
  auto* runs = studio_->page<RunsPage>();
  QVERIFY(runs != nullptr);
  QTRY_VERIFY(label(*runs, QStringLiteral("No runs yet")) != nullptr);
  QPushButton* train = button(*runs, QStringLiteral("Train on cartoons"));
  QVERIFY(train != nullptr);
  train->click();
  auto* live = studio_->page<LivePage>();
  QVERIFY(live != nullptr);
  TRY_VERIFY(status().step >= 3);
  QCOMPARE(shown(), ChipState::running);
  TRY_VERIFY(studio_->services().run.snapshot()->steps->line.size() >= 3);
  QVERIFY(status().loss.has_value());

  press(Qt::Key_F8);
  QCOMPARE(shown(), ChipState::pausing);
  TRY_VERIFY(status().state == ShownState::paused);
  TRY_VERIFY(shown() == ChipState::paused);
  const int supervisor = status().process;
  QVERIFY(supervisor > 0);
  TRY_VERIFY(children_of(supervisor).empty());  // memory is given back: the workers have ended
  const std::int64_t paused_at = status().step;
  QVERIFY(banner(*live, QStringLiteral("Paused at step")) != nullptr);

  press(Qt::Key_F8);
  TRY_VERIFY(status().step > paused_at);
  TRY_VERIFY(shown() == ChipState::running);
  QVERIFY(!children_of(supervisor).empty());

  const std::int64_t saved = studio_->newest_checkpoint();
  QPushButton* save = button(*window().findChild<RunBar*>(), QStringLiteral("Save"));
  QVERIFY(save != nullptr);
  save->click();
  QCOMPARE(save->text(), QStringLiteral("Saving…"));
  TRY_VERIFY(studio_->newest_checkpoint() > saved);
  TRY_VERIFY(save->text() == QStringLiteral("Save"));

  press(Qt::Key_F8, Qt::ShiftModifier);
  TRY_VERIFY(status().state == ShownState::stopped);
  QCOMPARE(studio_->newest_checkpoint(), status().step);
  // The event is written before the engine lets go of its run.
  TRY_VERIFY(!RunFolder(studio_->run_path(QStringLiteral("cartoons-1")).toStdString()).lock_holder());

  press(Qt::Key_1, Qt::ControlModifier);
  runs = studio_->page<RunsPage>();
  auto* table = runs->findChild<QTableView*>();
  QTRY_VERIFY(table->isVisible());
  QCOMPARE(table->model()->rowCount(), 1);
}

void StudioTest::killed_engine_is_resumed() {
  studio_->start_small(QStringLiteral("small-1"), Json::object());
  TRY_VERIFY(studio_->newest_checkpoint() >= 50 && status().process > 0);
  const int supervisor = status().process;
  const std::vector<int> ranks = children_of(supervisor);
  QVERIFY(!ranks.empty());
  QCOMPARE(::kill(supervisor, SIGKILL), 0);
  TRY_VERIFY(status().state == ShownState::died);
  for (const int rank : ranks) QTRY_VERIFY(::kill(rank, 0) != 0);  // ranks die with their supervisor
  QCOMPARE(shown(), ChipState::died);
  auto* live = studio_->page<LivePage>();
  const std::int64_t saved = status().saved_step;
  QVERIFY(saved >= 50);
  TRY_VERIFY(banner(*live, QStringLiteral("Saved up to step")) != nullptr);
  QPushButton* resume = button(*live, QStringLiteral("Resume from %1").arg(QLocale().toString(saved)));
  QVERIFY(resume != nullptr);
  resume->click();
  TRY_VERIFY(works(status().state) && status().step > saved);
  press(Qt::Key_F8, Qt::ShiftModifier);
  TRY_VERIFY(status().state == ShownState::stopped);
}

// Nothing but the folder is chosen, then the budget is made short; Measure, Start, finished.
void StudioTest::own_pictures_from_folder_to_finish() {
  const QString pictures = studio_->folder().filePath(QStringLiteral("my pictures"));
  draw_pictures(pictures, 40);
  press(Qt::Key_N, Qt::ControlModifier);
  auto* form = studio_->page<NewRunPage>();
  QVERIFY(form != nullptr);
  auto* preset = form->findChild<QComboBox*>(QString(), Qt::FindChildrenRecursively);
  for (auto* box : form->findChildren<QComboBox*>())
    if (box->accessibleName() == QStringLiteral("Start from")) preset = box;
  const int mine = preset->findData(QStringLiteral("pictures"));
  QVERIFY(mine >= 0);
  preset->setCurrentIndex(mine);
  Q_EMIT preset->activated(mine);
  auto* view = form->findChild<FormView*>();
  auto* path = qobject_cast<QLineEdit*>(view->row("data.path")->editor()->control());
  path->setFocus();
  QTest::keyClicks(path, pictures);
  TRY_VERIFY(label(*form, QStringLiteral("41 used, 3 skipped")) != nullptr);
  const QString skipped = label(*form, QStringLiteral("3 skipped"))->text();
  for (const char* reason : {".svg", "empty", ".txt"})
    QVERIFY2(skipped.contains(QLatin1String(reason)), qPrintable(skipped));

  QPushButton* measure = button(*form, QStringLiteral("Measure"));
  QTRY_VERIFY(measure != nullptr && measure->isEnabled());
  measure->click();
  TRY_VERIFY(label(*form, QStringLiteral("measured")) != nullptr);

  auto* budget = qobject_cast<QLineEdit*>(view->row("budget")->editor()->control());
  budget->setFocus();
  budget->selectAll();
  QTest::keyClicks(budget, QStringLiteral("60 steps"));
  QTRY_VERIFY(label(*form, QStringLiteral("60 steps, about")) != nullptr);
  press(Qt::Key_Return, Qt::ControlModifier);
  QVERIFY(studio_->page<LivePage>() != nullptr);
  TRY_VERIFY(status().state == ShownState::finished);
  QCOMPARE(status().step, 60);
  const auto& snapshot = studio_->services().run.snapshot();
  QVERIFY(snapshot->last_evaluation);
  QVERIFY(snapshot->last_evaluation->metrics.contains("retrieval/image_to_text_r1"));
  const Columns& steps = *snapshot->steps;
  const std::size_t loss = steps.metric("loss");
  QVERIFY(loss != Columns::none);
  QVERIFY(steps.value(loss, steps.line.size() - 1) < steps.value(loss, 0));
  // What only decoding can tell is told when it happens.
  const auto& warnings = *snapshot->warnings;
  QVERIFY(std::any_of(warnings.begin(), warnings.end(),
                      [](const WarningEvent& w) { return w.message.find("cut.png") != std::string::npos; }));
}

void StudioTest::problems_of_the_data_stop_the_start() {
  const QString drawings = studio_->folder().filePath(QStringLiteral("drawings"));
  QDir().mkpath(drawings);
  QFile svg(drawings + QStringLiteral("/a.svg"));
  QVERIFY(svg.open(QIODevice::WriteOnly));
  svg.write("<svg/>");
  svg.close();
  Json config = Json::object();
  config["data"]["source"] = "folder";
  config["data"]["path"] = drawings.toStdString();
  studio_->services().state.propose_draft(write_json(load_config(config).config), QStringLiteral("drawings"));
  auto* form = studio_->page<NewRunPage>();
  QVERIFY(form != nullptr);
  FormRow* row = form->findChild<FormView*>()->row("data.path");
  // The budget is missing as well; that neither hides what is wrong with the pictures nor is told in their place.
  TRY_VERIFY(row->problem().contains(QStringLiteral("SVG"), Qt::CaseInsensitive));
  auto* budget = qobject_cast<QLineEdit*>(form->findChild<FormView*>()->row("budget")->editor()->control());
  budget->setFocus();
  QTest::keyClicks(budget, QStringLiteral("2000 steps"));
  press(Qt::Key_Return, Qt::ControlModifier);
  QVERIFY(studio_->page<NewRunPage>() != nullptr);  // it stays and goes to the problem
  QVERIFY(row->editor()->control()->hasFocus());
  QVERIFY(!QFile::exists(studio_->run_path(QStringLiteral("drawings"))));
}

/// Opens Try it with a watched picture and two captions, and waits for the answer.
void StudioTest::ask_about_a_sample() {
  window().show_page(QStringLiteral("try"));
  auto* page = studio_->page<TryPage>();
  QVERIFY(page != nullptr);
  QTRY_VERIFY(button(*page, QStringLiteral("From the data")) != nullptr);
  button(*page, QStringLiteral("From the data"))->click();
  QTRY_COMPARE(page->captions().rowCount(), 5);
  QTRY_VERIFY(!page->picture().path().isEmpty());
  TRY_VERIFY(page->captions().caption(0).probability.has_value());
  double sum = 0;
  for (int row = 0; row < 5; ++row) {
    sum += page->captions().caption(row).probability.value_or(0);
    if (row > 0) QVERIFY(page->captions().caption(row - 1).probability >= page->captions().caption(row).probability);
  }
  QVERIFY(std::abs(sum - 1) < 1e-4);
}

void StudioTest::questions_while_training_goes_on() {
  studio_->start_small(QStringLiteral("small-1"), Json{{"checkpoint", {{"every_steps", 200}}}});
  TRY_VERIFY(studio_->newest_checkpoint() >= 200);
  ask_about_a_sample();
  if (QTest::currentTestFailed()) return;
  QVERIFY(works(status().state));
  auto* page = studio_->page<TryPage>();
  TRY_VERIFY(banner(*page, QStringLiteral("is here")) != nullptr);
  QPushButton* again = button(*page, QStringLiteral("Ask again"));
  QVERIFY(again != nullptr);
  again->click();
  QVERIFY(banner(*page, QStringLiteral("is here")) == nullptr);
  TRY_VERIFY(page->settled() && page->captions().caption(0).probability.has_value());

  // Typing asks by itself; a caption alone has a similarity, but is not ranked.
  QTest::keyClicks(&page->field(), QStringLiteral("a caption of my own"));
  QTest::keyClick(&page->field(), Qt::Key_Return);
  TRY_VERIFY(page->captions().rowCount() == 6 && page->settled() &&
             page->captions().caption(5).probability.has_value());
  page->captions().set_captions({QStringLiteral("a pig")});
  TRY_VERIFY(label(*page, QStringLiteral("Similarity")) != nullptr);

  page->picture().open(QStringLiteral("/proc/self/status"));
  TRY_VERIFY(banner(*page, QStringLiteral("is not a picture")) != nullptr);
  QVERIFY(works(status().state));
}

void StudioTest::killed_helper_comes_back() {
  studio_->start_small(QStringLiteral("small-1"), Json{{"budget", {{"steps", 60}}}});
  TRY_VERIFY(status().state == ShownState::finished);
  ask_about_a_sample();
  if (QTest::currentTestFailed()) return;
  auto* page = studio_->page<TryPage>();
  int helper = 0;
  for (const int child : children_of(static_cast<int>(QCoreApplication::applicationPid()))) helper = child;
  QVERIFY(helper > 0);
  QCOMPARE(::kill(helper, SIGSTOP), 0);  // the question is surely in flight when the helper dies
  page->field().setText(QStringLiteral("a caption of my own"));
  QTest::keyClick(&page->field(), Qt::Key_Return);
  QTRY_VERIFY(!page->settled());
  QTRY_VERIFY(studio_->services().serve.state() == ServeClient::State::busy);
  QCOMPARE(::kill(helper, SIGKILL), 0);
  TRY_VERIFY(banner(*page, QStringLiteral("ended by signal 9")) != nullptr);
  QVERIFY(banner(*page, QStringLiteral("are kept")) != nullptr);
  QCOMPARE(page->captions().rowCount(), 6);
  QPushButton* again = button(*page, QStringLiteral("Ask again"));
  QVERIFY(again != nullptr);
  again->click();
  TRY_VERIFY(page->settled() && page->captions().caption(5).probability.has_value());
  QVERIFY(banner(*page, QStringLiteral("ended")) == nullptr);
}

void StudioTest::killed_studio_leaves_the_run() {
  QProcess studio;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const char* place : {"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"})
    environment.insert(QString::fromLatin1(place), studio_->folder().filePath(QString::fromLatin1(place)));
  studio.setProcessEnvironment(environment);
  studio.start(QApplication::applicationDirPath() + QStringLiteral("/../bin/disco-studio"),
               {QStringLiteral("--workspace"), studio_->workspace(), QStringLiteral("--train-cartoons")});
  QVERIFY(studio.waitForStarted());
  // This window, open on the same workspace, finds the run that the other one started.
  auto* runs = studio_->page<RunsPage>();
  auto* table = runs->findChild<QTableView*>();
  TRY_VERIFY(table->model()->rowCount() == 1);
  const auto run = [this] { return studio_->services().workspace.snapshot()->runs.front(); };
  TRY_VERIFY(run().step >= 2);
  studio.kill();
  QVERIFY(studio.waitForFinished());
  const std::int64_t step = run().step;
  TRY_VERIFY(run().step > step && is_live(run().state));

  studio_->open_again();
  runs = studio_->page<RunsPage>();
  table = runs->findChild<QTableView*>();
  TRY_VERIFY(table->model()->rowCount() == 1 && is_live(run().state));
  press(Qt::Key_Comma, Qt::ControlModifier);
  TRY_VERIFY(button(window(), QStringLiteral("1 running")) != nullptr);
  button(window(), QStringLiteral("1 running"))->click();
  QVERIFY(studio_->page<RunsPage>() == runs);
  QCOMPARE(runs->filter().text(), QStringLiteral("state:live"));
  QCOMPARE(table->model()->rowCount(), 1);
  QTest::keyClick(table, Qt::Key_Return);
  QVERIFY(studio_->page<LivePage>() != nullptr);
  TRY_VERIFY(shown() == ChipState::running);
  press(Qt::Key_F8, Qt::ShiftModifier);
  TRY_VERIFY(status().state == ShownState::stopped);
}

}  // namespace disco::ui

QTEST_MAIN(disco::ui::StudioTest)
#include "studio_test.moc"
