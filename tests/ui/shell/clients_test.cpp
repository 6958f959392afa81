// SPDX-License-Identifier: GPL-3.0-or-later
//
// The clients against small stand-ins for the engine, which do what a sick engine does and a healthy one hardly can.
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "tests/ui/shell/run_fixture.h"
#include "ui/shell/app_state.h"
#include "ui/shell/engine_client.h"
#include "ui/shell/serve_client.h"
#include "ui/shell/settings.h"

namespace disco::ui {

class ClientsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
  void init();
  void cleanup();
  void settings_are_on_disk_within_a_second();
  void command_line_quotes();
  void start_passes_the_configuration();
  void start_that_fails_says_why();
  void start_refuses_a_taken_name();
  void resume_starts_a_new_engine_or_asks_the_waiting_one();
  void engine_that_is_not_there();
  void serve_answers_in_order();
  void serve_newest_of_a_kind_wins();
  void serve_reports_progress_and_errors();
  void serve_comes_back_after_a_crash();
  void serve_forgets_a_gone_context();

 private:
  void engine_does(const QByteArray& script);
  [[nodiscard]] QString file(const char* name) const { return folder_->filePath(QString::fromLatin1(name)); }

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<Settings> settings_;
  std::unique_ptr<AppState> state_;
  std::unique_ptr<EngineClient> engine_;
};

void ClientsTest::init() {
  folder_ = std::make_unique<QTemporaryDir>();
  settings_ = std::make_unique<Settings>(file("settings.ini"));
  settings_->set(keys::workspace, file("runs"));
  settings_->set(keys::engine_program, file("engine"));
  state_ = std::make_unique<AppState>(*settings_);
  engine_ = std::make_unique<EngineClient>(*state_, *settings_);
}

void ClientsTest::cleanup() {
  engine_.reset();
  state_.reset();
  settings_.reset();
  folder_.reset();
}

