// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/data/cartoons/captions.h"
#include "engine/data/cartoons/describe_scene.h"
#include "tests/data/caption_reader.h"

namespace disco::data::cartoons {
namespace {

constexpr std::array<int, 5> kChoices = {kSubjects, kObjects, kPlaces, kMaxCount, 2};

/// Whether `count` draws of probability p out of n lie within five standard deviations.
bool plausible(double count, double n, double p) { return std::abs(count - n * p) < 5 * std::sqrt(n * p * (1 - p)); }

using Histogram = std::map<int, int>;

class CartoonsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void every_held_out_triple_has_equally_many_held_out_neighbours() {
    int held_out = 0;
    for (int s = 0; s < kSubjects; ++s) {
      for (int o = 0; o < kObjects; ++o) {
        for (int p = 0; p < kPlaces; ++p) {
          const Split split = split_of({.subject = s, .object = o, .place = p});
          held_out += split == Split::kHeldOut;
          int same_subject = 0, same_object = 0, same_place = 0;
          for (int i = 0; i < kSubjects; ++i)
            same_subject += split_of({.subject = i, .object = o, .place = p}) == split;
          for (int i = 0; i < kObjects; ++i) same_object += split_of({.subject = s, .object = i, .place = p}) == split;
          for (int i = 0; i < kPlaces; ++i) same_place += split_of({.subject = s, .object = o, .place = i}) == split;
          const int quarter = split == Split::kHeldOut ? 1 : 3;
          QCOMPARE(same_subject, kSubjects / 4 * quarter);
          QCOMPARE(same_object, kObjects / 4 * quarter);
          QCOMPARE(same_place, kPlaces / 4 * quarter);
        }
      }
    }
    QCOMPARE(held_out, kSubjects * kObjects * kPlaces / 4);
  }

  void near_misses_differ_in_their_attribute_only() {
    for (std::uint64_t i = 0; i < 2000; ++i) {
      Draw draw(3, 0, i, "test");
      const Split split = i % 2 == 0 ? Split::kTraining : Split::kHeldOut;
      const Composition before = draw_composition(split, draw);
      QCOMPARE(split_of(before), split);
      for (const Attribute attribute : kAttributes) {
        Composition miss = near_miss(before, attribute, draw);
        QCOMPARE(split_of(miss), split);
        QVERIFY(!(miss == before));
        if (attribute == Attribute::kSubject) miss.subject = before.subject;
        if (attribute == Attribute::kObject) miss.object = before.object;
        if (attribute == Attribute::kPlace) miss.place = before.place;
        if (attribute == Attribute::kCount) miss.count = before.count;
        if (attribute == Attribute::kSide) miss.subject_left = before.subject_left;
        QCOMPARE(miss, before);
      }
    }
  }

  void captions_are_grammatical() {
    const auto say = [](Composition what, Wording wording) {
      return QString::fromStdString(complete_caption(what, wording));
    };
    Composition what{.subject = 3, .object = 0, .place = kBeach, .count = 2, .subject_left = true};
    QCOMPARE(say(what, {}), QStringLiteral("two mice to the left of an anchor on a beach"));
    what.subject_left = false;
    QCOMPARE(say(what, {.form = 4}), QStringLiteral("two mice on a beach, to the right of an anchor"));
    what = {.subject = 19, .object = 10, .place = kMoon, .count = 3, .subject_left = false};
    QCOMPARE(say(what, {.form = 1, .count_style = 2, .side_style = 1}),
             QStringLiteral("on the moon, a trio of sheep are right of a mushroom"));
    what = {.subject = 15, .object = 1, .place = kCity, .count = 1, .oddity = Oddity::kUpsideDown};
    QCOMPARE(say(what, {.form = 3}), QStringLiteral("there is a unicorn to the left of an umbrella in a city"));
    QCOMPARE(say(what, {.form = 3, .say_oddity = true}),
             QStringLiteral("there is an upside-down unicorn to the left of an umbrella in a city"));
    what = {.subject = 0, .object = 2, .place = kSnow, .count = 3, .oddity = Oddity::kTopHat};
    QCOMPARE(say(what, {.form = 2, .say_oddity = true}),
             QStringLiteral("a cartoon of three foxes wearing top hats to the left of a guitar in the snow"));
  }

