// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json.h"

#include <QtTest>
#include <limits>

namespace disco {

enum class Fruit { apple, pear };
constexpr auto choices(std::type_identity<Fruit>) {
  return std::array{Choice{Fruit::apple, "apple", "Apple"}, Choice{Fruit::pear, "pear", "Pear"}};
}

struct Inner {
  double rate = 0.5;
  std::optional<int> limit;
};
constexpr auto describe(std::type_identity<Inner>) {
  return std::tuple{field("rate", &Inner::rate, {.min = 0, .max = 1, .above_min = true}),
                    field("limit", &Inner::limit)};
}
DISCO_DESCRIBED(Inner);

struct Outer {
  int count = 3;
  bool on = false;
  std::string name = "x";
  Fruit fruit = Fruit::apple;
  Inner inner;
  std::vector<double> list;
  std::map<std::string, double> table;
};
constexpr auto describe(std::type_identity<Outer>) {
  using C = Outer;
  return std::tuple{field("count", &C::count, {.min = 1, .max = 10}),
                    field("on", &C::on),
                    field("name", &C::name),
                    field("fruit", &C::fruit),
                    field("inner", &C::inner),
                    field("list", &C::list),
                    field("table", &C::table)};
}
DISCO_DESCRIBED(Outer);

/// Lacks a member: what DISCO_DESCRIBED must reject.
struct Forgetful {
  int told = 0;
  int forgotten = 0;
};
constexpr auto describe(std::type_identity<Forgetful>) { return std::tuple{field("told", &Forgetful::told)}; }
static_assert(!described_completely<Forgetful>);

class JsonTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyTypeSurvivesARoundTrip() {
    Outer value{7, true, "naïve \"quoted\"", Fruit::pear, {0.25, 9}, {1e-300, 0.1}, {{"a", 2.5}}};
    Outer back;
    Problems problems;
    read_json(Json::parse(write_json(value).dump()), back, "", problems);
    QVERIFY(problems.empty());
    QCOMPARE(back.count, 7);
    QCOMPARE(back.fruit, Fruit::pear);
    QCOMPARE(back.name, value.name);
    QCOMPARE(back.inner.limit, std::optional<int>(9));
    QVERIFY(back.list == value.list && back.table == value.table);
  }

  void numbersThatJsonLacksSurvive() {
    Outer value;
    value.list = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                  -std::numeric_limits<double>::infinity()};
    Outer back;
    Problems problems;
    read_json(Json::parse(write_json(value).dump()), back, "", problems);
    QVERIFY(problems.empty());
    QVERIFY(std::isnan(back.list[0]) && back.list[1] > 1e308 && back.list[2] < -1e308);
  }

  void allProblemsAreCollectedWithTheirPaths() {
    Outer value;
    Problems problems;
    read_json(
        Json::parse(R"({"count": 11, "on": 1, "fruit": "plum", "inner": {"rate": 0, "limt": 3}, "list": [1, "b"]})"),
        value, "", problems);
    std::string paths;
    for (const auto& problem : problems) paths += problem.path + " ";
    QCOMPARE(paths, std::string("count on fruit inner.rate inner.limt list[1] "));
    QCOMPARE(problems[0].message(), std::string("count: must be from 1 to 10, is 11"));
    QCOMPARE(problems[3].message(), std::string("inner.rate: must be more than 0 and at most 1, is 0"));
    QCOMPARE(problems[4].hint, std::string("Did you mean inner.limit?"));
    QCOMPARE(value.count, 3);  // what is wrong changes nothing
  }

  void unknownKeysOfEventsAreIgnored() {
    Outer value;
    Problems problems;
    read_json(Json::parse(R"({"count": 4, "later": {"x": 1}})"), value, "", problems, UnknownKeys::ignore);
    QVERIFY(problems.empty());
    QCOMPARE(value.count, 4);
  }

  void wholeNumbersAreExact() {
    std::int64_t big = 0;
    Problems problems;
    read_json(Json::parse("9007199254740993"), big, "big", problems);
    QCOMPARE(big, std::int64_t{9007199254740993});
    int small = 0;
    read_json(Json::parse("3000000000"), small, "small", problems);
    read_json(Json::parse("1.5"), small, "small", problems);
    QCOMPARE(problems.size(), std::size_t{2});
    problems.clear();
    read_json(Json::parse("1e3"), small, "small", problems);
    QVERIFY(problems.empty());
    QCOMPARE(small, 1000);
  }

  void brokenTextNamesItsLine() {
    const auto parsed = parse_json("{\n  \"a\": 1,\n  oops\n}", "run.json");
    QVERIFY(!parsed);
    QVERIFY(parsed.error().message().starts_with("run.json: is not JSON (line 3)"));
    QVERIFY(!parse_json(std::string(5000, '['), "deep.json"));
  }

  void settingsAreReadFromText() {
    QCOMPARE(json_from_text<double>("1e-3").get<double>(), 1e-3);
    QCOMPARE(json_from_text<int>("2k").get<double>(), 2000.0);
    QCOMPARE(json_from_text<bool>("yes").get<bool>(), true);
    QCOMPARE(json_from_text<std::vector<std::string>>("a,b").size(), std::size_t{2});
    QVERIFY(json_from_text<int>("many").is_string());
  }
};

}  // namespace disco

QTEST_GUILESS_MAIN(disco::JsonTest)
#include "json_test.moc"
