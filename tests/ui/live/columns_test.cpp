// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/columns.h"

#include <QTest>
#include <cmath>
#include <limits>

#include "engine/run/step_line.h"
#include "ui/live/live_tiles.h"
#include "ui/live/run_columns.h"

using namespace disco;
using namespace disco::ui;

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

StepRow row(double step, double value, double time = 0) {
  StepRow result;
  result.step = step;
  result.samples = step * 64;
  result.time = time == 0 ? 1000 + step : time;
  result.seconds = 1;
  result.values = {value};
  return result;
}

ColumnBuilder builder_with(int first, int last) {
  ColumnBuilder builder;
  builder.metric("loss");
  for (int step = first; step <= last; ++step) builder.append(row(step, step));
  return builder;
}

StepEvent step_event(std::int64_t step, double loss) {
  StepEvent result;
  result.time = 1764531234.125 + static_cast<double>(step);
  result.step = step;
  result.samples = step * 64;
  result.loss = loss;
  result.losses = {{"image_to_text", loss + 1}, {"text_to_image", loss - 1}};
  result.learning_rate = {{"image", 1e-3}, {"text", 5e-4}};
  result.seconds = {0.1, 0, 0.2, 0.3, 0.4, 0, 0.5, 0.6, 2.1};
  result.memory.host = 912345678;
  return result;
}

}  // namespace

class ColumnsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void absent_is_a_nan_that_no_arithmetic_makes() {
    QVERIFY(std::isnan(absent()));
    QVERIFY(is_absent(absent()));
    QVERIFY(!is_absent(nan_value));
    QVERIFY(!is_absent(0.0 * infinity));
  }

  void rows_come_back_in_order_over_many_blocks() {
    auto builder = builder_with(1, 3 * static_cast<int>(Block::capacity) + 5);
    const Columns columns = builder.view();
    const std::uint64_t rows = 3 * Block::capacity + 5;
    QCOMPARE(columns.line.size(), rows);
    for (const std::uint64_t i : {std::uint64_t{0}, std::uint64_t{Block::capacity}, rows - 1}) {
      QCOMPARE(columns.line.x(XAxis::step, i), static_cast<double>(i + 1));
      QCOMPARE(columns.value(0, i), static_cast<double>(i + 1));
      QCOMPARE(columns.line.x(XAxis::samples, i), static_cast<double>((i + 1) * 64));
    }
    QCOMPARE(columns.line.lower_bound(XAxis::step, 1.0), std::uint64_t{0});
    QCOMPARE(columns.line.lower_bound(XAxis::step, 8193.5), std::uint64_t{8193});
    QCOMPARE(columns.line.lower_bound(XAxis::step, 1e9), rows);
  }

  void a_view_does_not_change_when_rows_follow() {
    auto builder = builder_with(1, 10);
    const Columns before = builder.view();
    builder.append(row(11, 11));
    QCOMPARE(before.line.size(), std::uint64_t{10});
    QCOMPARE(builder.view().line.size(), std::uint64_t{11});
  }

  // Steps 1 … 150, then a resume that writes 101 … again: one line, the old 101 … 150 kept apart.
  void resume_replaces_what_it_computes_again() {
    auto builder = builder_with(1, 150);
    builder.resume(100);
    for (int step = 101; step <= 120; ++step) builder.append(row(step, -step));
    const Columns columns = builder.view();
    QCOMPARE(columns.line.size(), std::uint64_t{120});
    QCOMPARE(columns.line.x(XAxis::step, 119), 120.0);
    QCOMPARE(columns.value(0, 99), 100.0);
    QCOMPARE(columns.value(0, 100), -101.0);
    QCOMPARE(columns.replaced.size(), std::size_t{1});
    QCOMPARE(columns.replaced[0].size(), std::uint64_t{50});
    QCOMPARE(columns.replaced[0].x(XAxis::step, 0), 101.0);
    QCOMPARE(columns.resumes.size(), std::size_t{1});
    QCOMPARE(columns.resumes[0].step, 100.0);
    for (std::uint64_t i = 1; i < columns.line.size(); ++i)
      QVERIFY(columns.line.x(XAxis::step, i) > columns.line.x(XAxis::step, i - 1));
  }

  void steps_written_again_without_a_word_replace_too() {
    auto builder = builder_with(1, 20);
    builder.append(row(15, 99));
    const Columns columns = builder.view();
    QCOMPARE(columns.line.size(), std::uint64_t{15});
    QCOMPARE(columns.value(0, 14), 99.0);
  }

  void training_time_leaves_pauses_out() {
    ColumnBuilder builder;
    builder.metric("loss");
    builder.append(row(1, 1, 1001));
    builder.append(row(2, 1, 1002));
    builder.resume(2);
    builder.append(row(3, 1, 9000));  // a night later
    builder.append(row(4, 1, 9001.5));
    const Columns columns = builder.view();
    QCOMPARE(columns.line.x(XAxis::relative, 0), 1.0);
    QCOMPARE(columns.line.x(XAxis::relative, 1), 2.0);
    QCOMPARE(columns.line.x(XAxis::relative, 2), 3.0);
    QCOMPARE(columns.line.x(XAxis::relative, 3), 4.5);
    QCOMPARE(columns.line.x(XAxis::wall, 2), 9000.0);
  }

  void a_clock_that_jumps_back_keeps_the_axis_growing() {
    ColumnBuilder builder;
    builder.metric("loss");
    builder.append(row(1, 1, 1000));
    builder.append(row(2, 1, 900));
    QCOMPARE(builder.view().line.x(XAxis::wall, 1), 1000.0);
  }

  void values_that_are_no_number_are_noted_in_runs() {
    ColumnBuilder builder;
    builder.metric("loss");
    const double values[] = {1, nan_value, nan_value, 2, infinity, -infinity, absent(), 3};
    double step = 0;
    for (const double value : values) builder.append(row(++step, value));
    const Columns columns = builder.view();
    QVERIFY(columns.not_finite[0] != nullptr);
    const auto& marks = *columns.not_finite[0];
    QCOMPARE(marks.size(), std::size_t{3});
    QCOMPARE(marks[0].first, std::uint64_t{1});
    QCOMPARE(marks[0].last, std::uint64_t{2});
    QVERIFY(marks[0].kind == NotFinite::Kind::nan);
    QVERIFY(marks[1].kind == NotFinite::Kind::positive);
    QVERIFY(marks[2].kind == NotFinite::Kind::negative);
  }

  void a_metric_that_comes_later_is_absent_before() {
    auto builder = builder_with(1, 3);
    const std::size_t late = builder.metric("late");
    StepRow more = row(4, 4);
    more.values.push_back(7);
    builder.append(more);
    const Columns columns = builder.view();
    QVERIFY(is_absent(columns.value(late, 2)));
    QCOMPARE(columns.value(late, 3), 7.0);
  }

  void events_become_columns() {
    RunColumns source({});
    source.take(step_event(1, 2.5));
    source.take(step_event(2, nan_value));
    EvaluationEvent evaluation;
    evaluation.step = 2;
    evaluation.time = 1764531240;
    evaluation.metrics = {{"matching/accuracy", 0.75}};
    source.take(evaluation);
    const auto steps = source.steps();
    const auto at = [&](const char* name, std::uint64_t i) { return steps->value(steps->metric(name), i); };
    QCOMPARE(at("loss", 0), 2.5);
    QVERIFY(std::isnan(at("loss", 1)) && !is_absent(at("loss", 1)));
    QCOMPARE(at("losses/image_to_text", 0), 3.5);
    QCOMPARE(at("learning_rate/text", 1), 5e-4);
    QCOMPARE(at("seconds/other", 0), 0.6);
    QCOMPARE(at("memory/host", 0), 912345678.0);
    QCOMPARE(steps->metric("memory/device_peak"), Columns::none);
    const auto evaluations = source.evaluations();
    QCOMPARE(evaluations->line.x(XAxis::samples, 0), 128.0);
    QCOMPARE(evaluations->value(evaluations->metric("matching/accuracy"), 0), 0.75);
    QVERIFY(source.steps() == steps);  // the same object while nothing was added
  }

  // A step a second with 64 pictures, a tenth of it waiting; the loss falls by 0.01 a step.
  void figures_of_the_tiles() {
    RunColumns source({});
    for (int step = 1; step <= 300; ++step) {
      StepEvent one = step_event(step, 5 - 0.01 * step);
      one.seconds.data = 0.21;
      source.take(one);
    }
    const LiveFigures figures = live_figures(*source.steps());
    QVERIFY(std::abs(figures.speed - 64) < 1e-9);
    QVERIFY(std::abs(figures.data_share - 0.1) < 1e-9);
    QCOMPARE(figures.memory, 912345678.0);
    QVERIFY(figures.trend == LiveFigures::Trend::falling);
    RunColumns flat({});
    for (int step = 1; step <= 300; ++step) flat.take(step_event(step, step % 2 == 0 ? 1.0 : 2.0));
    QVERIFY(live_figures(*flat.steps()).trend == LiveFigures::Trend::steady);
    QVERIFY(live_figures(Columns{}).trend == LiveFigures::Trend::unknown);
  }

  void step_lines_are_read_as_the_document_parser_reads_them() {
    const StepEvent written = step_event(7, infinity);
    const std::string line = event_line(written);
    const auto read = parse_step_line(line);
    QVERIFY(read.has_value());
    QCOMPARE(event_line(*read), line);
    for (std::size_t cut = 0; cut < line.size(); ++cut) QVERIFY(!parse_step_line(line.substr(0, cut)));
    QVERIFY(!parse_step_line(line + " "));
    QVERIFY(!parse_step_line(R"({"kind":"state","time":1,"state":"running","step":0,"reason":"","hint":""})"));
    QVERIFY(!parse_step_line(R"({"kind":"step","time":1,"step":1.5,"epoch":0})"));
  }
};

QTEST_GUILESS_MAIN(ColumnsTest)
#include "columns_test.moc"
