// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window with its own pages and a stand-in for the others. With DISCO_TEST_PICTURES=FOLDER it writes what it looks
// like there.
#include <QAccessible>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QVBoxLayout>

#include "tests/ui/shell/run_fixture.h"
#include "ui/shell/closing.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/main_window.h"
#include "ui/shell/page_stack.h"
#include "ui/shell/rail.h"
#include "ui/shell/run_bar.h"
#include "ui/shell/services.h"
#include "ui/shell/settings_page.h"
#include "ui/shell/sheets.h"
#include "ui/shell/strip.h"
#include "ui/theme/theme.h"
#include "ui/widgets/state_chip.h"

namespace disco::ui {

/// A page that counts what the shell does with it.
class CountingPage : public Page {
 public:
  explicit CountingPage(PageContext& context) {
    auto* layout = new QVBoxLayout(this);
    auto* field = new QLineEdit(this);
    field->setAccessibleName(QStringLiteral("Field"));
    layout->addWidget(field);
    layout->addStretch(1);
    context.actions.handle("page.find", this, [this] { ++found; });
  }
  void activate() override { ++activated; }
  void deactivate() override { ++deactivated; }
  [[nodiscard]] QStringList tabs() const override { return {QStringLiteral("a"), QStringLiteral("b")}; }
  bool show_tab(const QString& id) override {
    tab = id;
    return tabs().contains(id);
  }
  [[nodiscard]] QString current_tab() const override { return tab; }

  int activated = 0;
  int deactivated = 0;
  int found = 0;
  QString tab = QStringLiteral("a");
};

class WindowTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void cleanupTestCase();
  void init();
  void cleanup();
  void pages_are_made_on_first_visit();
  void page_actions_belong_to_the_shown_page();
  void every_focusable_widget_has_a_name();
  void tab_reaches_everything();
  void regions_cycle();
  void palette_finds_and_does();
  void narrow_windows();
  void text_size_counts_like_width();
  void run_bar_tells_states();
  void run_bar_waits_for_the_engine();
  void view_state_survives();
  void shortcuts_are_unique();
  void pictures();

 private:
  [[nodiscard]] CountingPage* page(const char* id) const {
    window_->show_page(QString::fromLatin1(id));
    return static_cast<CountingPage*>(window_->current_page());
  }
  void open_window();
  void open_run(const RunFixture& run);

  std::unique_ptr<Theme> theme_;
  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<Services> services_;
  std::unique_ptr<MainWindow> window_;
  int made_ = 0;
};

void WindowTest::initTestCase() {
  QStandardPaths::setTestModeEnabled(true);
  theme_ = std::make_unique<Theme>(*qobject_cast<QApplication*>(QCoreApplication::instance()));
  theme_->set_mode(Theme::Mode::light);
}

void WindowTest::cleanupTestCase() { theme_.reset(); }

void WindowTest::init() {
  folder_ = std::make_unique<QTemporaryDir>();
  QDir(folder_->path()).mkdir(QStringLiteral("runs"));
  open_window();
}

void WindowTest::open_window() {
  made_ = 0;
  const auto make = [this](PageContext& context) -> Page* {
    ++made_;
    return new CountingPage(context);
  };
  services_ = std::make_unique<Services>(folder_->filePath(QStringLiteral("settings.ini")), ColumnSourceFactory());
  services_->state.set_workspace(folder_->filePath(QStringLiteral("runs")));
  window_ = std::make_unique<MainWindow>(
      *services_,
      std::vector<PageSpec>{
          {QStringLiteral("runs"), QStringLiteral("Runs"), "runs", 1, false, false, make},
          {QStringLiteral("new"), QStringLiteral("New run"), "new-run", 2, false, false, make},
          {QStringLiteral("live"), QStringLiteral("Live"), "live", 3, true, true, make},
          {QStringLiteral("predictions"), QStringLiteral("Predictions"), "predictions", 4, true, false, make},
          {QStringLiteral("try"), QStringLiteral("Try it"), "try", 5, true, false, make},
          {QStringLiteral("settings"), QStringLiteral("Settings"), "settings", 0, false, false, make_settings_page}});
  window_->show();
  window_->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(window_.get()));
}

void WindowTest::cleanup() {
  window_.reset();
  services_.reset();
  folder_.reset();
  theme_->set_text_percent(100);
}

void WindowTest::open_run(const RunFixture& run) {
  services_->state.open_run(run.qpath(), QStringLiteral("live"));
  QTRY_VERIFY(services_->run.snapshot() && services_->run.snapshot()->progress.caught_up);
}

void WindowTest::pages_are_made_on_first_visit() {
  QCOMPARE(made_, 1);
  CountingPage* runs = page("runs");
  CountingPage* live = page("live");
  QCOMPARE(made_, 2);
  QCOMPARE(runs->activated, 1);
  QCOMPARE(runs->deactivated, 1);
  QCOMPARE(live->activated, 1);
  QCOMPARE(page("runs"), runs);
  QCOMPARE(made_, 2);
  QVERIFY(!window_->show_page(QStringLiteral("nowhere")));
  QTest::keyClick(window_.get(), Qt::Key_3, Qt::ControlModifier);
  QCOMPARE(window_->current_page(), live);
  QTest::keyClick(window_.get(), Qt::Key_Tab, Qt::ControlModifier);
  QCOMPARE(live->tab, QStringLiteral("b"));
}