void ClientsTest::engine_does(const QByteArray& script) {
  QFile program(file("engine"));
  QVERIFY(program.open(QIODevice::WriteOnly | QIODevice::Truncate));
  program.write("#!/bin/sh\n" + script + "\n");
  program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

void ClientsTest::settings_are_on_disk_within_a_second() {
  QSignalSpy changed(settings_.get(), &Settings::changed);
  settings_->set(keys::text_percent, 120);
  settings_->set(keys::text_percent, 120);
  QCOMPARE(changed.count(), 1);
  settings_->set_view(QStringLiteral("live/x_axis"), 2);
  QTest::qWait(900);
  const QSettings disk(file("settings.ini"), QSettings::IniFormat);
  QCOMPARE(disk.value(QStringLiteral("appearance/text_percent")).toInt(), 120);
  const Settings again(file("settings.ini"));
  QCOMPARE(again.get(keys::text_percent), 120);
  QCOMPARE(again.view(QStringLiteral("live/x_axis")).toInt(), 2);
  QCOMPARE(again.get(keys::notify_ends), true);
}

void ClientsTest::command_line_quotes() {
  QCOMPARE(EngineClient::command_line(QStringLiteral("disco-engine"),
                                      {QStringLiteral("train"), QStringLiteral("DisCo runs/it's"),
                                       QStringLiteral("--set"), QStringLiteral("budget.steps=100")}),
           QStringLiteral("disco-engine train 'DisCo runs/it'\\''s' --set budget.steps=100"));
}

void ClientsTest::start_passes_the_configuration() {
  engine_does("mkdir -p \"$2\"; cp \"$4\" \"$2/got.json\"; echo \"$1 $3\" > \"$2/args\"; echo '{}' > \"$2/run.json\"");
  QSignalSpy started(engine_.get(), &EngineClient::started);
  const auto run = engine_->start(QStringLiteral("cartoons-1"), Json{{"seed", 7}});
  QVERIFY(run);
  QCOMPARE(*run, file("runs") + QStringLiteral("/cartoons-1"));
  QVERIFY(started.wait(5000));
  QCOMPARE(started.first().first().toString(), *run);
  QFile arguments(*run + QStringLiteral("/args"));
  QVERIFY(arguments.open(QIODevice::ReadOnly));
  QCOMPARE(arguments.readAll().trimmed(), QByteArray("train --config"));
  QCOMPARE(parse_json(*read_file((*run).toStdString() + "/got.json"), "")->at("seed").get<int>(), 7);
}

void ClientsTest::start_that_fails_says_why() {
  engine_does("echo 'optimizer.learning_rate: must be more than 0, is -1' >&2; exit 2");
  QSignalSpy failed(engine_.get(), &EngineClient::start_failed);
  const auto run = engine_->start(QStringLiteral("bad"), Json::object());
  QVERIFY(run);
  QVERIFY(failed.wait(5000));
  QCOMPARE(failed.first().at(0).toString(), *run);
  QVERIFY(failed.first().at(1).toString().contains(QStringLiteral("bad")));
  QVERIFY(failed.first().at(2).toString().contains(QStringLiteral("must be more than 0")));
}

void ClientsTest::start_refuses_a_taken_name() {
  QDir().mkpath(file("runs"));
  const RunFixture run(file("runs"), QStringLiteral("cartoons-3"));
  engine_does("exit 0");
  const auto started = engine_->start(QStringLiteral("cartoons-3"), Json::object());
  QVERIFY(!started);
  QVERIFY(started.error().message().find("cartoons-3") != std::string::npos);
}

void ClientsTest::resume_starts_a_new_engine_or_asks_the_waiting_one() {
  QDir().mkpath(file("runs"));
  const RunFixture run(file("runs"), QStringLiteral("a"));
  engine_does("echo \"$*\" > \"$2/args\"");
  QVERIFY(engine_->resume(run.qpath(), {QStringLiteral("batch.size=8")}));
  QTRY_VERIFY(QFileInfo(run.qpath() + QStringLiteral("/args")).size() > 0);
  QCOMPARE(QString::fromStdString(*read_file(run.path() / "args")).trimmed(),
           QStringLiteral("train %1 --resume --set batch.size=8").arg(run.qpath()));
  QVERIFY(QFile::remove(run.qpath() + QStringLiteral("/args")));
  // The lock is asked as another process would see it: an OFD lock of this process conflicts with a new descriptor.
  const auto lock = run.folder().lock();
  QVERIFY(lock);
  QVERIFY(engine_->resume(run.qpath()));
  const auto commands = read_file(run.folder().commands_path());
  QVERIFY(commands && commands->find("\"resume\"") != std::string::npos);
  QVERIFY(!QFileInfo::exists(run.qpath() + QStringLiteral("/args")));
}

void ClientsTest::engine_that_is_not_there() {
  QVERIFY(engine_->program().isEmpty());
  const auto started = engine_->start(QStringLiteral("x"), Json::object());
  QVERIFY(!started);
  QVERIFY(!started.error().hint.empty());
  ServeClient serve(*engine_);
  std::optional<Result<Json>> answer;
  serve.ask(QStringLiteral("preview"), Json::object(), this, [&answer](const Result<Json>& a) { answer = a; });
  QVERIFY(answer && !*answer);
}

namespace {

// Answers each line with its id, kind and body; "crash" ends it, "bad" is refused, "slow" reports progress first.
constexpr const char* echo_server = R"sh(
while read -r line; do
  id=$(printf '%s' "$line" | sed 's/.*"id":"\([^"]*\)".*/\1/')
  case "$line" in
    *crash*) echo 'out of memory' >&2; kill -9 $$ ;;
    *bad*) printf '{"id":"%s","kind":"error","what":"is not a picture","where":"notes.txt","hint":"Choose a PNG"}\n' "$id" ;;
    *slow*) printf '{"id":"%s","kind":"progress","phase":"loading","done":1,"total":2}\n' "$id"; sleep 0.3
            printf '{"id":"%s","kind":"load"}\n' "$id" ;;
    *) printf '{"id":"%s","kind":"rank","line":%s}\n' "$id" "$line" ;;
  esac
done)sh";

}  // namespace

