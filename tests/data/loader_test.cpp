// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/loader.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "engine/data/augment.h"
#include "engine/data/encode.h"
#include "engine/data/sampler.h"
#include "tests/data/letters.h"

namespace disco::data {
namespace {

/// Numbered pictures of one colour each; some of them cannot be decoded.
class Numbers final : public Source {
 public:
  explicit Numbers(std::optional<std::int64_t> size, std::set<std::int64_t> bad = {})
      : size_(size), bad_(std::move(bad)) {}
  std::optional<std::int64_t> size() const override { return size_; }
  Result<Sample> read(std::int64_t index) const override {
    Sample sample;
    sample.id = std::to_string(index);
    sample.origin = "picture " + sample.id;
    models::Image image = models::filled_image(12, 9, 0, 0, 0);
    for (std::size_t i = 0; i < image.rgb.size(); ++i) image.rgb[i] = static_cast<std::uint8_t>(i * 7 + index * 13);
    if (bad_.contains(index) || bad_.contains(-1)) {
      sample.picture = Bytes(3);
    } else {
      sample.picture = std::move(image);
    }
    sample.captions = {"number " + sample.id, "a longer caption of " + sample.id, "no. " + sample.id};
    for (const char* wrong : {"a", "bb", "ccc", "dddd", "eeeee", "ffffff"}) sample.negatives.emplace_back(wrong);
    return sample;
  }
  std::string fingerprint() const override { return "numbers"; }
  SourceReport report() const override {
    SourceReport report;
    report.what = "numbers";
    return report;
  }

 private:
  std::optional<std::int64_t> size_;
  std::set<std::int64_t> bad_;
};

LoaderOptions options_with(int batch) {
  LoaderOptions options;
  options.batch_size = batch;
  options.threads = 2;
  options.preprocess = models::clip_preprocess(8);
  options.tokenizer = std::make_shared<test::Letters>();
  options.context_length = 20;
  options.negatives = 4;
  options.augment = {.smallest_crop = 0.5, .flip = true};
  return options;
}

Loader open_loader(std::optional<std::int64_t> size, LoaderOptions options, std::set<std::int64_t> bad = {}) {
  auto loader = Loader::create(std::make_shared<Numbers>(size, std::move(bad)), std::move(options));
  Q_ASSERT(loader.has_value());
  return std::move(*loader);
}

std::vector<Batch> take(Loader& loader, int count) {
  std::vector<Batch> batches;
  for (int i = 0; i < count; ++i) {
    auto batch = loader.next();
    Q_ASSERT(batch.has_value() && batch->has_value());
    batches.push_back(std::move(**batch));
  }
  return batches;
}

bool same(const Batch& a, const Batch& b) {
  return a.step == b.step && a.ids == b.ids && a.pixels == b.pixels && a.tokens == b.tokens && a.length == b.length &&
         a.extra_tokens == b.extra_tokens && a.extra_owner == b.extra_owner && a.caption_hash == b.caption_hash &&
         a.picture_hash == b.picture_hash && a.epoch == b.epoch;
}

class LoaderTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void an_epoch_is_a_permutation_and_the_next_one_another() {
    for (const std::int64_t size : {1, 5, 64, 1000}) {
      const Sampler sampler(size, 4, 9, true);
      std::vector<std::vector<std::int64_t>> epochs(3);
      for (std::int64_t position = 0; position < 3 * size; ++position) {
        const auto place = sampler.at(position);
        QCOMPARE(place.epoch, position / size);
        epochs[static_cast<std::size_t>(place.epoch)].push_back(place.index);
      }
      for (auto epoch : epochs) {
        std::ranges::sort(epoch);
        for (std::int64_t i = 0; i < size; ++i) QCOMPARE(epoch[static_cast<std::size_t>(i)], i);
      }
      if (size >= 64) QVERIFY(epochs[0] != epochs[1] && epochs[1] != epochs[2]);
    }
    const Sampler in_order(10, 4, 9, false);
    QCOMPARE(in_order.at(13).index, std::int64_t{3});
    const Sampler endless(std::nullopt, 4, 9, true);
    QCOMPARE(endless.at(1LL << 40).index, std::int64_t{1} << 40);
  }

