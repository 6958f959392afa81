// SPDX-License-Identifier: GPL-3.0-or-later
//
// Recomputes from the tokens what the colours promise: that everything can be read, and curves told apart.
#include <QTest>
#include <vector>

#include "tests/ui/theme/ciede2000.h"
#include "ui/theme/colour_math.h"
#include "ui/theme/theme.h"
#include "ui/theme/tokens.h"

namespace disco::ui {

class ColoursTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void ciede2000_published_pairs();
  void text_and_states_on_all_grounds();
  void control_edges();
  void pairs_on_their_own_ground();
  void curves_on_surface();
  void curves_apart_data();
  void curves_apart();
  void time_parts_neighbours_apart();
  void heat_lightness_runs_one_way();
};

namespace {

double between(Token a, Token b, bool dark) { return contrast(Theme::colour(a, dark), Theme::colour(b, dark)); }

constexpr std::array grounds{Token::window, Token::rail,  Token::surface, Token::raised,
                             Token::sunken, Token::hover, Token::select};

std::uint32_t curve_value(std::size_t index, bool dark) {
  return dark ? curve_colours[index].dark : curve_colours[index].light;
}

double difference(std::uint32_t a, std::uint32_t b, Sight sight) {
  return ciede2000(lab_of(seen(a, sight)), lab_of(seen(b, sight)));
}

double smallest_difference(std::size_t count, bool dark, Sight sight) {
  double smallest = 1000;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 1; j < count; ++j)
      smallest = std::min(smallest, difference(curve_value(i, dark), curve_value(j, dark), sight));
  return smallest;
}

}  // namespace

// From the table of Sharma, Wu and Dalal, whose pairs try the special cases of the formula.
void ColoursTest::ciede2000_published_pairs() {
  const auto near = [](double value, double wanted) { return std::fabs(value - wanted) < 0.5e-4; };
  QVERIFY(near(ciede2000({50, 2.6772, -79.7751}, {50, 0, -82.7485}), 2.0425));
  QVERIFY(near(ciede2000({50, 2.5, 0}, {50, 0, -2.5}), 4.3065));
  QVERIFY(near(ciede2000({50, 2.5, 0}, {73, 25, -18}), 27.1492));
  QVERIFY(near(ciede2000({2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}), 0.9082));
}

void ColoursTest::text_and_states_on_all_grounds() {
  for (const bool dark : {false, true}) {
    double lowest = 100;
    for (const Token ink : {Token::text, Token::text2, Token::text3, Token::link, Token::info, Token::ok, Token::warn,
                            Token::bad, Token::neutral})
      for (const Token ground : grounds) lowest = std::min(lowest, between(ink, ground, dark));
    QVERIFY2(lowest >= 4.5, qPrintable(QString::number(lowest)));
  }
  QVERIFY(std::fabs(between(Token::text3, Token::select, false) - 4.56) < 0.005);
  QVERIFY(std::fabs(between(Token::text3, Token::select, true) - 4.58) < 0.005);
}

void ColoursTest::control_edges() {
  for (const bool dark : {false, true})
    for (const Token ground : {Token::window, Token::surface, Token::raised, Token::sunken})
      QVERIFY(between(Token::control, ground, dark) >= 3);
}

void ColoursTest::pairs_on_their_own_ground() {
  for (const bool dark : {false, true}) {
    for (const auto& [ink, ground] :
         {std::pair{Token::info, Token::info_bg}, std::pair{Token::ok, Token::ok_bg},
          std::pair{Token::warn, Token::warn_bg}, std::pair{Token::bad, Token::bad_bg},
          std::pair{Token::neutral, Token::neutral_bg}, std::pair{Token::on_accent, Token::accent},
          std::pair{Token::on_accent, Token::accent_hover}})
      QVERIFY(between(ink, ground, dark) >= 4.5);
    QVERIFY(between(Token::meter, Token::surface, dark) >= 3);
  }
}

void ColoursTest::curves_on_surface() {
  for (const bool dark : {false, true})
    for (std::size_t i = 0; i < curve_colours.size(); ++i)
      QVERIFY(contrast(QColor::fromRgb(curve_value(i, dark)), Theme::colour(Token::surface, dark)) >= 3.05);
}

void ColoursTest::curves_apart_data() {
  QTest::addColumn<bool>("dark");
  QTest::addColumn<int>("sight");
  QTest::addColumn<double>("first_six");
  QTest::addColumn<double>("all_ten");
  const auto row = [](const char* name, bool dark, Sight sight, double six, double ten) {
    QTest::newRow(name) << dark << static_cast<int>(sight) << six << ten;
  };
  row("light normal", false, Sight::normal, 26.0, 21.6);
  row("light deuteranope", false, Sight::deuteranope, 16.2, 10.9);
  row("light protanope", false, Sight::protanope, 13.2, 10.8);
  row("light tritanope", false, Sight::tritanope, 11.5, 11.5);
  row("dark normal", true, Sight::normal, 27.7, 23.4);
  row("dark deuteranope", true, Sight::deuteranope, 15.5, 11.9);
  row("dark protanope", true, Sight::protanope, 13.7, 13.7);
  row("dark tritanope", true, Sight::tritanope, 12.3, 12.3);
}

void ColoursTest::curves_apart() {
  QFETCH(bool, dark);
  QFETCH(int, sight);
  QFETCH(double, first_six);
  QFETCH(double, all_ten);
  constexpr double rounding = 0.06;
  const double six = smallest_difference(6, dark, static_cast<Sight>(sight));
  const double ten = smallest_difference(10, dark, static_cast<Sight>(sight));
  QVERIFY2(std::fabs(six - first_six) < rounding, qPrintable(QString::number(six)));
  QVERIFY2(std::fabs(ten - all_ten) < rounding, qPrintable(QString::number(ten)));
}

void ColoursTest::time_parts_neighbours_apart() {
  for (const bool dark : {false, true})
    for (const Sight sight : {Sight::normal, Sight::deuteranope, Sight::protanope, Sight::tritanope})
      for (std::size_t i = 0; i + 1 < time_parts.size(); ++i) {
        const auto colour = [dark](int index) { return curve_value(static_cast<std::size_t>(index), dark); };
        const double apart = difference(colour(time_parts[i].curve), colour(time_parts[i + 1].curve), sight);
        QVERIFY2(apart >= 10.8, qPrintable(QStringLiteral("%1: %2").arg(i).arg(apart)));
      }
}

void ColoursTest::heat_lightness_runs_one_way() {
  const auto lightness = [](std::uint32_t colour) { return lab_of(seen(colour, Sight::normal))[0]; };
  for (std::size_t i = 0; i + 1 < heat_light.size(); ++i) {
    QVERIFY(lightness(heat_light[i]) > lightness(heat_light[i + 1]));
    QVERIFY(lightness(heat_dark[i]) < lightness(heat_dark[i + 1]));
  }
  QCOMPARE(ramp(heat_light, 0).rgb() & 0xFFFFFF, heat_light[0]);
  QCOMPARE(ramp(heat_light, 0.5).rgb() & 0xFFFFFF, heat_light[2]);
  QCOMPARE(ramp(heat_light, 7).rgb() & 0xFFFFFF, heat_light[4]);
}

}  // namespace disco::ui

QTEST_GUILESS_MAIN(disco::ui::ColoursTest)
#include "colours_test.moc"
