// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/columns.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace disco::ui {
namespace {

constexpr std::uint64_t absent_bits = 0x7FF8'0000'D15C'0000ULL;

NotFinite::Kind kind_of(double value) {
  if (std::isnan(value)) return NotFinite::Kind::nan;
  return value > 0 ? NotFinite::Kind::positive : NotFinite::Kind::negative;
}

/// Cuts runs of not finite rows to those below `size`.
void cut_marks(std::vector<NotFinite>& marks, std::uint64_t size) {
  while (!marks.empty() && marks.back().first >= size) marks.pop_back();
  if (!marks.empty()) marks.back().last = std::min(marks.back().last, size - 1);
}

}  // namespace

double absent() { return std::bit_cast<double>(absent_bits); }

bool is_absent(double value) { return std::bit_cast<std::uint64_t>(value) == absent_bits; }

const Piece& Line::piece_of(std::uint64_t index) const {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), index,
                                      [](std::uint64_t i, const Piece& p) { return i < p.start; });
  return *(after - 1);
}

double Line::value(std::size_t column, std::uint64_t index) const {
  const Piece& piece = piece_of(index);
  const double* values = piece.block->column(column);
  return values ? values[piece.begin + (index - piece.start)] : absent();
}

std::uint64_t Line::lower_bound(XAxis axis, double x) const {
  const auto column = static_cast<std::size_t>(axis);
  const auto piece = std::partition_point(pieces_.begin(), pieces_.end(),
                                          [&](const Piece& p) { return p.block->column(column)[p.end - 1] < x; });
  if (piece == pieces_.end()) return size();
  const double* values = piece->block->column(column);
  const double* found = std::lower_bound(values + piece->begin, values + piece->end, x);
  return piece->start + static_cast<std::uint64_t>(found - values) - piece->begin;
}

double Line::x_of_step(XAxis axis, double step) const {
  if (empty()) return axis == XAxis::step ? step : 0;
  if (axis == XAxis::step) return step;
  return x(axis, std::min(lower_bound(XAxis::step, step), size() - 1));
}

void Line::append(std::shared_ptr<const Block> block, std::uint32_t begin, std::uint32_t end) {
  const std::uint64_t start = size();
  pieces_.push_back({std::move(block), begin, end, start});
}

Line Line::cut(std::uint64_t size) {
  Line removed;
  while (!pieces_.empty() && pieces_.back().stop() > size) {
    Piece& last = pieces_.back();
    const auto keep = static_cast<std::uint32_t>(size > last.start ? size - last.start : 0);
    removed.pieces_.insert(removed.pieces_.begin(), {last.block, last.begin + keep, last.end, 0});
    last.end = last.begin + keep;
    if (keep == 0) pieces_.pop_back();
  }
  std::uint64_t start = 0;
  for (Piece& piece : removed.pieces_) {
    piece.start = start;
    start = piece.stop();
  }
  return removed;
}

std::size_t Columns::metric(std::string_view name) const {
  const auto found = std::find(metrics->begin(), metrics->end(), name);
  return found == metrics->end() ? none : static_cast<std::size_t>(found - metrics->begin());
}

std::size_t ColumnBuilder::metric(std::string_view name) {
  const auto [found, added] = by_name_.try_emplace(std::string(name), names_.size());
  if (added) {
    names_.emplace_back(name);
    shared_names_ = std::make_shared<std::vector<std::string>>(names_);
    not_finite_.emplace_back();
    not_finite_changed_.push_back(false);
  }
  return found->second;
}

void ColumnBuilder::start_block() {
  block_columns_ = axis_columns + names_.size();
  auto storage = std::make_shared<std::vector<double>>(block_columns_ * Block::capacity);
  writable_ = storage->data();
  auto block = std::make_shared<Block>();
  for (std::size_t c = 0; c < block_columns_; ++c) block->columns.push_back(writable_ + c * Block::capacity);
  block->storage = std::move(storage);
  block_ = std::move(block);
  rows_in_block_ = 0;
  new_piece_ = true;
}

