// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the curves of a run are drawn from: one column of numbers for each metric, a row for each step, kept in blocks
// that are only ever appended to. A reader holds pieces of blocks and a length; rows below that length never change, so
// that the reading thread goes on writing while others draw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace disco::ui {

/// What runs along the bottom of a chart. The first four columns of every block, in this order.
enum class XAxis : std::uint8_t { step, samples, relative, wall };
inline constexpr std::size_t axis_columns = 4;

/// "This step did not report this metric": a NaN with a payload of its own, so that a NaN the engine did report is kept
/// apart from it. Never drawn.
[[nodiscard]] double absent();
[[nodiscard]] bool is_absent(double value);

/// Rows of one or more metrics. Immutable for everyone but the ColumnBuilder that appends to it.
struct Block {
  static constexpr std::uint32_t capacity = 8192;
  std::vector<const double*> columns;  ///< axes, then metrics; nullptr or beyond the end = absent in all rows
  std::shared_ptr<const void> storage;

  [[nodiscard]] const double* column(std::size_t index) const {
    return index < columns.size() ? columns[index] : nullptr;
  }
};

/// Rows [begin, end) of a block, which are rows start … of a line.
struct Piece {
  std::shared_ptr<const Block> block;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint64_t start = 0;

  [[nodiscard]] std::uint64_t stop() const { return start + end - begin; }
};

/// A run of rows with steps that only grow, over any number of blocks. Cheap to copy, safe to read from any thread.
class Line {
 public:
  [[nodiscard]] std::uint64_t size() const { return pieces_.empty() ? 0 : pieces_.back().stop(); }
  [[nodiscard]] bool empty() const { return pieces_.empty(); }
  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }

  /// Value of a column (axis or axis_columns + metric) in row `index`, which must exist.
  [[nodiscard]] double value(std::size_t column, std::uint64_t index) const;
  [[nodiscard]] double x(XAxis axis, std::uint64_t index) const { return value(static_cast<std::size_t>(axis), index); }
  /// The first row whose x is not below `x`; size() when there is none. All axes grow along a line.
  [[nodiscard]] std::uint64_t lower_bound(XAxis axis, double x) const;
  /// x of the row of a step on any axis; the nearest row when the step itself is not there. 0 for an empty line.
  [[nodiscard]] double x_of_step(XAxis axis, double step) const;

  /// Calls visit(values, count, first_index) for the stretches of rows [first, last); values is nullptr where the
  /// column is absent.
  template <class Visitor>
  void for_each_run(std::size_t column, std::uint64_t first, std::uint64_t last, Visitor&& visit) const {
    for (const Piece& piece : pieces_) {
      if (piece.stop() <= first) continue;
      if (piece.start >= last) break;
      const std::uint64_t from = first > piece.start ? first - piece.start : 0;
      const std::uint64_t to = (last < piece.stop() ? last : piece.stop()) - piece.start;
      const double* values = piece.block->column(column);
      visit(values ? values + piece.begin + from : nullptr, static_cast<std::size_t>(to - from), piece.start + from);
    }
  }

  void append(std::shared_ptr<const Block> block, std::uint32_t begin, std::uint32_t end);
  /// Makes the last piece one row longer.
  void extend() { ++pieces_.back().end; }
  /// Removes rows from `size` on and returns them as a line of their own.
  Line cut(std::uint64_t size);

 private:
  [[nodiscard]] const Piece& piece_of(std::uint64_t index) const;
  std::vector<Piece> pieces_;
};

/// Neighbouring rows of one metric that hold no finite number.
struct NotFinite {
  enum class Kind : std::uint8_t { nan, positive, negative };
  std::uint64_t first = 0;
  std::uint64_t last = 0;  ///< inclusive
  Kind kind = Kind::nan;
};

/// A place where a resumed engine went on.
struct Resume {
  double step = 0;
  std::uint64_t index = 0;  ///< of the first row after it
};

/// One step event as numbers. `values` is indexed by metric; absent() where it said nothing.
struct StepRow {
  double step = 0;
  double samples = 0;
  double time = 0;
  double seconds = 0;                                          ///< how long the step took; 0 = not told
  double relative = std::numeric_limits<double>::quiet_NaN();  ///< seconds of training so far; NaN = worked out
  std::vector<double> values;
};

/// An immutable view of all columns of a run.
struct Columns {
  std::shared_ptr<const std::vector<std::string>> metrics = std::make_shared<std::vector<std::string>>();
  Line line;
  std::vector<Line> replaced;  ///< rows that a resumed engine computed again
  std::vector<Resume> resumes;
  std::vector<std::shared_ptr<const std::vector<NotFinite>>> not_finite;  ///< by metric; nullptr = none
  std::uint64_t generation = 0;  ///< changes when rows were cut: what was derived from the line starts anew

  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  /// Index of a metric, or none.
  [[nodiscard]] std::size_t metric(std::string_view name) const;
  [[nodiscard]] double value(std::size_t metric_index, std::uint64_t row) const {
    return line.value(axis_columns + metric_index, row);
  }
};

/// Builds columns from steps as they come. One thread.
class ColumnBuilder {
 public:
  /// Index of the metric of this name, made when it is new. Names are paths: "losses/image_to_text".
  std::size_t metric(std::string_view name);
  [[nodiscard]] std::size_t metric_count() const { return names_.size(); }

  /// Adds a row. A step that is not behind the last one replaces what it repeats, as after resume().
  void append(const StepRow& row);
  /// Steps behind `step` will be computed again: what is there of them becomes a replaced line. The next row starts a
  /// new session, whose time goes on where the line ends.
  void resume(double step);
  /// The engine waits: time until the next row does not count as training time.
  void pause() { session_starts_ = true; }

  [[nodiscard]] Columns view();
  /// Goes on from stored columns.
  void restore(Columns columns);

 private:
  void start_block();
  void cut_behind(double step);
  void note_not_finite(std::size_t metric, double value, std::uint64_t index);
  [[nodiscard]] double relative_time(const StepRow& row, double wall) const;

  std::vector<std::string> names_;
  std::shared_ptr<const std::vector<std::string>> shared_names_ = std::make_shared<std::vector<std::string>>();
  std::unordered_map<std::string, std::size_t> by_name_;
  Columns columns_;
  std::vector<std::vector<NotFinite>> not_finite_;
  std::vector<bool> not_finite_changed_;
  std::shared_ptr<const Block> block_;
  double* writable_ = nullptr;
  std::size_t block_columns_ = 0;
  std::uint32_t rows_in_block_ = 0;
  bool session_starts_ = true;
  bool new_piece_ = true;
  bool marks_dirty_ = false;
};

}  // namespace disco::ui
