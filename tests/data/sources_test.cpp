// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <set>

#include "engine/data/encode.h"
#include "engine/data/source.h"
#include "engine/data/sources/cartoon_source.h"
#include "engine/data/sources/file_source.h"
#include "engine/data/sources/table_reader.h"
#include "engine/data/sources/text.h"

namespace disco::data {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, std::string_view content) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

std::string a_png(std::uint8_t grey = 7) { return *encode_png(models::filled_image(4, 4, grey, grey, grey)); }

std::string from_hex(const char* hex) { return QByteArray::fromHex(hex).toStdString(); }

const Skipped* find_reason(const SourceReport& report, std::string_view reason) {
  for (const Skipped& skipped : report.skipped) {
    if (skipped.reason.find(reason) != std::string::npos) return &skipped;
  }
  return nullptr;
}

class SourcesTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void folder_counts_what_it_uses_and_what_not() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    write(root / "b.png", a_png());
    write(root / "b.txt", "\xEF\xBB\xBF A frog. \r\nde.utf8=Ein Frosch\n");
    write(root / "deep/er/a.JPG", *encode_jpeg(models::filled_image(8, 8, 1, 2, 3)));
    write(root / "deep/er/a.txt", "Zwei Füße");
    write(root / "mirror.png", a_png());
    write(root / "drawing.svg", "<svg/>");
    write(root / "drawing.txt", "A drawing.");
    write(root / "latin.png", a_png());
    write(root / "latin.txt", "caf\xE9\n");
    write(root / "wide.png", a_png());
    write(root / "wide.txt", std::string_view("\xFF\xFE"
                                              "a\0",
                                              4));
    write(root / "blank.png", a_png());
    write(root / "blank.txt", "\nA second line.\n");
    write(root / "empty.png", "");
    write(root / "empty.txt", "Nothing.");
    write(root / "orphan.txt", "No picture.");
    write(root / "sound.ogg", "x");
    write(root / ".hidden.png", a_png());
    write(root / ".cache/c.png", a_png());

    const auto listing = list_folder(root);
    QVERIFY2(listing.has_value(), listing ? "" : listing.error().message().c_str());
    QCOMPARE(listing->pictures.size(), std::size_t{2});
    QCOMPARE(listing->pictures[0].id, std::string("b.png"));
    QCOMPARE(listing->pictures[0].captions, std::vector<std::string>{"A frog."});
    QCOMPARE(listing->pictures[1].id, std::string("deep/er/a.JPG"));
    QCOMPARE(listing->pictures[1].captions, std::vector<std::string>{"Zwei Füße"});
    QCOMPARE(listing->report.other_files, std::int64_t{1});
    for (const char* reason : {"no .txt", ".svg files", "not UTF-8", "UTF-16", "first line of the .txt is empty",
                               "picture file is empty", ".txt without a picture"}) {
      const Skipped* skipped = find_reason(listing->report, reason);
      QVERIFY2(skipped != nullptr, reason);
      QCOMPARE(skipped->count, std::int64_t{1});
      QCOMPARE(skipped->examples.size(), std::size_t{1});
    }
    QCOMPARE(listing->report.skipped.size(), std::size_t{7});

    const FileSource source(*listing);
    QCOMPARE(*source.size(), std::int64_t{2});
    const auto sample = source.read(1);
    QVERIFY(sample.has_value());
    QVERIFY(std::get<Bytes>(sample->picture).size() > 100);
    QCOMPARE(sample->origin, (root / "deep/er/a.JPG").string());
    QCOMPARE(source.display_picture(0, 384)->width, 4);
    QVERIFY(source.fingerprint() == FileSource(*list_folder(root)).fingerprint());
    write(root / "b.txt", "A toad.");
    QVERIFY(source.fingerprint() != FileSource(*list_folder(root)).fingerprint());
  }

  void folder_errors_name_it_and_say_what_to_do() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    for (const auto& [path, words] : std::vector<std::pair<fs::path, std::string>>{
             {root / "nowhere", "no such folder"}, {root, "no picture with a caption"}}) {
      const auto listing = list_folder(path);
      QVERIFY(!listing.has_value());
      QVERIFY2(listing.error().what.find(words) != std::string::npos, listing.error().what.c_str());
      QCOMPARE(listing.error().where, path.string());
      QVERIFY(!listing.error().hint.empty());
    }
    write(root / "x.svg", "<svg/>");
    QVERIFY(list_folder(root).error().what.find("1 x .svg files are not supported") != std::string::npos);
    QVERIFY(list_folder(root / "x.svg").error().what.find("file, not a folder") != std::string::npos);
  }

  void table_of_many_kinds_of_trouble() {
    const std::string hex = from_hex(
        "efbbbf2266696c652070617468222c63617074696f6e0d0a22696d20312e706e67222c2261202222726564222220666f782c0d0a69"
        "6e20736e6f77220d0a696dc3a9322e706e672c706c61696e0d0a0d0a226c6173742e706e67222c226e6f206e65776c696e652061"
        "7420656e6422");
    const auto table = parse_table(hex, 0);
    QVERIFY(table.has_value());
    QCOMPARE(table->columns, (std::vector<std::string>{"file path", "caption"}));
    QCOMPARE(table->rows.size(), std::size_t{3});
    QCOMPARE(table->rows[0].cells, (std::vector<std::string>{"im 1.png", "a \"red\" fox,\nin snow"}));
    QCOMPARE(table->rows[1].cells, (std::vector<std::string>{"imé2.png", "plain"}));
    QCOMPARE(table->rows[2].cells, (std::vector<std::string>{"last.png", "no newline at end"}));
    QCOMPARE(table->rows[1].line, std::int64_t{4});

    const auto only_cr = parse_table("image\tcaption\ra.png\tone, two\rb.png\tthree\r", 0);
    QVERIFY(only_cr.has_value());
    QCOMPARE(only_cr->rows.size(), std::size_t{2});
    QCOMPARE(only_cr->rows[0].cells[1], std::string("one, two"));
    const auto separator_in_cell = parse_table(
        "image,caption\na.png,line\xE2\x80\xA8"
        "end\n",
        0);
    QCOMPARE(separator_in_cell->rows.size(), std::size_t{1});
    QCOMPARE(separator_in_cell->rows[0].cells[1], std::string("line\xE2\x80\xA8"
                                                              "end"));
    const auto open = parse_table("image,caption\na.png,fine\nb.png,\"never closed\nc.png,lost\n", 0);
    QCOMPARE(open->rows.size(), std::size_t{1});
    QCOMPARE(open->open_quote, std::int64_t{3});
    QVERIFY(parse_table("a,b,a\n", 0).error().what.find("\"a\"") != std::string::npos);
    QVERIFY(parse_table(std::string_view("\xFF\xFE"
                                         "a\0",
                                         4),
                        0)
                .error()
                .what.find("UTF-16") != std::string::npos);
    QVERIFY(parse_table("image,caption\na,caf\xE9\n", 0).error().what.find("not UTF-8") != std::string::npos);
    QVERIFY(!parse_table("", 0).has_value());
    QVERIFY(parse_table("a;b\n1,5;2\n", 0)->columns.size() == 2);
  }

  void table_rows_become_samples() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    write(root / "pictures/a.png", a_png());
    write(root / "b.png", a_png());
    write(root / "empty.png", "");
    write(root / "t.csv",
          "id,image,caption\n1,pictures/a.png,first\n2,b.png,\n3,b.png,only\n4,pictures/a.png,second\n5,gone.png,x\n"
          "6,b.png\n7,b.png,x,y\n8,empty.png,x\n9,b.png,\"open\n");
    const auto listing = list_table(root / "t.csv", {});
    QVERIFY2(listing.has_value(), listing ? "" : listing.error().message().c_str());
    QCOMPARE(listing->pictures.size(), std::size_t{2});
    QCOMPARE(listing->pictures[0].captions, (std::vector<std::string>{"first", "second"}));
    QCOMPARE(listing->pictures[1].captions, (std::vector<std::string>{"only"}));
    for (const char* reason :
         {"caption is empty", "no such picture", "too few", "too many", "file is empty", "quote"}) {
      const Skipped* skipped = find_reason(listing->report, reason);
      QVERIFY2(skipped != nullptr && skipped->count == 1, reason);
    }
    QCOMPARE(find_reason(listing->report, "no such picture")->examples.front(), std::string("line 6: gone.png"));

    const auto wrong = list_table(root / "t.csv", {.picture = "filepath"});
    QVERIFY(wrong.error().what.find(R"("id", "image", "caption")") != std::string::npos);
    const auto wrong_separator = list_table(root / "t.csv", {.separator = "tab"});
    QVERIFY(wrong_separator.error().what.find("\"id,image,caption\"") != std::string::npos);
    QVERIFY(list_table(root / "t.csv", {.separator = "pipe"}).error().where == "data.separator");
  }

  void split_shares_nothing_and_stays() {
    Listing listing;
    for (int i = 0; i < 2000; ++i) listing.pictures.push_back({std::to_string(i) + ".png", {}, {"x"}});
    Listing more = listing;
    for (int i = 2000; i < 2500; ++i) more.pictures.push_back({std::to_string(i) + ".png", {}, {"x"}});
    const auto ids = [](const Listing& part) {
      std::set<std::string> all;
      for (const auto& picture : part.pictures) all.insert(picture.id);
      return all;
    };
    const auto [train, held_out] = split_listing(listing, 0.1);
    QCOMPARE(train.pictures.size() + held_out.pictures.size(), std::size_t{2000});
    QVERIFY(held_out.pictures.size() > 140 && held_out.pictures.size() < 260);
    for (const auto& id : ids(held_out)) QVERIFY(!ids(train).contains(id));
    const auto later = ids(split_listing(more, 0.1).second);
    for (const auto& id : ids(held_out)) QVERIFY(later.contains(id));

    listing.pictures.resize(2);
    for (const double share : {0.001, 0.5, 0.9}) {
      const auto [one, other] = split_listing(listing, share);
      QCOMPARE(one.pictures.size(), std::size_t{1});
      QCOMPARE(other.pictures.size(), std::size_t{1});
    }
    QCOMPARE(split_listing(listing, 0).first.pictures.size(), std::size_t{2});
  }

  void the_same_folder_twice_shares_no_picture() {
    const QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    for (const char* name : {"a", "b", "held/c", "held/d"}) {
      write(root / (std::string(name) + ".png"), a_png());
      write(root / (std::string(name) + ".txt"), name);
    }
    DataSettings settings;
    settings.source = DataKind::folder;
    settings.path = root.string();
    settings.validation_path = (root / "." / "held").string();
    const auto sources = open_sources(settings);
    QVERIFY2(sources.has_value(), sources ? "" : sources.error().message().c_str());
    QCOMPARE(*sources->train->size(), std::int64_t{2});
    QCOMPARE(*sources->validation->size(), std::int64_t{2});
    QVERIFY(find_reason(sources->train->report(), "held-out") != nullptr);
    settings.validation_path = root.string();
    QVERIFY(!open_sources(settings).has_value());
  }

  void cartoons_come_as_sources() {
    const auto sources = open_sources(DataSettings{}, {.seed = 3, .picture_size = 64});
    if (!sources) QSKIP("the emoji font is not installed");
    QVERIFY(!sources->train->size().has_value());
    QCOMPARE(*sources->validation->size(), std::int64_t{1000});
    const auto sample = sources->train->read(1'000'000'007);
    QCOMPARE(std::get<models::Image>(sample->picture).width, 64);
    QCOMPARE(sample->negatives.size(), std::size_t{4});
    const auto held_out = sources->validation->read(5);
    QCOMPARE(held_out->matching->candidates.size(), std::size_t{5});
    QCOMPARE(sources->validation->display_picture(5, 384)->width, 384);
    const auto other_seed = open_sources(DataSettings{}, {.seed = 4, .picture_size = 64});
    QVERIFY(other_seed->validation->read(5)->captions == held_out->captions);
    QVERIFY(other_seed->train->read(5)->captions != sources->train->read(5)->captions);
    QVERIFY(other_seed->train->fingerprint() != sources->train->fingerprint());
  }

  // The real data set that set-up installs: whatever else is in its folders, it must just work.
  void tux_paint_stamps() {
    const fs::path stamps = "/usr/share/tuxpaint/stamps";
    if (!fs::exists(stamps)) QSKIP("tuxpaint-stamps-default is not installed");
    DataSettings settings;
    settings.source = DataKind::folder;
    settings.path = stamps.string();
    const auto sources = open_sources(settings);
    QVERIFY2(sources.has_value(), sources ? "" : sources.error().message().c_str());
    const std::int64_t all = *sources->train->size() + *sources->validation->size();
    QVERIFY(all > 700);
    const SourceReport report = sources->train->report();
    QVERIFY(find_reason(report, ".svg")->count > 200);
    QVERIFY(find_reason(report, "no .txt") != nullptr);
    for (std::int64_t i = 0; i < *sources->train->size(); i += 10) {
      const auto sample = sources->train->read(i);
      QVERIFY(sample.has_value());
      QVERIFY(sample->captions.front().find(".utf8=") == std::string::npos);
      QVERIFY2(sources->train->display_picture(i, 0).has_value(), sample->origin.c_str());
    }
  }

  void utf8_is_checked_to_the_letter() {
    for (const char* good : {"", "plain", "é", "日本", "\xF0\x9F\xA6\x8A", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"})
      QVERIFY(is_utf8_text(good));
    for (const char* bad : {"\x80", "\xC0\xAF", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                            "\xF5\x80\x80\x80", "\xE2\x82", "a\xFF"}) {
      QVERIFY(!is_utf8_text(bad));
    }
    QVERIFY(!is_utf8_text(std::string_view("a\0b", 3)));
  }
};

}  // namespace
}  // namespace disco::data

QTEST_GUILESS_MAIN(disco::data::SourcesTest)
#include "sources_test.moc"
