// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

#include "engine/base/clock.h"
#include "engine/run/run_folder.h"
#include "ui/runs/loss_sketch.h"
#include "ui/runs/runs_model.h"
#include "ui/runs/runs_page.h"
#include "ui/shell/actions.h"
#include "ui/shell/services.h"
#include "ui/theme/theme.h"

namespace disco::ui {

namespace {

RunStatus run(const char* name, ShownState state, std::optional<double> best = {}) {
  RunStatus status;
  status.path = std::string("/runs/") + name;
  status.id = status.name = name;
  status.model = "CLIP tiny";
  status.data = "Cartoons";
  status.state = state;
  status.best_value = best;
  status.step = 500;
  status.total_steps = 1000;
  return status;
}

RunFolder make_run(const QString& workspace, const std::string& name, double created) {
  RunIdentity identity;
  identity.id = identity.name = name;
  identity.created = created;
  identity.host = host_name();
  return RunFolder::create(std::filesystem::path(workspace.toStdString()) / name, identity, RunConfig{}).value();
}

}  // namespace

/// What decides the table of runs: filter, order, updates in place, trash.
class RunsTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<Theme> theme_;

 private Q_SLOTS:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    // Where the desktop's trash of test mode lies.
    QDir().mkpath(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation));
    theme_ = std::make_unique<Theme>(*qApp);
  }

  void filter_readsItsGrammar_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("names");
    QTest::newRow("nothing shows all") << ""
                                       << "alpha beta gamma";
    QTest::newRow("part of a name") << "alp"
                                    << "alpha";
    QTest::newRow("any case") << "BETA"
                              << "beta";
    QTest::newRow("model too") << "tiny"
                               << "alpha beta gamma";
    QTest::newRow("all words") << "tiny gam"
                               << "gamma";
    QTest::newRow("state") << "state:running"
                           << "alpha";
    QTest::newRow("start of a state") << "state:fin"
                                      << "beta";
    QTest::newRow("live") << "state:live"
                          << "alpha";
    QTest::newRow("not") << "-state:failed"
                         << "alpha beta";
    QTest::newRow("best in percent") << "best>80"
                                     << "beta";
    QTest::newRow("best with sign") << "best>=71.4%"
                                    << "alpha beta";
    QTest::newRow("best with comma") << "best<71,5"
                                     << "alpha";
    QTest::newRow("unknown best never fits") << "best<100"
                                             << "alpha beta";
    QTest::newRow("progress") << "progress=50"
                              << "alpha gamma";
    QTest::newRow("step") << "step>500"
                          << "";
    QTest::newRow("quoted") << "\"CLIP tiny\""
                            << "alpha beta gamma";
    QTest::newRow("unknown key is a word") << "colour:red"
                                           << "";
    QTest::newRow("number that is none is a word") << "best>good"
                                                   << "";
    QTest::newRow("name by key") << "name:beta"
                                 << "beta";
    QTest::newRow("name exactly") << "name=bet"
                                  << "";
  }
  void filter_readsItsGrammar() {
    QFETCH(QString, text);
    QFETCH(QString, names);
    const RunFilter filter(text);
    QStringList found;
    for (const RunStatus& status : {run("alpha", ShownState::running, 0.714), run("beta", ShownState::finished, 0.86),
                                    run("gamma", ShownState::failed)})
      if (filter.matches(status)) found << QString::fromStdString(status.name);
    QCOMPARE(found.join(QLatin1Char(' ')), names);
  }

  void rows_keepTheirPlaceWhenValuesChange() {
    RunsModel model;
    const QAbstractItemModelTester tester(&model);
    RunsOrder order(model);
    RunStatus first = run("a", ShownState::running);
    RunStatus second = run("b", ShownState::running);
    first.last_activity = 10;
    second.last_activity = 20;
    model.set_runs({first, second}, true);
    QCOMPARE(order.index(0, RunsModel::name_column).data().toString(), QStringLiteral("b"));
    first.last_activity = 30;
    first.step = 600;
    model.set_runs({first, second}, true);
    QCOMPARE(order.index(0, RunsModel::name_column).data().toString(), QStringLiteral("b"));
    QCOMPARE(order.index(1, RunsModel::progress_column).data().toString().left(2), QStringLiteral("60"));
    RunStatus third = run("c", ShownState::starting);
    third.last_activity = 40;
    model.set_runs({third, first, second}, true);
    QCOMPARE(order.index(0, RunsModel::name_column).data().toString(), QStringLiteral("c"));
    QCOMPARE(order.index(1, RunsModel::name_column).data().toString(), QStringLiteral("a"));
    model.set_pinned({QStringLiteral("b")});
    order.order_again();
    QCOMPARE(order.index(0, RunsModel::name_column).data().toString(), QStringLiteral("b"));
    order.sort(RunsModel::name_column, Qt::AscendingOrder);
    QCOMPARE(order.index(0, RunsModel::name_column).data().toString(), QStringLiteral("b"));
    QCOMPARE(order.index(1, RunsModel::name_column).data().toString(), QStringLiteral("a"));
    model.set_pinned({});
    model.set_runs({run("r10", ShownState::finished), run("R2", ShownState::finished)}, true);
    order.order_again();
    QCOMPARE(order.index(0, RunsModel::name_column).data().toString(), QStringLiteral("R2"));
    model.set_runs({third}, true);
    QCOMPARE(order.rowCount(), 1);
  }

  void sketch_readsFromAnySize() {
    const std::filesystem::path file = folder_.filePath(QStringLiteral("events.jsonl")).toStdString();
    {
      std::ofstream out(file);
      for (int step = 1; step <= 2000; ++step) {
        StepEvent event;
        event.time = step;
        event.step = step;
        event.loss = 4.0 - step * 0.001;
        out << event_line(event) << '\n';
        if (step % 100 == 0) out << event_line(HeartbeatEvent{}) << '\n';
      }
      out << "{\"kind\":\"step\",\"time\":1,\"step\":9";
    }
    const auto points = sketch_losses(file, 50);
    QVERIFY(points.size() > 40 && points.size() <= 50);
    QCOMPARE(points.front().step, 1.0);
    for (const LossPoint& point : points) QCOMPARE(point.loss, 4.0 - point.step * 0.001);
    QVERIFY(sketch_losses(folder_.filePath(QStringLiteral("none")).toStdString(), 50).empty());
  }

  void trash_andBack_data() {
    QTest::addColumn<bool>("desktop");
    QTest::newRow("desktop") << true;
    QTest::newRow("workspace") << false;
  }
  void trash_andBack() {
    QFETCH(bool, desktop);
    const QString workspace = folder_.filePath(desktop ? QStringLiteral("ws1") : QStringLiteral("ws2"));
    make_run(workspace, "doomed", 1);
    const QString path = workspace + QStringLiteral("/doomed");
    const auto trashed = desktop ? move_to_trash(path) : move_to_workspace_trash(path);
    QVERIFY(trashed.has_value());
    QVERIFY(!QFileInfo::exists(path));
    QVERIFY(QFileInfo::exists(trashed->in_trash + QStringLiteral("/run.json")));
    if (!desktop) QCOMPARE(trashed->in_trash, workspace + QStringLiteral("/.trash/doomed"));
    QVERIFY(restore_from_trash(*trashed).has_value());
    QVERIFY(QFileInfo::exists(path + QStringLiteral("/run.json")));
    QVERIFY(!restore_from_trash(*trashed).has_value());  // something lies there now: it
  }

  void page_trashesAndUndoes_renames_andRefusesWhatIsHeld() {
    const QString workspace = folder_.filePath(QStringLiteral("ws3"));
    make_run(workspace, "one", 1);
    const RunFolder held = make_run(workspace, "two", 2);
    Services services(folder_.filePath(QStringLiteral("settings.ini")), {});
    services.state.set_workspace(workspace);
    QWidget window;
    Actions actions(&window);
    PageContext context = services.context(actions);
    RunsPage page(context, &window);
    page.resize(1184, 760);
    page.show();
    QTRY_COMPARE(page.table().model()->rowCount(), 2);
    QVERIFY(page.settled());

    const QString path = workspace + QStringLiteral("/one");
    page.trash({path});
    QVERIFY(!QFileInfo::exists(path));
    QTRY_COMPARE(page.table().model()->rowCount(), 1);
    QCOMPARE(services.notices.entries().size(), std::size_t{1});
    QCOMPARE(services.notices.entries().front().notice.action, QStringLiteral("Undo"));
    services.notices.act(services.notices.entries().front().id);
    QVERIFY(QFileInfo::exists(path + QStringLiteral("/run.json")));
    QTRY_COMPARE(page.table().model()->rowCount(), 2);

    const auto lock = held.lock();
    QVERIFY(lock.has_value());
    page.trash({workspace + QStringLiteral("/two")});
    QVERIFY(QFileInfo::exists(workspace + QStringLiteral("/two/run.json")));

    QAbstractItemModel* table = page.table().model();
    for (int row = 0; row < table->rowCount(); ++row) {
      const QModelIndex name = table->index(row, RunsModel::name_column);
      if (name.data().toString() == QStringLiteral("one")) table->setData(name, QStringLiteral("first"));
    }
    QTRY_COMPARE(RunFolder(path.toStdString()).identity()->name, std::string("first"));
    page.filter().setText(QStringLiteral("name:first"));
    QTRY_COMPARE(page.table().model()->rowCount(), 1);
  }
};

}  // namespace disco::ui

QTEST_MAIN(disco::ui::RunsTest)
#include "runs_test.moc"