  void no_batch_holds_a_picture_twice() {
    for (const std::int64_t size : {40, 61, 100}) {
      const Sampler sampler(size, 10, 4, true);
      for (std::int64_t step = 0; step < 200; ++step) {
        std::set<std::int64_t> batch;
        for (std::int64_t row = 0; row < 10; ++row) batch.insert(sampler.at(step * 10 + row).index);
        QCOMPARE(batch.size(), std::size_t{10});
      }
    }
  }

  void every_position_is_equally_likely() {
    std::map<std::int64_t, int> first;
    constexpr int kSeeds = 4000;
    for (int seed = 0; seed < kSeeds; ++seed)
      ++first[Sampler(8, 2, static_cast<std::uint64_t>(seed), true).at(9).index];
    for (const auto& [index, count] : first) QVERIFY(std::abs(count - kSeeds / 8) < 5 * std::sqrt(kSeeds / 8.0));
    QCOMPARE(first.size(), std::size_t{8});
  }

  void batches_do_not_depend_on_threads_or_on_where_one_resumes() {
    auto options = options_with(4);
    options.threads = 1;
    Loader one = open_loader(64, options);
    const auto expected = take(one, 48);
    options.threads = 5;
    Loader many = open_loader(64, options);
    const auto threaded = take(many, 48);
    for (std::size_t i = 0; i < 48; ++i) QVERIFY(same(expected[i], threaded[i]));
    // In the middle of an epoch, at its boundary, and twice.
    for (const int start : {21, 16, 32, 22}) {
      options.start_step = start;
      Loader resumed = open_loader(64, options);
      const auto rest = take(resumed, 48 - start);
      for (int i = start; i < 48; ++i) {
        QVERIFY(same(expected[static_cast<std::size_t>(i)], rest[static_cast<std::size_t>(i - start)]));
      }
    }
    for (int epoch = 0; epoch < 3; ++epoch) {
      std::set<std::string> ids;
      for (int i = 0; i < 16; ++i) {
        const Batch& batch = expected[static_cast<std::size_t>(epoch * 16 + i)];
        ids.insert(batch.ids.begin(), batch.ids.end());
        QCOMPARE(batch.epoch, epoch + i / 16.0);
        QCOMPARE(batch.position, batch.step + 1);
      }
      QCOMPARE(ids.size(), std::size_t{64});
    }
  }

  void ranks_together_see_what_one_sees() {
    for (const int world : {2, 3, 4}) {
      auto options = options_with(6);
      Loader whole = open_loader(50, options);
      const auto expected = take(whole, 20);
      std::vector<std::vector<Batch>> parts;
      for (int rank = 0; rank < world; ++rank) {
        options.rank = rank;
        options.world = world;
        Loader part = open_loader(50, options);
        parts.push_back(take(part, 20));
      }
      for (std::size_t step = 0; step < 20; ++step) {
        std::vector<std::string> ids;
        std::vector<float> pixels;
        std::vector<std::uint64_t> captions;
        int extra = 0;
        for (const auto& part : parts) {
          const Batch& batch = part[step];
          ids.insert(ids.end(), batch.ids.begin(), batch.ids.end());
          pixels.insert(pixels.end(), batch.pixels.begin(), batch.pixels.end());
          captions.insert(captions.end(), batch.caption_hash.begin(), batch.caption_hash.end());
          extra += batch.extra_count;
        }
        QCOMPARE(ids, expected[step].ids);
        QVERIFY(pixels == expected[step].pixels);
        QVERIFY(captions == expected[step].caption_hash);
        QCOMPARE(extra, expected[step].extra_count);
      }
    }
  }