void WindowTest::page_actions_belong_to_the_shown_page() {
  CountingPage* runs = page("runs");
  CountingPage* live = page("live");
  QTest::keyClick(window_.get(), Qt::Key_F, Qt::ControlModifier);
  QCOMPARE(live->found, 1);
  QCOMPARE(runs->found, 0);
  window_->show_page(QStringLiteral("settings"));
  QVERIFY(!window_->actions().action("page.find")->isEnabled());
}

void WindowTest::every_focusable_widget_has_a_name() {
  const QTemporaryDir runs;
  const RunFixture run(services_->state.workspace(), QStringLiteral("cartoons-1"));
  run.step(3);
  open_run(run);
  for (const char* id : {"runs", "live", "settings"}) {
    window_->show_page(QString::fromLatin1(id));
    QTest::qWait(20);
    for (const QWidget* widget : window_->findChildren<QWidget*>()) {
      // The line edit of a spin box hands its focus on to the spin box.
      if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() || widget->focusProxy()) continue;
      const QAccessibleInterface* face = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
      const QString name = face ? face->text(QAccessible::Name) : widget->accessibleName();
      QVERIFY2(!name.isEmpty(),
               qPrintable(QStringLiteral("%1 on %2")
                              .arg(QString::fromLatin1(widget->metaObject()->className()), QString::fromLatin1(id))));
    }
  }
}

void WindowTest::tab_reaches_everything() {
  window_->show_page(QStringLiteral("settings"));
  QSet<const QWidget*> reached;
  window_->findChild<Rail*>()->findChild<QAbstractButton*>()->setFocus();
  for (int i = 0; i < 100; ++i) {
    reached.insert(QApplication::focusWidget());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  }
  for (const QWidget* widget : window_->findChildren<QWidget*>()) {
    if ((widget->focusPolicy() & Qt::TabFocus) == 0 || !widget->isVisible() || !widget->isEnabled()) continue;
    if (widget->focusProxy()) continue;
    QVERIFY2(reached.contains(widget), widget->metaObject()->className());
  }
}

void WindowTest::regions_cycle() {
  CountingPage* live = page("live");
  QList<const QWidget*> seen;
  for (int i = 0; i < 4; ++i) {
    QTest::keyClick(window_.get(), Qt::Key_F6);
    const QWidget* focus = QApplication::focusWidget();
    for (const QWidget* region : std::initializer_list<const QWidget*>{
             window_->findChild<Rail*>(), window_->findChild<RunBar*>(), live, window_->findChild<Strip*>()})
      if (region->isAncestorOf(focus) && !seen.contains(region)) seen.append(region);
  }
  QCOMPARE(seen.size(), 4);
}

void WindowTest::palette_finds_and_does() {
  const RunFixture run(services_->state.workspace(), QStringLiteral("stamps-lr3"));
  run.state(RunState::stopped, 5);
  services_->workspace.refresh();
  QTRY_COMPARE(services_->workspace.snapshot()->runs.size(), std::size_t{1});
  QTest::keyClick(window_.get(), Qt::Key_K, Qt::ControlModifier);
  auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
  QVERIFY(field != nullptr);
  QTest::keyClicks(field, QStringLiteral("stamps"));
  QTest::keyClick(field, Qt::Key_Return);
  QCOMPARE(services_->state.current_run(), run.qpath());
  QCOMPARE(window_->pages()->current_id(), QStringLiteral("live"));
  QTest::keyClick(window_.get(), Qt::Key_K, Qt::ControlModifier);
  QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("settings engine"));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  QCOMPARE(window_->pages()->current_id(), QStringLiteral("settings"));
  QCOMPARE(window_->current_page()->current_tab(), QStringLiteral("engine"));
}

void WindowTest::narrow_windows() {
  auto* rail = window_->findChild<Rail*>();
  window_->resize(1280, 800);
  QVERIFY(rail->width() >= sizes::rail);
  window_->resize(900, 600);
  QTest::qWait(10);
  QCOMPARE(rail->width(), sizes::rail_narrow);
  QCOMPARE(window_->width(), 900);
}

void WindowTest::text_size_counts_like_width() {
  window_->resize(1280, 800);
  services_->settings.set(keys::text_percent, 150);
  QCOMPARE(theme_->text_percent(), 150);
  QCOMPARE(window_->findChild<Rail*>()->width(), sizes::rail_narrow * 3 / 2);
  window_->actions().action("view.normal")->trigger();
  QCOMPARE(theme_->text_percent(), 100);
}