void ColumnBuilder::note_not_finite(std::size_t metric, double value, std::uint64_t index) {
  auto& marks = not_finite_[metric];
  const auto kind = kind_of(value);
  if (!marks.empty() && marks.back().last + 1 == index && marks.back().kind == kind)
    marks.back().last = index;
  else
    marks.push_back({index, index, kind});
  not_finite_changed_[metric] = true;
  marks_dirty_ = true;
}

double ColumnBuilder::relative_time(const StepRow& row, double wall) const {
  const Line& line = columns_.line;
  if (std::isfinite(row.relative)) return row.relative;
  if (line.empty()) return row.seconds;
  const std::uint64_t last = line.size() - 1;
  const double before = line.x(XAxis::relative, last);
  if (session_starts_) return before + row.seconds;
  return before + wall - line.x(XAxis::wall, last);
}

void ColumnBuilder::append(const StepRow& row) {
  Line& line = columns_.line;
  if (!line.empty() && row.step <= line.x(XAxis::step, line.size() - 1)) cut_behind(row.step - 1);
  if (!block_ || rows_in_block_ == Block::capacity || block_columns_ != axis_columns + names_.size()) start_block();

  const std::uint64_t index = line.size();
  // Clocks and counters that jump back would break the search in the line.
  const auto growing = [&](XAxis axis, double value) {
    if (index == 0) return std::isfinite(value) ? value : 0.0;
    const double before = line.x(axis, index - 1);
    return value > before && std::isfinite(value) ? value : before;
  };
  const double wall = growing(XAxis::wall, row.time);
  const double axes[axis_columns] = {row.step, growing(XAxis::samples, row.samples),
                                     growing(XAxis::relative, relative_time(row, wall)), wall};
  const auto cell = [&](std::size_t column) -> double& { return writable_[column * Block::capacity + rows_in_block_]; };
  for (std::size_t axis = 0; axis < axis_columns; ++axis) cell(axis) = axes[axis];
  for (std::size_t m = 0; m < names_.size(); ++m) {
    const double value = m < row.values.size() ? row.values[m] : absent();
    cell(axis_columns + m) = value;
    if (!std::isfinite(value) && !is_absent(value)) note_not_finite(m, value, index);
  }
  if (new_piece_)
    line.append(block_, rows_in_block_, rows_in_block_ + 1);
  else
    line.extend();
  ++rows_in_block_;
  new_piece_ = false;
  session_starts_ = false;
}

void ColumnBuilder::cut_behind(double step) {
  Line& line = columns_.line;
  // lower_bound of the next representable step: rows at `step` itself stay.
  const std::uint64_t keep = line.lower_bound(XAxis::step, std::nextafter(step, std::numeric_limits<double>::max()));
  if (keep < line.size()) {
    columns_.replaced.push_back(line.cut(keep));
    ++columns_.generation;
    for (std::size_t m = 0; m < not_finite_.size(); ++m) {
      if (not_finite_[m].empty()) continue;
      cut_marks(not_finite_[m], keep);
      not_finite_changed_[m] = true;
      marks_dirty_ = true;
    }
    std::erase_if(columns_.resumes, [&](const Resume& resume) { return resume.index > keep; });
  }
  columns_.resumes.push_back({step, keep});
  session_starts_ = true;
  new_piece_ = true;
}

void ColumnBuilder::resume(double step) { cut_behind(step); }

Columns ColumnBuilder::view() {
  if (marks_dirty_) {
    columns_.not_finite.resize(not_finite_.size());
    for (std::size_t m = 0; m < not_finite_.size(); ++m) {
      if (!not_finite_changed_[m]) continue;
      columns_.not_finite[m] = std::make_shared<std::vector<NotFinite>>(not_finite_[m]);
      not_finite_changed_[m] = false;
    }
    marks_dirty_ = false;
  }
  columns_.metrics = shared_names_;
  return columns_;
}

void ColumnBuilder::restore(Columns columns) {
  *this = ColumnBuilder();
  for (const std::string& name : *columns.metrics) metric(name);
  for (std::size_t m = 0; m < columns.not_finite.size() && m < names_.size(); ++m) {
    if (columns.not_finite[m]) not_finite_[m] = *columns.not_finite[m];
  }
  columns_ = std::move(columns);
  session_starts_ = columns_.line.empty();
}

}  // namespace disco::ui