  void a_batch_holds_what_it_says() {
    auto options = options_with(4);
    options.augment = {};
    options.shuffled = false;
    options.draw_captions = false;
    Loader loader = open_loader(9, options);
    const Batch batch = take(loader, 1).front();
    QCOMPARE(batch.count, 4);
    QCOMPARE(batch.ids, (std::vector<std::string>{"0", "1", "2", "3"}));
    QCOMPARE(batch.length, 10);  // "number 0" between start and end
    QCOMPARE(batch.tokens.size(), std::size_t{40});
    QCOMPARE(batch.tokens[0], std::int64_t{1});
    QCOMPARE(batch.tokens[8], std::int64_t{'0'});
    QCOMPARE(batch.tokens[38], std::int64_t{'3'});
    QCOMPARE(batch.tokens[39], std::int64_t{2});
    QCOMPARE(batch.extra_count, 16);
    QCOMPARE(batch.extra_tokens.size(), static_cast<std::size_t>(16 * batch.extra_length));
    QCOMPARE(batch.extra_owner[3], std::int64_t{0});
    QCOMPARE(batch.extra_owner[15], std::int64_t{3});
    // Padding stands behind the end token only.
    for (std::size_t row = 0; row < 16; ++row) {
      bool ended = false;
      for (int i = 0; i < batch.extra_length; ++i) {
        const auto id =
            batch.extra_tokens[row * static_cast<std::size_t>(batch.extra_length) + static_cast<std::size_t>(i)];
        QCOMPARE(id == 0, ended);
        ended = ended || id == 2;
      }
    }
    const models::Image view =
        models::resize_and_crop(std::get<models::Image>(Numbers(9).read(2)->picture), options.preprocess);
    std::vector<float> expected(3 * 8 * 8);
    models::normalize_chw(view, options.preprocess, expected.data());
    QVERIFY(std::equal(expected.begin(), expected.end(), batch.pixels.begin() + 2 * 3 * 8 * 8));
  }

  void near_misses_are_drawn_anew_beside_their_caption() {
    Loader loader = open_loader(8, options_with(8));
    std::map<std::string, std::set<std::uint64_t>> captions;
    std::set<std::int64_t> negative_lengths;
    for (const Batch& batch : take(loader, 40)) {
      for (std::size_t i = 0; i < batch.ids.size(); ++i) captions[batch.ids[i]].insert(batch.caption_hash[i]);
      for (int row = 0; row < batch.extra_count; ++row) {
        negative_lengths.insert(std::count_if(batch.extra_tokens.begin() + row * batch.extra_length,
                                              batch.extra_tokens.begin() + (row + 1) * batch.extra_length,
                                              [](std::int64_t id) { return id > 2; }));
      }
    }
    // Near misses belong to the first caption, so that one stands beside them in every epoch.
    for (const auto& [id, hashes] : captions) QCOMPARE(hashes.size(), std::size_t{1});
    QCOMPARE(negative_lengths, (std::set<std::int64_t>{1, 2, 3, 4, 5, 6}));
  }

  void captions_without_near_misses_are_drawn_anew() {
    auto options = options_with(8);
    options.negatives = 0;
    Loader loader = open_loader(8, options);
    std::map<std::string, std::set<std::uint64_t>> captions;
    for (const Batch& batch : take(loader, 40))
      for (std::size_t i = 0; i < batch.ids.size(); ++i) captions[batch.ids[i]].insert(batch.caption_hash[i]);
    for (const auto& [id, hashes] : captions) QCOMPARE(hashes.size(), std::size_t{3});
  }

  void fewer_samples_than_a_batch_make_a_batch_of_all() {
    Loader loader = open_loader(5, options_with(64));
    QCOMPARE(loader.global_batch(), std::int64_t{5});
    for (const Batch& batch : take(loader, 4)) {
      QCOMPARE(std::set<std::string>(batch.ids.begin(), batch.ids.end()).size(), std::size_t{5});
    }
    QCOMPARE(loader.epoch_of(4), 4.0);
  }

