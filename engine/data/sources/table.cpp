// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <unordered_map>

#include "engine/base/files.h"
#include "engine/data/sources/file_source.h"
#include "engine/data/sources/skip_counter.h"
#include "engine/data/sources/table_reader.h"
#include "engine/data/sources/text.h"

namespace disco::data {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestTable = 4ULL << 30;

Result<char> separator_of(const std::string& name) {
  if (name == "auto" || name.empty()) return '\0';
  if (name == "comma" || name == ",") return ',';
  if (name == "tab" || name == "\t") return '\t';
  if (name == "semicolon" || name == ";") return ';';
  return failure("\"" + name + "\" is not a separator", "data.separator", "Use auto, comma, tab or semicolon");
}

Result<std::size_t> find_column(const Table& table, const std::string& name, const fs::path& file,
                                const char* setting) {
  const auto found = std::ranges::find(table.columns, name);
  if (found != table.columns.end()) return static_cast<std::size_t>(found - table.columns.begin());
  std::string names;
  for (const std::string& column : table.columns) names += (names.empty() ? "\"" : ", \"") + column + "\"";
  return failure("there is no column \"" + name + "\"; the columns are " + names, file.string(),
                 std::string("Set ") + setting + " to one of them, or data.separator if the columns look wrong");
}

class TableLister {
 public:
  TableLister(const fs::path& file, const Table& table, std::size_t picture, std::size_t caption)
      : folder_(file.parent_path()), table_(table), picture_(picture), caption_(caption) {}

  Listing list() {
    for (const TableRow& row : table_.rows) add(row);
    if (table_.open_quote != 0) {
      skipped_.add("a quote is never closed; the rows from there on are not read", line(table_.open_quote));
    }
    listing_.report.skipped = skipped_.by_count();
    return std::move(listing_);
  }

 private:
  static std::string line(std::int64_t number) { return "line " + std::to_string(number); }

  void add(const TableRow& row) {
    if (row.cells.size() != table_.columns.size()) {
      skipped_.add(row.cells.size() < table_.columns.size() ? "a row with too few cells" : "a row with too many cells",
                   line(row.line));
      return;
    }
    const std::string name(trimmed(row.cells[picture_]));
    const std::string caption(trimmed(row.cells[caption_]));
    if (name.empty() || caption.empty()) {
      skipped_.add(name.empty() ? "no picture is named" : "the caption is empty", line(row.line));
      return;
    }
    if (const auto known = places_.find(name); known != places_.end()) {
      listing_.pictures[known->second].captions.push_back(caption);
      return;
    }
    const fs::path path = folder_ / name;
    std::error_code error;
    const auto size = fs::file_size(path, error);
    if (error || size == 0) {
      skipped_.add(error ? "there is no such picture" : "the picture file is empty", line(row.line) + ": " + name);
      return;
    }
    places_.emplace(name, listing_.pictures.size());
    listing_.pictures.push_back({name, path, {caption}});
  }

  fs::path folder_;
  const Table& table_;
  std::size_t picture_, caption_;
  Listing listing_;
  SkipCounter skipped_;
  std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace

Result<Listing> list_table(const fs::path& file, const TableColumns& columns) {
  std::error_code error;
  if (!fs::exists(file, error)) {
    return failure("there is no such file", file.string(), "Check the path, and that its disk is mounted");
  }
  if (fs::is_directory(file, error)) {
    return failure("this is a folder, not a table", file.string(),
                   "For a folder of pictures choose data.source=folder");
  }
  DISCO_TRY(const char separator, separator_of(columns.separator));
  DISCO_TRY(const std::string text, read_file(file, kLargestTable));
  auto table = parse_table(text, separator);
  if (!table) return failure(table.error().what, file.string(), table.error().hint);
  DISCO_TRY(const std::size_t picture, find_column(*table, columns.picture, file, "data.image_column"));
  DISCO_TRY(const std::size_t caption, find_column(*table, columns.caption, file, "data.caption_column"));
  Listing listing = TableLister(file, *table, picture, caption).list();
  listing.report.what = "table " + file.string();
  if (listing.pictures.empty()) {
    const std::string reasons = skipped_text(listing.report.skipped);
    return failure("no row names a picture and its caption" + (reasons.empty() ? "" : ": " + reasons), file.string(),
                   "Pictures are looked for beside the table");
  }
  return listing;
}

}  // namespace disco::data
