// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/events.h"

#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <fstream>

#include "engine/base/files.h"
#include "engine/run/commands.h"
#include "engine/run/run_tail.h"

namespace disco {
namespace fs = std::filesystem;

class EventsTest : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  fs::path run() const { return folder_.path().toStdString(); }
  fs::path events() const { return run() / "events.jsonl"; }

  static StepEvent step(std::int64_t number) {
    StepEvent event;
    event.time = 1000.5;
    event.step = number;
    event.loss = 2.25;
    event.losses = {{"image_to_text", 2.0}, {"text_to_image", 2.5}};
    event.seconds.forward = 0.25;
    return event;
  }

 private Q_SLOTS:
  void init() {
    fs::remove_all(run());
    fs::create_directories(run());
  }

  void everyKindSurvivesARoundTrip() {
    const std::vector<Event> all{RunEvent{},        StateEvent{},    step(3),           EvaluationEvent{},
                                 PredictionEvent{}, ProgressEvent{}, CheckpointEvent{}, WarningEvent{},
                                 HeartbeatEvent{},  ResumedEvent{},  BudgetEvent{},     CommandEvent{}};
    QCOMPARE(all.size(), event_kinds.size());
    for (const auto& event : all) {
      const std::string line = event_line(event);
      QVERIFY(line.starts_with("{\"kind\":\"" + std::string(event_kinds[event.index()]) + "\","));
      const auto back = parse_event(line);
      QVERIFY2(back && *back && (*back)->index() == event.index(), line.c_str());
      QVERIFY(time_of(**back) > 0);  // "now" was put in
    }
    const auto back = std::get<StepEvent>(**parse_event(event_line(step(3))));
    QCOMPARE(back.losses.at("text_to_image"), 2.5);
    QCOMPARE(back.seconds.forward, 0.25);
    QCOMPARE(back.time, 1000.5);
  }

  void notFiniteLossesSurvive() {
    auto event = step(1);
    event.loss = std::nan("");
    event.gradient_norm = INFINITY;
    const auto back = std::get<StepEvent>(**parse_event(event_line(event)));
    QVERIFY(std::isnan(back.loss) && std::isinf(back.gradient_norm));
  }

  void newerEnginesAreUnderstood() {
    QVERIFY(!parse_event(R"({"kind":"hologram","time":1})").value().has_value());
    const auto known = parse_event(R"({"kind":"step","time":1,"step":5,"mood":"good"})");
    QCOMPARE(std::get<StepEvent>(**known).step, std::int64_t{5});
    QVERIFY(!parse_event("[1,2]"));
    QVERIFY(!parse_event("{\"step\":"));
  }

  void aTailSeesWholeLinesOnly() {
    RunTail tail(run());
    std::vector<Event> seen;
    const auto take = [&](Event&& event) { seen.push_back(std::move(event)); };
    QVERIFY(tail.poll(take).value().caught_up);  // nothing yet is no error
    std::ofstream file(events(), std::ios::binary | std::ios::app);
    const std::string line = event_line(step(1));
    file << line << "\n" << line.substr(0, 20) << std::flush;
    QVERIFY(tail.poll(take));
    QCOMPARE(seen.size(), std::size_t{1});
    file << line.substr(20) << "\nnot json\n" << event_line(step(2)) << "\n" << std::flush;
    const auto progress = tail.poll(take).value();
    QCOMPARE(seen.size(), std::size_t{3});
    QCOMPARE(progress.bad_lines, std::uint64_t{1});
    QCOMPARE(progress.first_bad_line, std::uint64_t{3});
    QVERIFY(progress.caught_up);
  }

  void aTailReadsLongLinesAndInPieces() {
    std::ofstream file(events(), std::ios::binary);
    WarningEvent long_one;
    long_one.time = 1;
    long_one.message = std::string(100000, 'x');
    file << event_line(long_one) << "\n" << event_line(step(1)) << "\n" << std::flush;
    RunTail tail(run());
    int seen = 0;
    for (int i = 0; i < 10 && seen < 2; ++i) QVERIFY(tail.poll([&](Event&&) { ++seen; }, 1000));
    QCOMPARE(seen, 2);
  }

  void aTailStartsAgainWhenTheFileWasReplaced() {
    QVERIFY(write_atomically(events(), event_line(step(1)) + "\n" + event_line(step(2)) + "\n"));
    RunTail tail(run());
    int seen = 0;
    QVERIFY(tail.poll([&](Event&&) { ++seen; }));
    QVERIFY(write_atomically(events(), event_line(step(9)) + "\n"));
    std::int64_t last = 0;
    QVERIFY(tail.poll([&](Event&& event) { last = std::get<StepEvent>(event).step; }));
    QCOMPARE(last, std::int64_t{9});
  }

  void commandsReachTheReaderOnce() {
    QVERIFY(!send_command(run(), CommandKind::pause));  // no run.json: not a run
    QVERIFY(write_atomically(run() / "run.json", "{}"));
    const auto old = send_command(run(), CommandKind::abort);
    QVERIFY(old.has_value());
    CommandReader reader(run());
    QVERIFY(reader.poll().empty());  // an engine does not obey what was said before it started
    const auto id = send_command(run(), CommandKind::pause);
    std::ofstream(run() / "commands.jsonl", std::ios::app) << "{\"command\":\"dance\"}\n{\"comm";
    std::vector<std::string> problems;
    const auto commands = reader.poll(&problems);
    QCOMPARE(commands.size(), std::size_t{1});
    QCOMPARE(commands[0].id, id.value());
    QCOMPARE(commands[0].command, CommandKind::pause);
    QCOMPARE(problems.size(), std::size_t{1});
    QVERIFY(reader.poll().empty());
  }
};

}  // namespace disco

QTEST_GUILESS_MAIN(disco::EventsTest)
#include "events_test.moc"