  void candidates_tell_what_they_say_they_tell() {
    std::array<int, 5> changed{};
    std::array<int, kNearMisses + 1> position{};
    constexpr int kPictures = 4000;
    for (int i = 0; i < kPictures; ++i) {
      const Scene scene = make_scene(7, i, Split::kHeldOut);
      const SceneText text = describe_scene(scene);
      QVERIFY(text.matching.has_value());
      QVERIFY(text.negatives.empty());
      const Matching& matching = *text.matching;
      QCOMPARE(matching.candidates.size(), std::size_t{5});
      const Composition& what = scene.composition;
      const std::array<int, 5> truth = {what.subject, what.object, what.place, what.count, what.subject_left ? 0 : 1};
      position[static_cast<std::size_t>(matching.correct)]++;
      for (std::size_t c = 0; c < 5; ++c) {
        const auto told = read_caption(matching.candidates[c]);
        QVERIFY2(std::ranges::find(told, -1) == told.end(), matching.candidates[c].c_str());
        QCOMPARE(split_of({.subject = told[0], .object = told[1], .place = told[2]}), Split::kHeldOut);
        std::vector<std::string> differs;
        for (std::size_t a = 0; a < 5; ++a) {
          if (told[a] == truth[a]) continue;
          differs.emplace_back(attribute_id(kAttributes[a]));
          changed[a]++;
        }
        if (static_cast<int>(c) == matching.correct) {
          QVERIFY2(differs.empty(), matching.candidates[c].c_str());
          QCOMPARE(matching.candidates[c], text.captions.front());
        } else {
          QCOMPARE(differs, std::vector<std::string>{matching.differs[c]});
        }
      }
    }
    for (const int count : changed) QVERIFY(plausible(count, kPictures, 0.8));
    for (const int count : position) QVERIFY(plausible(count, kPictures, 0.2));
  }

  void right_and_wrong_candidates_have_the_same_distribution() {
    std::array<Histogram, 5> right, wrong;
    constexpr int kPictures = 8000;
    for (int i = 0; i < kPictures; ++i) {
      const Matching matching = *describe_scene(make_scene(11, i, Split::kHeldOut)).matching;
      for (std::size_t c = 0; c < 5; ++c) {
        const auto told = read_caption(matching.candidates[c]);
        auto& histograms = static_cast<int>(c) == matching.correct ? right : wrong;
        for (std::size_t a = 0; a < 5; ++a) histograms[a][told[a]]++;
      }
    }
    for (std::size_t a = 0; a < 5; ++a) {
      const double p = 1.0 / kChoices[a];
      for (const auto& [value, count] : right[a]) QVERIFY(plausible(count, kPictures, p));
      // The wrong candidates of one picture share most values, so their number is worth that of the pictures.
      for (const auto& [value, count] : wrong[a]) QVERIFY(plausible(count / 4.0, kPictures, p));
      QCOMPARE(static_cast<int>(right[a].size()), kChoices[a]);
      QCOMPARE(static_cast<int>(wrong[a].size()), kChoices[a]);
    }
  }

  void a_prior_learnt_from_training_text_does_not_help() {
    // How much more often values, pairs and triples of values stand in right than in wrong training captions.
    std::map<std::vector<int>, std::array<double, 2>> seen;
    const auto features = [](const std::array<int, 5>& told) {
      std::vector<std::vector<int>> all;
      for (int mask = 1; mask < 32; ++mask) {
        std::vector<int> feature = {mask};
        for (int a = 0; a < 5; ++a) {
          if ((mask >> a & 1) != 0) feature.push_back(told[static_cast<std::size_t>(a)]);
        }
        if (feature.size() <= 4) all.push_back(std::move(feature));
      }
      return all;
    };
    for (int i = 0; i < 6000; ++i) {
      const SceneText text = describe_scene(make_scene(5, i, Split::kTraining));
      for (auto& f : features(read_caption(text.captions.front()))) seen[f][0] += 1;
      for (const auto& negative : text.negatives) {
        for (auto& f : features(read_caption(negative))) seen[f][1] += 0.25;
      }
    }
    int correct = 0;
    constexpr int kPictures = 1500;
    for (int i = 0; i < kPictures; ++i) {
      const Matching matching = *describe_scene(make_scene(6, i, Split::kHeldOut)).matching;
      int best = 0;
      double best_score = -1e300;
      for (std::size_t c = 0; c < 5; ++c) {
        double score = 0;
        for (auto& f : features(read_caption(matching.candidates[c]))) {
          const auto found = seen.find(f);
          if (found != seen.end()) score += std::log((found->second[0] + 1) / (found->second[1] + 1));
        }
        if (score > best_score) best_score = score, best = static_cast<int>(c);
      }
      correct += best == matching.correct;
    }
    QVERIFY2(correct < kPictures / 4, std::to_string(correct).c_str());
  }

