// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/log_reader.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "ui/live/line_tail.h"

using namespace disco::ui;

class LogReaderTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void levels_come_from_the_words_at_the_start() {
    QVERIFY(level_of("[0] step 12") == LogLevel::info);
    QVERIFY(level_of("[1] Warning: slow disk") == LogLevel::warning);
    QVERIFY(level_of("[0] ERROR out of memory") == LogLevel::error);
    QVERIFY(level_of("[0] " + std::string(200, '.') + "error") == LogLevel::info);
  }

  void filter_looks_at_text_and_level() {
    const LogFilter filter{"disk", LogLevel::warning};
    QVERIFY(filter.passes("[1] Warning: slow DISK", LogLevel::warning));
    QVERIFY(!filter.passes("[1] disk", LogLevel::info));
    QVERIFY(!filter.passes("[1] Warning", LogLevel::warning));
  }

  void tail_hands_out_complete_lines_once() {
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath(QStringLiteral("log")).toStdString();
    std::vector<std::string> lines;
    const auto take = [&](std::string_view line, std::uint64_t) { lines.emplace_back(line); };
    LineTail tail(file);
    QVERIFY(!tail.poll(take, 100));  // not there yet
    std::ofstream(file) << "one\ntwo\nthr";
    QVERIFY(tail.poll(take, 100)->caught_up);
    QCOMPARE(lines, (std::vector<std::string>{"one", "two"}));
    std::ofstream(file, std::ios::app) << "ee\n" << std::string(300, 'x') << "\nend\n";
    while (!tail.poll(take, 10)->caught_up) {
    }
    QCOMPARE(lines.size(), std::size_t{5});
    QCOMPARE(lines[2], std::string("three"));
    QCOMPARE(lines[3].size(), std::size_t{300});
    std::ofstream(file) << "new\n";  // a shorter file: everything before is void
    const auto progress = tail.poll(take, 100);
    QVERIFY(progress->restarted);
    while (lines.back() != "new") QVERIFY(tail.poll(take, 100).has_value());
  }

  void matching_lines_arrive_and_go_on_arriving() {
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath(QStringLiteral("log")).toStdString();
    std::ofstream(file) << "[0] a\n[0] warning: b\n[0] c\n";
    LogReader reader;
    std::size_t count = 0;
    connect(&reader, &LogReader::found, this, [&](int, const std::vector<LogLine>& lines, bool restarted, bool) {
      count = restarted ? lines.size() : count + lines.size();
    });
    reader.set_paused(false);
    reader.open(file, {"", LogLevel::warning});
    QTRY_COMPARE(count, std::size_t{1});
    std::ofstream(file, std::ios::app) << "[0] warning: d\n";
    QTRY_COMPARE(count, std::size_t{2});
    reader.open(file, {});
    QTRY_COMPARE(count, std::size_t{4});
  }
};

QTEST_GUILESS_MAIN(LogReaderTest)
#include "log_reader_test.moc"
