// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"

namespace disco::data {

/// A row of a table and the line that it begins on, counted from 1.
struct TableRow {
  std::int64_t line = 0;
  std::vector<std::string> cells;
};

/// A table with its header as the first row.
struct Table {
  std::vector<std::string> columns;
  std::vector<TableRow> rows;   ///< as they stand, also with too few or too many cells; blank lines are passed over
  std::int64_t open_quote = 0;  ///< line of a quote that is never closed, 0 if all are; what follows it is not read
};

/// Parses RFC 4180 with any of the line ends CR LF, LF and CR, a byte order mark, and line ends inside quotes.
/// `separator` is ',', '\t' or ';', or 0: the one that the header has most of. Only UTF-8 is accepted.
[[nodiscard]] Result<Table> parse_table(std::string_view text, char separator);

}  // namespace disco::data