  void one_bad_picture_is_left_out_and_reported_once() {
    Loader loader = open_loader(10, options_with(5), {3});
    std::multiset<std::string> used;
    int reported = 0;
    for (const Batch& batch : take(loader, 4)) {
      used.insert(batch.ids.begin(), batch.ids.end());
      QCOMPARE(batch.pixels.size(), static_cast<std::size_t>(batch.count) * 3 * 8 * 8);
      QCOMPARE(batch.tokens.size(), static_cast<std::size_t>(batch.count) * static_cast<std::size_t>(batch.length));
      for (const std::int64_t owner : batch.extra_owner) QVERIFY(owner >= 0 && owner < batch.count);
      for (const BadSample& bad : batch.bad) {
        ++reported;
        QCOMPARE(bad.id, std::string("3"));
        QVERIFY(bad.message().find("picture 3: ") == 0);
      }
    }
    QCOMPARE(reported, 1);
    QCOMPARE(used.size(), std::size_t{18});
    QVERIFY(!used.contains("3"));
  }

  void too_many_bad_pictures_end_the_run() {
    Loader all_bad = open_loader(1000, options_with(8), {-1});
    const auto nothing = all_bad.next();
    QVERIFY(!nothing.has_value());
    QVERIFY(nothing.error().what.find("8 of 8 samples") != std::string::npos);
    QVERIFY(nothing.error().what.find("picture ") != std::string::npos);
    QCOMPARE(nothing.error().where, std::string("numbers"));
    QVERIFY(!nothing.error().hint.empty());

    Loader some_bad = open_loader(20, options_with(10), {1, 2, 3});
    // Judged once all twenty are seen: after the second batch.
    QVERIFY(some_bad.next().has_value());
    QVERIFY(!some_bad.next().has_value());
    auto generous = options_with(10);
    generous.largest_bad_share = 0.2;
    Loader allowed = open_loader(20, generous, {1, 2, 3});
    QCOMPARE(take(allowed, 6).size(), std::size_t{6});
  }

  void stopping_does_not_wait_for_the_queue() {
    for (int i = 0; i < 20; ++i) {
      auto options = options_with(64);
      options.threads = 4;
      Loader loader = open_loader(std::nullopt, options);
      if (i % 2 == 0) QVERIFY(loader.ready(std::chrono::seconds(20)));
    }
  }

  void crops_lie_inside_and_have_the_asked_area() {
    double smallest = 1, largest = 0;
    for (std::uint64_t i = 0; i < 3000; ++i) {
      Draw draw(1, 0, i, "test");
      const CropBox box = draw_crop(200, 150, 0.3, draw);
      QVERIFY(box.left >= 0 && box.top >= 0 && box.width > 0 && box.height > 0);
      QVERIFY(box.left + box.width <= 200 && box.top + box.height <= 150);
      const double share = box.width * box.height / 30000.0;
      smallest = std::min(smallest, share);
      largest = std::max(largest, share);
    }
    QVERIFY(smallest > 0.29 && smallest < 0.33 && largest > 0.9);
    models::Image image{.width = 3, .height = 2, .rgb = {}};
    for (int i = 0; i < 18; ++i) image.rgb.push_back(static_cast<std::uint8_t>(i));
    QCOMPARE(crop(image, {1, 1, 2, 1}).rgb, (std::vector<std::uint8_t>{12, 13, 14, 15, 16, 17}));
    QCOMPARE(mirrored(image).rgb,
             (std::vector<std::uint8_t>{6, 7, 8, 3, 4, 5, 0, 1, 2, 15, 16, 17, 12, 13, 14, 9, 10, 11}));
  }
};

}  // namespace
}  // namespace disco::data

QTEST_GUILESS_MAIN(disco::data::LoaderTest)
#include "loader_test.moc"