void WindowTest::run_bar_tells_states() {
  const RunFixture run(services_->state.workspace(), QStringLiteral("cartoons-1"));
  run.step(1240);
  run.state(RunState::paused, 1240);
  open_run(run);
  auto* bar = window_->findChild<RunBar*>();
  QTRY_COMPARE(bar->findChild<StateChip*>()->state(), ChipState::paused);
  QVERIFY(bar->isVisible());
  QVERIFY(window_->actions().action("run.pause")->isEnabled());
  QVERIFY(!window_->actions().action("run.save")->isEnabled());
  run.state(RunState::finished, 2960);
  QTRY_COMPARE(bar->findChild<StateChip*>()->state(), ChipState::finished);
  QVERIFY(!window_->actions().action("run.pause")->isEnabled());
  window_->show_page(QStringLiteral("runs"));
  QVERIFY(!bar->isVisible());
}

// A state shows only after the engine says so: until then the pressed button says "Pausing…".
void WindowTest::run_bar_waits_for_the_engine() {
  const RunFixture run(services_->state.workspace(), QStringLiteral("cartoons-1"));
  const auto lock = run.folder().lock();  // as an engine would hold it
  QVERIFY(lock);
  run.state(RunState::running, 1);
  run.step(1);
  open_run(run);
  auto* chip = window_->findChild<RunBar*>()->findChild<StateChip*>();
  QTRY_COMPARE(chip->state(), ChipState::running);
  QTest::keyClick(window_.get(), Qt::Key_F8);
  QCOMPARE(chip->state(), ChipState::pausing);
  const auto commands = read_file(run.folder().commands_path());
  QVERIFY(commands && commands->find("\"pause\"") != std::string::npos);
  run.step(2);
  QTRY_COMPARE(services_->run.snapshot()->status.step, 2);
  QCOMPARE(chip->state(), ChipState::pausing);
  run.state(RunState::paused, 2);
  QTRY_COMPARE(chip->state(), ChipState::paused);
}

void WindowTest::view_state_survives() {
  window_->show_page(QStringLiteral("live"));
  window_->resize(1111, 777);
  QTest::qWait(900);
  // As after a kill: the window is not closed, another one reads what is on disk.
  std::unique_ptr<MainWindow> killed = std::move(window_);
  std::unique_ptr<Services> killed_services = std::move(services_);
  open_window();
  QCOMPARE(window_->pages()->current_id(), QStringLiteral("live"));
  QCOMPARE(window_->size(), QSize(1111, 777));
  killed.reset();
  killed_services.reset();
}

void WindowTest::shortcuts_are_unique() {
  QHash<QString, QString> taken;
  for (const QAction* action : window_->findChildren<QAction*>())
    for (const QKeySequence& keys : action->shortcuts()) {
      const QString text = keys.toString();
      QVERIFY2(!taken.contains(text), qPrintable(text + QLatin1Char(' ') + action->text() + taken.value(text)));
      taken.insert(text, action->text());
    }
  QVERIFY(taken.size() > 20);
}

void WindowTest::pictures() {
  const QString folder = qEnvironmentVariable("DISCO_TEST_PICTURES");
  if (folder.isEmpty()) QSKIP("DISCO_TEST_PICTURES is not set");
  const RunFixture run(services_->state.workspace(), QStringLiteral("cartoons-3"));
  const auto lock = run.folder().lock();
  run.state(RunState::running, 1);
  run.step(1240);
  services_->notices.post(
      {Severity::info, QStringLiteral("Moved cartoons-2 to trash"), QStringLiteral("Undo"), [] {}, {}});
  services_->notices.post(
      {Severity::bad, QStringLiteral("stamps-lr3: Not enough memory."), QStringLiteral("Open"), [] {}, {}});
  open_run(run);
  QTest::qWait(2500);
  const auto shoot = [&](const char* name) {
    QTest::qWait(60);
    window_->grab().save(QStringLiteral("%1/%2.png").arg(folder, QString::fromLatin1(name)));
  };
  for (const bool dark : {false, true}) {
    theme_->set_mode(dark ? Theme::Mode::dark : Theme::Mode::light);
    window_->resize(1280, 800);
    window_->show_page(QStringLiteral("live"));
    shoot(dark ? "live-dark" : "live-light");
    window_->show_page(QStringLiteral("settings"));
    shoot(dark ? "settings-dark" : "settings-light");
    window_->open_palette();
    shoot(dark ? "palette-dark" : "palette-light");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    window_->actions().action("help.shortcuts")->trigger();
    shoot(dark ? "shortcuts-dark" : "shortcuts-light");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    window_->actions().action("view.notices")->trigger();
    shoot(dark ? "notices-dark" : "notices-light");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    window_->resize(900, 600);
    window_->show_page(QStringLiteral("live"));
    shoot(dark ? "narrow-dark" : "narrow-light");
  }
  theme_->set_text_percent(150);
  window_->resize(1280, 800);
  shoot("text150");
  window_->show_page(QStringLiteral("settings"));
  shoot("settings150");
  theme_->set_mode(Theme::Mode::light);
}

}  // namespace disco::ui

QTEST_MAIN(disco::ui::WindowTest)
#include "window_test.moc"
