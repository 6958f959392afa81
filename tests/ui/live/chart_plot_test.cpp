// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/chart_plot.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <limits>

#include "ui/live/chart_card.h"
#include "ui/live/chart_export.h"
#include "ui/theme/theme.h"

using namespace disco::ui;

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

std::shared_ptr<const Columns> columns_of(const std::vector<double>& values) {
  ColumnBuilder builder;
  builder.metric("loss");
  StepRow row;
  for (const double value : values) {
    row.step += 1;
    row.time += 1;
    row.values = {value};
    builder.append(row);
  }
  return std::make_shared<Columns>(builder.view());
}

ChartSpec spec() {
  ChartSpec chart;
  chart.id = QStringLiteral("loss");
  chart.title = QStringLiteral("Loss");
  chart.curves = {{{"loss", false, false, {}, {}}, QStringLiteral("train"), 0}};
  chart.empty_text = QStringLiteral("Curves begin with the first step.");
  return chart;
}

/// A chart in a window, with data put in as the page does.
struct Stage {
  PlotGroup group;
  ChartPlot plot{spec(), group};

  Stage() {
    plot.resize(400, 240);
    plot.show();
  }
  void feed(const std::vector<double>& values) {
    ReduceRequest request;
    request.steps = columns_of(values);
    request.curves = {spec().curves[0].source};
    group.set_whole(whole_span(request.steps.get(), nullptr, XAxis::step));
    request.x_low = group.range().low;
    request.x_high = group.range().high;
    request.columns = plot.pixel_columns();
    plot.set_data(std::make_shared<const ReducedChart>(Reducer().reduce(request)));
    plot.replot();
  }
  [[nodiscard]] QPoint at(double x_share, double y_share) const {
    const QRect area = plot.axisRect()->rect();
    return {area.left() + static_cast<int>(x_share * area.width()),
            area.top() + static_cast<int>(y_share * area.height())};
  }
  void drag(const QPoint& from, const QPoint& to) {
    QTest::mousePress(&plot, Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, QPointF(to), plot.mapToGlobal(QPointF(to)), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(&plot, &move);
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, to);
  }
};

int pixels_like(const QImage& image, const QColor& colour) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      const QColor pixel = image.pixelColor(x, y);
      count += std::abs(pixel.red() - colour.red()) + std::abs(pixel.green() - colour.green()) +
                           std::abs(pixel.blue() - colour.blue()) <
                       30
                   ? 1
                   : 0;
    }
  return count;
}

}  // namespace

class ChartPlotTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { theme_ = std::make_unique<Theme>(*qApp); }
  void cleanupTestCase() { theme_.reset(); }

  void another_width_wants_data_for_other_columns() {
    Stage stage;
    const int before = stage.plot.pixel_columns();
    QSignalSpy wanted(&stage.plot, &ChartPlot::columns_changed);
    stage.plot.resize(900, 240);
    QTRY_COMPARE(wanted.count(), 1);
    QVERIFY(stage.plot.pixel_columns() > before);
    stage.plot.resize(900, 300);
    QTRY_COMPARE(stage.plot.height(), 300);
    QCOMPARE(wanted.count(), 1);
  }

  void finite_values_decide_the_axis_and_nan_is_marked() {
    Stage stage;
    stage.feed({0, 1, nan_value, 4, 5, nan_value});
    QVERIFY(stage.plot.yAxis->range().lower <= 0 && stage.plot.yAxis->range().lower > -1);
    QVERIFY(stage.plot.yAxis->range().upper >= 5 && stage.plot.yAxis->range().upper < 6);
    const QImage image = stage.plot.grab().toImage();
    QVERIFY(pixels_like(image, theme().colour(Token::bad)) > 20);
    QVERIFY(pixels_like(image, theme().curve(0)) > 50);
  }

  // A single value, equal values, and values that doubles or the plot library can hardly hold.
  void ranges_are_bounded_and_drawn() {
    for (const std::vector<double>& values :
         std::vector<std::vector<double>>{{3},
                                          {2, 2, 2},
                                          {1e300, 1e300},
                                          {1e-320, 1e-320},
                                          {0, 0},
                                          {nan_value, nan_value},
                                          {-1.7e308, 1.7e308},
                                          {std::numeric_limits<double>::infinity(), 1}}) {
      for (const bool log : {false, true}) {
        Stage stage;
        stage.plot.set_log(log);
        stage.feed(values);
        const QCPRange range = stage.plot.yAxis->range();
        QVERIFY(std::isfinite(range.lower) && std::isfinite(range.upper) && range.lower < range.upper);
        QVERIFY(stage.plot.yAxis->tickVector().size() <= 9);
        QVERIFY(!stage.plot.grab().isNull());
      }
    }
  }

  void new_data_moves_a_view_only_while_it_follows() {
    Stage stage;
    stage.feed(std::vector<double>(100, 1.0));
    QCOMPARE(stage.plot.xAxis->range().upper, 100.0);
    stage.feed(std::vector<double>(200, 1.0));
    QCOMPARE(stage.plot.xAxis->range().upper, 200.0);
    stage.group.hold(50, 80);
    const QCPRange y = stage.plot.yAxis->range();
    std::vector<double> more(300, 1.0);
    more[60] = 9;
    stage.feed(more);  // the chosen range is fitted once …
    const QCPRange fitted = stage.plot.yAxis->range();
    more[61] = 99;
    stage.feed(more);  // … and then stays
    QCOMPARE(stage.plot.yAxis->range(), fitted);
    QVERIFY(fitted != y);
    QCOMPARE(stage.plot.xAxis->range().lower, 50.0);
    QCOMPARE(stage.plot.xAxis->range().upper, 80.0);
    QVERIFY(stage.plot.held());
    QTest::mouseDClick(&stage.plot, Qt::LeftButton, {}, stage.at(0.5, 0.5));
    QVERIFY(!stage.plot.held());
    QCOMPARE(stage.plot.xAxis->range().upper, 300.0);
  }

  void a_box_zooms_both_and_a_flat_one_only_x() {
    Stage stage;
    std::vector<double> values;
    for (int i = 0; i < 1000; ++i) values.push_back(i);
    stage.feed(values);
    const QCPRange y = stage.plot.yAxis->range();
    stage.drag(stage.at(0.25, 0.5), stage.at(0.75, 0.52));
    QVERIFY(std::abs(stage.plot.xAxis->range().size() / 999 - 0.5) < 0.02);
    stage.plot.follow();
    QCOMPARE(stage.plot.yAxis->range(), y);
    stage.drag(stage.at(0.25, 0.25), stage.at(0.75, 0.75));
    QVERIFY(std::abs(stage.plot.yAxis->range().size() / y.size() - 0.5) < 0.03);
    QVERIFY(stage.group.held());
  }

  void a_click_pins_the_cross_hair_and_escape_frees_it() {
    Stage stage;
    stage.feed({1, 2, 3, 4, 5});
    QTest::mouseMove(&stage.plot, stage.at(0.5, 0.5));
    QTest::mouseClick(&stage.plot, Qt::LeftButton, {}, stage.at(0.5, 0.5));
    QVERIFY(stage.group.pinned());
    QCOMPARE(stage.plot.values()[0], 3.0);
    QTest::keyClick(&stage.plot, Qt::Key_Escape);
    QVERIFY(!stage.group.pinned());
    QCOMPARE(stage.plot.values()[0], 5.0);
  }

  void keys_zoom_follow_and_hide() {
    Stage stage;
    stage.feed({1, 2, 3, 4, 5});
    QTest::keyClick(&stage.plot, Qt::Key_Plus);
    QVERIFY(stage.group.held());
    QTest::keyClick(&stage.plot, Qt::Key_Home);
    QVERIFY(!stage.group.held());
    QTest::keyClick(&stage.plot, Qt::Key_Y);
    QVERIFY(stage.plot.log());
    QSignalSpy toggled(&stage.plot, &ChartPlot::toggle_wanted);
    QTest::keyClick(&stage.plot, Qt::Key_1);
    QCOMPARE(toggled.count(), 1);
  }

  void the_plain_wheel_is_left_to_the_page() {
    Stage stage;
    stage.feed({1, 2, 3, 4, 5});
    const auto wheel = [&](Qt::KeyboardModifiers modifiers) {
      const QPointF at(stage.at(0.5, 0.5));
      QWheelEvent event(at, stage.plot.mapToGlobal(at), {}, {0, 120}, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                        false);
      QApplication::sendEvent(&stage.plot, &event);
      return event.isAccepted();
    };
    QVERIFY(!wheel({}));
    QVERIFY(!stage.group.held());
    QVERIFY(wheel(Qt::ControlModifier));
    QVERIFY(stage.group.held());
  }

  void screen_readers_hear_the_values() {
    Stage stage;
    stage.feed({1, 2, 0.5});
    QVERIFY2(stage.plot.description().startsWith(QStringLiteral("Loss: train 0.500 at step 3, lowest 0.500")),
             qPrintable(stage.plot.description()));
  }

  void a_card_without_data_says_what_will_come() {
    PlotGroup group;
    ChartCard card(spec(), group, false);
    card.resize(400, 280);
    card.show();
    QVERIFY(!card.plot().isVisible());
    Stage other;
    other.feed({1, 2});
    card.set_data(other.plot.look().data);
    QVERIFY(card.plot().isVisible());
  }

  void exports_hold_what_is_in_view() {
    ValueTable table;
    table.steps = columns_of({1.5, nan_value, 3});
    table.curves = {{"loss", false, true, {}, {}}};
    table.range = {2, 3};
    table.weight = 0.5;
    QCOMPARE(values_text(table, ','), std::string("step,samples,relative_seconds,wall_time,loss,loss_smoothed\n"
                                                  "2,0,1,2,NaN,NaN\n3,0,2,3,3,2.5\n"));
    Stage stage;
    stage.feed({1, 2, 3});
    const QImage image = chart_image(stage.plot, 2, false);
    QVERIFY(image.width() > 800);
    QVERIFY(pixels_like(image, Theme::curve(0, false)) > 100);
  }

 private:
  std::unique_ptr<Theme> theme_;
};

QTEST_MAIN(ChartPlotTest)
#include "chart_plot_test.moc"
