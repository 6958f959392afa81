// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoint/safetensors.h"

#include <QTemporaryDir>
#include <QTest>
#include <cstring>

#include "engine/base/files.h"
#include "tests/reference/golden.h"

using namespace disco;
using namespace disco::models;

namespace {

std::string with_length(std::uint64_t length, const std::string& rest) {
  std::string file(8, '\0');
  std::memcpy(file.data(), &length, 8);
  return file + rest;
}

/// A file of a header and bytes of data.
std::string file_of(const std::string& header, std::size_t data) {
  return with_length(header.size(), header + std::string(data, '\1'));
}

std::string tensor(const char* name, const char* dtype, const char* shape, const char* offsets) {
  const auto quoted = [](const char* text) { return '"' + std::string(text) + '"'; };
  return quoted(name) + ":{" + quoted("dtype") + ":" + quoted(dtype) + "," + quoted("shape") + ":" + shape + "," +
         quoted("data_offsets") + ":" + offsets + "}";
}

}  // namespace

class SafetensorsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void refused_data() {
    QTest::addColumn<QByteArray>("file");
    const auto row = [](const char* name, const std::string& file) {
      QTest::newRow(name) << QByteArray(file.data(), static_cast<qsizetype>(file.size()));
    };
    const auto one = [](const char* dtype, const char* shape, const char* offsets) {
      return "{" + tensor("a", dtype, shape, offsets) + "}";
    };
    const auto two = [](const char* first, const char* second) {
      return "{" + tensor("a", "U8", "[4]", first) + "," + tensor("b", "U8", "[4]", second) + "}";
    };
    row("same range", file_of(two("[0,4]", "[0,4]"), 4));
    row("overlap",
        file_of("{" + tensor("a", "U8", "[8]", "[0,8]") + "," + tensor("b", "U8", "[8]", "[4,12]") + "}", 12));
    row("hole", file_of(two("[0,4]", "[8,12]"), 12));
    row("trailing byte", file_of(one("U8", "[4]", "[0,4]"), 5));
    row("missing byte", file_of(one("U8", "[4]", "[0,4]"), 3));
    row("reversed", file_of(one("U8", "[4]", "[4,0]"), 4));
    row("negative", file_of(one("U8", "[4]", "[-4,0]"), 4));
    row("shape too large", file_of(one("F32", "[1000,1000]", "[0,4]"), 4));
    row("shape overflows", file_of(one("F32", "[4294967296,4294967296,4]", "[0,0]"), 0));
    row("negative shape", file_of(one("F32", "[-1]", "[0,4]"), 4));
    row("header behind the end", with_length(1'000'000, std::string(62, ' ')));
    row("header of 2^63", with_length(1ULL << 63, "{}"));
    row("header of 126 MB", std::string("\x40\x9d\xdf\x07\0\0\0\0", 8) + "{}");
    row("0 bytes", "");
    row("7 bytes", std::string(7, '\0'));
    row("length 0", with_length(0, ""));
    row("name twice", file_of(two("[0,4]", "[4,8]").replace(two("[0,4]", "[4,8]").find("\"b\""), 3, "\"a\""), 8));
    row("unknown type", file_of(one("F33", "[1]", "[0,4]"), 4));
    row("name is not UTF-8", file_of("{" + tensor("\xff", "U8", "[4]", "[0,4]") + "}", 4));
    row("number in metadata", file_of(R"({"__metadata__":{"step":1}})", 0));
    row("no json", file_of("{\"a\":", 0));
    row("list", file_of("[]", 0));
    row("missing member", file_of(R"({"a":{"dtype":"U8","shape":[4]}})", 4));
    row("deep", file_of(std::string(100'000, '['), 0));
    row("fraction", file_of(one("U8", "[4.0]", "[0,4]"), 4));
  }
  void refused() {
    QFETCH(QByteArray, file);
    QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("f.safetensors")).toStdString();
    QVERIFY(write_atomically(path, {file.data(), static_cast<std::size_t>(file.size())}).has_value());
    const auto opened = SafetensorsFile::open(path);
    QVERIFY(!opened.has_value());
    QCOMPARE(opened.error().where, path);
    QVERIFY(!opened.error().what.empty());
  }

  void accepted_data() {
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<int>("tensors");
    const auto row = [](const char* name, const std::string& file, int tensors) {
      QTest::newRow(name) << QByteArray(file.data(), static_cast<qsizetype>(file.size())) << tensors;
    };
    row("names out of order",
        file_of("{" + tensor("z", "U8", "[4]", "[4,8]") + "," + tensor("a", "U8", "[4]", "[0,4]") + "}", 8), 2);
    row("one number", file_of("{" + tensor("a", "F32", "[]", "[0,4]") + "}", 4), 1);
    row("empty tensors",
        file_of("{" + tensor("a", "F32", "[2,0]", "[0,0]") + "," + tensor("b", "U8", "[0]", "[0,0]") + "," +
                    tensor("c", "I8", "[0]", "[0,0]") + "}",
                0),
        3);
    row("padded", file_of("{" + tensor("a", "U8", "[4]", "[0,4]") + "}     ", 4), 1);
    row("nothing", file_of("{}", 0), 0);
    row("metadata", file_of(R"({"__metadata__":{"format":"pt"}})", 0), 0);
  }
  void accepted() {
    QFETCH(QByteArray, file);
    QFETCH(int, tensors);
    const auto content =
        parse_safetensors(std::as_bytes(std::span(file.data(), static_cast<std::size_t>(file.size()))), "f");
    QVERIFY2(content.has_value(), content ? "" : content.error().message().c_str());
    QCOMPARE(static_cast<int>(content->entries.size()), tensors);
  }

  void writeRead_roundTrip() {
    QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("f.safetensors")).toStdString();
    const std::vector<std::uint8_t> bytes = {1, 2, 3};
    const std::vector<double> numbers = {0.5, -1, 1e300, 4};
    const std::vector<TensorEntry> entries = {
        {.name = "small", .dtype = Dtype::u8, .shape = {3}, .data = std::as_bytes(std::span(bytes))},
        {.name = "größer \"x\"", .dtype = Dtype::f64, .shape = {2, 2}, .data = std::as_bytes(std::span(numbers))},
        {.name = "none", .dtype = Dtype::i64, .shape = {0, 7}, .data = {}}};
    QVERIFY(write_safetensors(path, entries, {{"format", "pt"}}).has_value());
    const auto file = SafetensorsFile::open(path);
    QVERIFY2(file.has_value(), file ? "" : file.error().message().c_str());
    QCOMPARE(file->metadata().at("format"), std::string("pt"));
    QCOMPARE(file->entries().size(), std::size_t{3});
    for (const TensorEntry& entry : entries) {
      const TensorEntry* found = file->find(entry.name);
      QVERIFY(found != nullptr);
      QVERIFY(found->dtype == entry.dtype);
      QCOMPARE(found->shape, entry.shape);
      QVERIFY(std::equal(found->data.begin(), found->data.end(), entry.data.begin(), entry.data.end()));
      QCOMPARE(reinterpret_cast<std::uintptr_t>(found->data.data()) % dtype_size(entry.dtype), std::uintptr_t{0});
    }
  }

  void write_refusesWhatCannotBeRead() {
    const std::vector<std::uint8_t> bytes = {1, 2, 3};
    const TensorEntry good{.name = "a", .dtype = Dtype::u8, .shape = {3}, .data = std::as_bytes(std::span(bytes))};
    TensorEntry wrong = good;
    wrong.shape = {4};
    QVERIFY(!write_safetensors("/nonexistent/f", std::vector{good}).has_value());
    QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("f")).toStdString();
    QVERIFY(!write_safetensors(path, std::vector{good, good}).has_value());
    QVERIFY(!write_safetensors(path, std::vector{wrong}).has_value());
  }

  void writtenFile_opensInTheOfficialLibrary() {
    if (!testing::has_reference_libraries()) QSKIP("the cached Python environment is missing");
    QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("f.safetensors")).toStdString();
    const std::vector<float> numbers = {1, 2, 3, 4, 5, 6};
    const std::vector<std::uint8_t> bytes = {7};
    QVERIFY(write_safetensors(
                path,
                std::vector<TensorEntry>{
                    {.name = "b", .dtype = Dtype::u8, .shape = {}, .data = std::as_bytes(std::span(bytes))},
                    {.name = "a", .dtype = Dtype::f32, .shape = {2, 3}, .data = std::as_bytes(std::span(numbers))}},
                {{"format", "pt"}})
                .has_value());
    QCOMPARE(testing::run_reference(QStringLiteral("safetensors_check.py"), {QString::fromStdString(path)}), QString());
  }
};

QTEST_GUILESS_MAIN(SafetensorsTest)
#include "safetensors_test.moc"
