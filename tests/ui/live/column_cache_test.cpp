// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/column_cache.h"

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>
#include <limits>

#include "engine/base/files.h"
#include "ui/live/run_columns.h"

using namespace disco;
using namespace disco::ui;

namespace {

StoredColumns example(std::uint64_t offset) {
  ColumnBuilder builder;
  builder.metric("loss");
  StepRow row;
  for (int step = 1; step <= 20'000; ++step) {
    row.step = row.time = step;
    row.samples = step * 64;
    row.values = {step == 77 ? std::numeric_limits<double>::quiet_NaN() : std::sin(step)};
    if (step == 9000) row.values.push_back(5), builder.metric("late");
    builder.append(row);
  }
  builder.resume(15'000);
  row.step = row.time = 15'001;
  row.values = {42};
  builder.append(row);
  return {builder.view(), {R"({"kind":"state"})", "second"}, offset};
}

}  // namespace

class ColumnCacheTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    const std::filesystem::path root = folder_->path().toStdString();
    cache_ = root / "cache" / "a.columns";
    events_ = root / "events.jsonl";
    std::ofstream(events_) << std::string(20'000, 'x') << "\nmore\n";
  }

  void columns_come_back_as_they_were() {
    const StoredColumns stored = example(10'000);
    QVERIFY(store_columns(cache_, events_, stored).has_value());
    const auto loaded = load_columns(cache_, events_);
    QVERIFY(loaded.has_value());
    QCOMPARE(loaded->offset, std::uint64_t{10'000});
    QCOMPARE(loaded->side_lines, stored.side_lines);
    const Columns& a = stored.columns;
    const Columns& b = loaded->columns;
    QCOMPARE(*b.metrics, *a.metrics);
    QCOMPARE(b.line.size(), a.line.size());
    for (std::uint64_t i = 0; i < a.line.size(); i += 7)
      for (std::size_t column = 0; column < axis_columns + 2; ++column) {
        const double was = a.line.value(column, i);
        const double is = b.line.value(column, i);
        QVERIFY(was == is || (std::isnan(was) && is_absent(was) == is_absent(is) && std::isnan(is)));
      }
    QCOMPARE(b.replaced.size(), std::size_t{1});
    QCOMPARE(b.replaced[0].size(), std::uint64_t{5000});
    QCOMPARE(b.resumes.size(), std::size_t{1});
    QCOMPARE(b.not_finite[0]->size(), std::size_t{1});
    QCOMPARE(b.not_finite[0]->front().first, std::uint64_t{76});
  }

  void a_restored_run_goes_on() {
    QVERIFY(store_columns(cache_, events_, example(10'000)).has_value());
    auto loaded = load_columns(cache_, events_);
    ColumnBuilder builder;
    builder.restore(std::move(loaded->columns));
    StepRow row;
    row.step = row.time = 15'002;
    row.values = {43, 44};
    builder.append(row);
    const Columns columns = builder.view();
    QCOMPARE(columns.line.size(), std::uint64_t{15'002});
    QCOMPARE(columns.value(0, 15'000), 42.0);
    QCOMPARE(columns.value(1, 15'001), 44.0);
  }

  void a_file_that_only_grew_still_fits() {
    QVERIFY(store_columns(cache_, events_, example(10'000)).has_value());
    std::ofstream(events_, std::ios::app) << "another line\n";
    QVERIFY(load_columns(cache_, events_).has_value());
  }

  void another_file_does_not_fit() {
    QVERIFY(store_columns(cache_, events_, example(10'000)).has_value());
    std::ofstream(events_) << std::string(20'000, 'y');
    QVERIFY(!load_columns(cache_, events_));
    std::ofstream(events_) << "short";
    QVERIFY(!load_columns(cache_, events_));
    std::filesystem::remove(events_);
    QVERIFY(!load_columns(cache_, events_));
  }

  // A cache that was cut or scribbled on is thrown away, wherever it broke.
  void a_damaged_cache_is_not_used() {
    QVERIFY(store_columns(cache_, events_, example(10'000)).has_value());
    const std::string whole = *read_file(cache_);
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{10}, std::size_t{24}, whole.size() / 2, whole.size() - 64}) {
      std::ofstream(cache_, std::ios::binary) << whole.substr(0, size);
      QVERIFY(!load_columns(cache_, events_));
    }
    for (std::size_t at = 16; at < 600; at += 3) {
      std::string broken = whole;
      broken[at] = static_cast<char>(broken[at] ^ 0x15);
      std::ofstream(cache_, std::ios::binary) << broken;
      if (const auto loaded = load_columns(cache_, events_))  // at worst other numbers, never other memory
        for (std::uint64_t i = 0; i < loaded->columns.line.size(); i += 1000)
          static_cast<void>(loaded->columns.line.value(0, i));
    }
    QVERIFY(!load_columns(cache_.parent_path() / "none", events_));
  }

 private:
  std::unique_ptr<QTemporaryDir> folder_;
  std::filesystem::path cache_;
  std::filesystem::path events_;
};

QTEST_GUILESS_MAIN(ColumnCacheTest)
#include "column_cache_test.moc"