  void training_text_stays_in_the_training_split() {
    for (int i = 0; i < 3000; ++i) {
      const SceneText text = describe_scene(make_scene(8, i, Split::kTraining));
      QVERIFY(!text.matching.has_value());
      QCOMPARE(text.negatives.size(), std::size_t{4});
      QVERIFY(text.captions.size() >= 4);
      const auto truth = read_caption(text.captions[0]);
      QCOMPARE(read_caption(text.captions[1]), truth);
      for (const auto& negative : text.negatives) {
        const auto told = read_caption(negative);
        QVERIFY2(std::ranges::find(told, -1) == told.end(), negative.c_str());
        QCOMPARE(split_of({.subject = told[0], .object = told[1], .place = told[2]}), Split::kTraining);
        int differences = 0;
        for (std::size_t a = 0; a < 5; ++a) differences += told[a] != truth[a];
        QCOMPARE(differences, 1);
      }
    }
  }

  void scenes_depend_on_seed_and_index_only() {
    const auto sheet = SpriteSheet::open();
    if (!sheet) QSKIP("the emoji font is not installed");
    const Painter painter(*sheet);
    const auto other_sheet = SpriteSheet::open();
    QVERIFY(other_sheet.has_value());
    std::set<std::vector<std::uint8_t>> different;
    for (int i = 0; i < 40; ++i) {
      const models::Image image = painter.paint(make_scene(1, i, Split::kTraining), 96);
      QCOMPARE(image.width, 96);
      QCOMPARE(image.height, 96);
      // In the other order and from a fresh cache of sprites.
      QVERIFY(painter.paint(make_scene(1, i, Split::kTraining), 96) == image);
      QVERIFY(Painter(*other_sheet).paint(make_scene(1, i, Split::kTraining), 96) == image);
      different.insert(image.rgb);
    }
    QCOMPARE(different.size(), std::size_t{40});
    const models::Image large = painter.paint(make_scene(1, 0, Split::kTraining), 384);
    QCOMPARE(large.width, 384);
  }

  void subjects_stand_on_their_side() {
    const auto sheet = SpriteSheet::open();
    if (!sheet) QSKIP("the emoji font is not installed");
    const Painter painter(*sheet);
    for (int i = 0; i < 120; ++i) {
      // A red crab and a green cactus in the snow: colours tell who is where.
      Scene scene = make_scene(9, i, Split::kTraining);
      scene.composition.subject = 14;
      scene.composition.object = 12;
      scene.composition.place = kSnow;
      const models::Image image = painter.paint(scene, 96);
      double red = 0, red_x = 0, green = 0, green_x = 0;
      for (int y = 30; y < 96; ++y) {
        for (int x = 0; x < 96; ++x) {
          const std::uint8_t* p = image.row(y) + 3 * x;
          if (p[0] > 180 && p[1] < 110 && p[2] < 100) red += 1, red_x += x;
          if (p[1] > p[0] + 40 && p[1] > p[2] + 60) green += 1, green_x += x;
        }
      }
      QVERIFY(red > 100 && green > 60);
      QCOMPARE(red_x / red < green_x / green, scene.composition.subject_left);
    }
  }

  void a_missing_font_is_named() {
    qputenv("DISCO_EMOJI_FONT", "/nowhere/NotoColorEmoji.ttf");
    const auto sheet = SpriteSheet::open();
    qunsetenv("DISCO_EMOJI_FONT");
    QVERIFY(!sheet.has_value());
    QVERIFY(sheet.error().message().find("/nowhere/NotoColorEmoji.ttf") != std::string::npos);
    QVERIFY(!sheet.error().hint.empty());
  }
};

}  // namespace
}  // namespace disco::data::cartoons

QTEST_GUILESS_MAIN(disco::data::cartoons::CartoonsTest)
#include "cartoons_test.moc"
