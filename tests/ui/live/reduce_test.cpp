// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/reduce.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace disco::ui;

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::shared_ptr<const Columns> columns_of(const std::vector<double>& values) {
  ColumnBuilder builder;
  builder.metric("loss");
  StepRow row;
  for (const double value : values) {
    row.step += 1;
    row.time += 1;
    row.samples += 64;
    row.values = {value};
    builder.append(row);
  }
  return std::make_shared<Columns>(builder.view());
}

ReduceRequest request_for(std::shared_ptr<const Columns> steps, double weight = 0) {
  ReduceRequest request;
  const Span span = whole_span(steps.get(), nullptr, XAxis::step);
  request.steps = std::move(steps);
  request.curves = {{"loss", false, true, {}, {}}};
  request.x_low = span.low;
  request.x_high = span.high;
  request.columns = 300;
  request.weight = weight;
  return request;
}

ReducedCurve reduced(const std::vector<double>& values, double weight = 0) {
  return Reducer().reduce(request_for(columns_of(values), weight)).curves[0];
}

}  // namespace

class ReduceTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // 0, 1, NaN, 4, 5, NaN: the range comes from the finite values, each NaN has a mark at the last finite height.
  void not_a_number_is_a_gap_with_a_mark() {
    const ReducedCurve curve = reduced({0, 1, nan_value, 4, 5, nan_value});
    QCOMPARE(curve.low, 0.0);
    QCOMPARE(curve.high, 5.0);
    QCOMPARE(curve.line.size(), std::size_t{6});
    QVERIFY(std::isnan(curve.line[2].y));
    QCOMPARE(curve.marks.size(), std::size_t{2});
    QCOMPARE(curve.marks[0].x, 3.0);
    QCOMPARE(curve.marks[0].y, 1.0);
    QCOMPARE(curve.marks[1].y, 5.0);
    QCOMPARE(curve.marks[1].first_step, 6.0);
    QVERIFY(curve.lone.empty());
  }

  void a_finite_row_between_gaps_is_a_lone_point() {
    const ReducedCurve curve = reduced({nan_value, 7, nan_value});
    QCOMPARE(curve.lone.size(), std::size_t{1});
    QCOMPARE(curve.lone[0].x, 2.0);
    QCOMPARE(curve.lone[0].y, 7.0);
    QCOMPARE(curve.marks[0].y, 7.0);  // no finite height before: the next one
  }

  void a_single_row_is_drawn() {
    const auto steps = columns_of({3});
    const Span span = whole_span(steps.get(), nullptr, XAxis::step);
    QVERIFY(span.low < 1 && span.high > 1);
    const ReducedCurve curve = reduced({3});
    QCOMPARE(curve.lone.size(), std::size_t{1});
    QCOMPARE(curve.latest, 3.0);
  }

  void infinities_keep_their_sign() {
    const ReducedCurve curve = reduced({1, infinity, 2, -infinity, 3});
    QCOMPARE(curve.marks.size(), std::size_t{2});
    QVERIFY(curve.marks[0].kind == NotFinite::Kind::positive);
    QVERIFY(curve.marks[1].kind == NotFinite::Kind::negative);
    QCOMPARE(curve.high, 3.0);
  }

  void equal_values_of_any_size() {
    for (const double value : {0.0, 1e300, 1e-320, -2.5}) {
      const ReducedCurve curve = reduced({value, value, value, value}, 0.9);
      QCOMPARE(curve.low, value);
      QCOMPARE(curve.high, value);
      for (const Vertex& vertex : curve.line) QCOMPARE(vertex.y, value);
    }
  }

  void a_log_axis_counts_what_it_leaves_out() {
    const ReducedCurve curve = reduced({-1, 0, 0.5, 2, nan_value});
    QCOMPARE(curve.not_positive, std::int64_t{2});
    QCOMPARE(curve.smallest_positive, 0.5);
  }

  void neighbouring_marks_become_one() {
    std::vector<double> values(1000, 1.0);
    for (const int i : {500, 501, 503, 504}) values[static_cast<std::size_t>(i)] = nan_value;
    const ReducedCurve curve = reduced(values);
    QCOMPARE(curve.marks.size(), std::size_t{1});
    QCOMPARE(curve.marks[0].count, std::int64_t{4});
    QCOMPARE(curve.marks[0].first_step, 501.0);
  }

  // One row in 200,000 is 100: no reduction may hide it.
  void a_single_extreme_survives_reduction() {
    std::vector<double> values(200'000, 1.0);
    values[123'456] = 100;
    values[60'000] = -50;
    const ReducedCurve curve = reduced(values, 0.9);
    QVERIFY(curve.extents.size() <= 2 * 300 + 1);
    double low = 0;
    double high = 0;
    for (const Extent& extent : curve.extents) {
      low = std::min(low, extent.low);
      high = std::max(high, extent.high);
    }
    QCOMPARE(low, -50.0);
    QCOMPARE(high, 100.0);
  }

  void the_line_is_smoothed_over_all_rows_before_it_is_reduced() {
    std::vector<double> values;
    for (int i = 0; i < 50'000; ++i) values.push_back(std::sin(i * 0.37) + i * 1e-4);
    const ReducedCurve curve = reduced(values, 0.99);
    Smoother smoother(0.99);
    std::vector<double> expected;
    for (const double value : values) expected.push_back(smoother.push(value));
    QVERIFY(curve.line.size() > 200);
    for (const Vertex& vertex : curve.line) QCOMPARE(vertex.y, expected[static_cast<std::size_t>(vertex.x) - 1]);
    QCOMPARE(curve.latest, expected.back());
  }

  void vertices_run_in_the_order_of_x_and_reach_both_ends() {
    const ReducedCurve curve = reduced(std::vector<double>(50'000, 2.0));
    for (std::size_t i = 1; i < curve.line.size(); ++i) QVERIFY(curve.line[i].x > curve.line[i - 1].x);
    QCOMPARE(curve.line.back().x, 50'000.0);
    QVERIFY(curve.line.front().x < 200);
  }

  void zooming_in_shows_every_row_again() {
    auto request = request_for(columns_of(std::vector<double>(100'000, 1.0)));
    request.x_low = 5000;
    request.x_high = 5010;
    const ReducedCurve curve = Reducer().reduce(request).curves[0];
    QVERIFY(curve.extents.empty());
    int inside = 0;
    for (const Vertex& vertex : curve.line) inside += vertex.x >= 5000 && vertex.x <= 5010 ? 1 : 0;
    QCOMPARE(inside, 11);
  }

  void resumed_rows_are_kept_apart() {
    ColumnBuilder builder;
    builder.metric("loss");
    StepRow row;
    for (int step = 1; step <= 150; ++step) {
      row.step = row.time = step;
      row.values = {1.0};
      builder.append(row);
    }
    builder.resume(100);
    for (int step = 101; step <= 110; ++step) {
      row.step = row.time = step;
      row.values = {2.0};
      builder.append(row);
    }
    const ReducedChart chart = Reducer().reduce(request_for(std::make_shared<Columns>(builder.view())));
    QCOMPARE(chart.curves[0].line.back().x, 110.0);
    QCOMPARE(chart.curves[0].replaced.size(), std::size_t{1});
    QCOMPARE(chart.curves[0].replaced[0].front().x, 101.0);
    QCOMPARE(chart.flags.size(), std::size_t{1});
    QCOMPARE(chart.flags[0], 100.0);
  }

  void parts_add_up() {
    ColumnBuilder builder;
    builder.metric("a");
    builder.metric("b");
    StepRow row;
    for (int step = 1; step <= 5000; ++step) {
      row.step = row.time = step;
      row.values = {0.25, step % 2 == 0 ? 1.0 : 3.0};
      builder.append(row);
    }
    auto request = request_for(std::make_shared<Columns>(builder.view()));
    request.curves = {{"a", false, false, {}, {}}, {"b", false, false, {}, {}}};
    request.stacked = true;
    request.columns = 50;
    const ReducedStack stack = Reducer().reduce(request).stack;
    QCOMPARE(stack.parts.size(), std::size_t{2});
    QCOMPARE(stack.parts[0].size(), stack.x.size());
    double sum = 0;
    for (const double part : stack.parts[0]) {
      QCOMPARE(part, 0.25);
    }
    for (const double part : stack.parts[1]) sum += part;
    QVERIFY(std::abs(sum / static_cast<double>(stack.x.size()) - 2) < 0.05);
  }

  void evaluations_are_dots_with_an_interval() {
    ColumnBuilder builder;
    for (const char* name : {"matching/accuracy", "low", "high"}) builder.metric(name);
    StepRow row;
    for (int i = 1; i <= 3; ++i) {
      row.step = row.time = i * 200;
      row.values = {0.2 * i, 0.2 * i - 0.03, 0.2 * i + 0.03};
      builder.append(row);
    }
    ReduceRequest request;
    request.evaluations = std::make_shared<Columns>(builder.view());
    request.curves = {{"matching/accuracy", true, false, "low", "high"}};
    request.x_low = 0;
    request.x_high = 600;
    const ReducedCurve curve = Reducer().reduce(request).curves[0];
    QVERIFY(curve.dots);
    QCOMPARE(curve.line.size(), std::size_t{3});
    QCOMPARE(curve.band_low.size(), std::size_t{3});
    QCOMPARE(curve.latest, 0.2 * 3);
  }
};

QTEST_GUILESS_MAIN(ReduceTest)
#include "reduce_test.moc"