void ClientsTest::serve_answers_in_order() {
  engine_does(echo_server);
  ServeClient serve(*engine_);
  std::vector<int> got;
  QObject context;
  const auto ask = [&](int number, const char* kind) {
    serve.ask(QString::fromLatin1(kind), Json{{"number", number}}, &context, [&got](const Result<Json>& answer) {
      QVERIFY(answer);
      got.push_back(answer->at("line").at("number").get<int>());
    });
  };
  ask(1, "rank");
  ask(2, "preview");
  ask(3, "measure");
  QTRY_COMPARE(got, (std::vector<int>{1, 2, 3}));
  QCOMPARE(serve.state(), ServeClient::State::idle);
}

void ClientsTest::serve_newest_of_a_kind_wins() {
  engine_does(echo_server);
  ServeClient serve(*engine_);
  std::vector<int> got;
  QObject context;
  QObject other;
  const auto ask = [&](int number, QObject* who) {
    serve.ask(QStringLiteral("rank"), Json{{"number", number}}, who,
              [&got](const Result<Json>& answer) { got.push_back(answer->at("line").at("number").get<int>()); });
  };
  serve.ask(QStringLiteral("load"), Json{{"slow", true}}, &context, [](const Result<Json>&) {});
  QTRY_COMPARE(serve.state(), ServeClient::State::busy);
  for (int i = 1; i <= 5; ++i) ask(i, &context);
  ask(6, &other);  // another page's question of the same kind stays
  QTRY_COMPARE(got, (std::vector<int>{5, 6}));
}

void ClientsTest::serve_reports_progress_and_errors() {
  engine_does(echo_server);
  ServeClient serve(*engine_);
  QObject context;
  int progress = 0;
  bool loaded = false;
  std::optional<Error> error;
  serve.ask(
      QStringLiteral("load"), Json{{"slow", true}}, &context,
      [&loaded](const Result<Json>& a) { loaded = a.has_value(); },
      [&progress](const ProgressEvent& event) {
        QCOMPARE(event.total, 2);
        ++progress;
      });
  serve.ask(QStringLiteral("rank"), Json{{"image", "bad"}}, &context, [&error](const Result<Json>& a) {
    if (!a) error = a.error();
  });
  QTRY_VERIFY(error);
  QVERIFY(loaded);
  QCOMPARE(progress, 1);
  QCOMPARE(error->message(), std::string("notes.txt: is not a picture. Choose a PNG"));
}

void ClientsTest::serve_comes_back_after_a_crash() {
  engine_does(echo_server);
  ServeClient serve(*engine_);
  QObject context;
  QSignalSpy ended(&serve, &ServeClient::ended);
  bool refused = false;
  bool answered = false;
  serve.ask(QStringLiteral("load"), Json{{"model", "crash"}}, &context,
            [&refused](const Result<Json>& a) { refused = !a.has_value(); });
  QTRY_VERIFY(refused);
  QCOMPARE(ended.count(), 1);
  QVERIFY(ended.first().first().toString().contains(QStringLiteral("signal 9")));
  QVERIFY(serve.log().contains(QStringLiteral("out of memory")));
  serve.ask(QStringLiteral("rank"), Json::object(), &context,
            [&answered](const Result<Json>& a) { answered = a.has_value(); });
  QCOMPARE(serve.state(), ServeClient::State::waiting_to_restart);
  QTRY_VERIFY(answered);
}

void ClientsTest::serve_forgets_a_gone_context() {
  engine_does(echo_server);
  ServeClient serve(*engine_);
  bool called = false;
  bool last = false;
  {
    QObject gone;
    serve.ask(QStringLiteral("load"), Json{{"slow", true}}, &gone, [&called](const Result<Json>&) { called = true; });
    QTRY_COMPARE(serve.state(), ServeClient::State::busy);
  }
  serve.ask(QStringLiteral("rank"), Json::object(), this, [&last](const Result<Json>&) { last = true; });
  QTRY_VERIFY(last);
  QVERIFY(!called);
}

}  // namespace disco::ui

QTEST_GUILESS_MAIN(disco::ui::ClientsTest)
#include "clients_test.moc"
