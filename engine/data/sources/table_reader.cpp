// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/sources/table_reader.h"

#include <algorithm>
#include <array>
#include <set>

#include "engine/data/sources/text.h"

namespace disco::data {
namespace {

/// Reads one row after another. A quote opens a quoted cell only where a cell begins.
class RowReader {
 public:
  RowReader(std::string_view text, char separator) : rest_(text), separator_(separator) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] std::int64_t open_quote() const { return open_quote_; }

  TableRow next() {
    TableRow row{line_, {}};
    while (true) {
      row.cells.push_back(!rest_.empty() && rest_.front() == '"' ? quoted_cell() : plain_cell());
      if (rest_.empty() || rest_.front() != separator_) break;
      rest_.remove_prefix(1);
    }
    take_line_end();
    return row;
  }

 private:
  std::string plain_cell() {
    const std::array<char, 3> ends = {separator_, '\r', '\n'};
    const auto end = std::min(rest_.find_first_of(std::string_view(ends.data(), ends.size())), rest_.size());
    std::string cell(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return cell;
  }

  std::string quoted_cell() {
    const std::int64_t began = line_;
    std::string cell;
    rest_.remove_prefix(1);
    while (!rest_.empty()) {
      const auto end = std::min(rest_.find_first_of("\"\r\n"), rest_.size());
      cell += rest_.substr(0, end);
      rest_.remove_prefix(end);
      if (rest_.empty()) break;
      if (rest_.front() != '"') {
        cell += take_line_end();
      } else if (rest_.size() > 1 && rest_[1] == '"') {
        cell += '"';
        rest_.remove_prefix(2);
      } else {
        rest_.remove_prefix(1);
        return cell + plain_cell();  // text behind the closing quote is against the rules, and kept
      }
    }
    open_quote_ = began;
    return cell;
  }

  /// Any line end counts as one, and stands as "\n" inside a cell.
  std::string_view take_line_end() {
    if (rest_.empty()) return "";
    const bool both = rest_.starts_with("\r\n");
    rest_.remove_prefix(both ? 2 : 1);
    ++line_;
    return "\n";
  }

  std::string_view rest_;
  char separator_;
  std::int64_t line_ = 1;
  std::int64_t open_quote_ = 0;
};

/// The separator that gives the header the most cells; a comma where none does.
char sniff_separator(std::string_view text) {
  char best = ',';
  std::size_t most = 1;
  for (const char candidate : {',', '\t', ';'}) {
    const std::size_t cells = RowReader(text, candidate).next().cells.size();
    if (cells > most) most = cells, best = candidate;
  }
  return best;
}

}  // namespace

Result<Table> parse_table(std::string_view text, char separator) {
  if (is_utf16(text)) return failure("the table is UTF-16", "", "Save it as UTF-8");
  text = without_mark(text);
  if (!is_utf8_text(text)) return failure("the table is not UTF-8", "", "Save it as UTF-8");
  if (trimmed(text).empty()) return failure("the table is empty");
  RowReader reader(text, separator != 0 ? separator : sniff_separator(text));
  Table table;
  for (std::string& name : reader.next().cells) table.columns.emplace_back(trimmed(name));
  std::set<std::string> seen;
  for (const std::string& name : table.columns) {
    if (!name.empty() && !seen.insert(name).second) {
      return failure("two columns are called \"" + name + "\"", "", "Give each column its own name");
    }
  }
  while (!reader.at_end()) {
    TableRow row = reader.next();
    if (reader.open_quote() != 0) {
      table.open_quote = reader.open_quote();
      break;
    }
    const bool blank = row.cells.size() == 1 && trimmed(row.cells.front()).empty();
    if (!blank) table.rows.push_back(std::move(row));
  }
  if (reader.open_quote() != 0 && table.open_quote == 0) table.open_quote = reader.open_quote();
  return table;
}

}  // namespace disco::data
