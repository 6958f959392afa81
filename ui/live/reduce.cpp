// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/reduce.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace disco::ui {
namespace {

/// Rows of a line that are in view, with one more at each end so that lines run to the edges.
struct Window {
  std::uint64_t first = 0;
  std::uint64_t last = 0;             ///< behind the last
  bool dense = false;                 ///< more rows than twice the pixel columns
  std::vector<std::uint64_t> bounds;  ///< dense: first row of each pixel column, and the end
};

Window window_of(const Line& line, const ReduceRequest& request) {
  Window window;
  const double span = request.x_high - request.x_low;
  // Half a view more at each side, so that a pan shows lines before the next reduction is there.
  const double low = request.x_low - span / 2;
  const double high = request.x_high + span / 2;
  window.first = line.lower_bound(request.axis, low);
  window.last = line.lower_bound(request.axis, high);
  if (window.first > 0) --window.first;
  window.last = std::min(window.last + 1, line.size());
  const int columns = std::max(request.columns, 1) * 2;
  window.dense = window.last - window.first > 2 * static_cast<std::uint64_t>(columns);
  if (!window.dense) return window;
  for (int c = 0; c <= columns; ++c) {
    const double x = low + 2 * span * c / columns;
    window.bounds.push_back(std::clamp(line.lower_bound(request.axis, x), window.first, window.last));
  }
  window.bounds.front() = window.first;
  window.bounds.back() = window.last;
  return window;
}

/// Calls visit(first, last) for the rows of every pixel column that has any.
template <class Visitor>
void for_each_column(const Window& window, Visitor&& visit) {
  for (std::size_t c = 0; c + 1 < window.bounds.size(); ++c)
    if (window.bounds[c] < window.bounds[c + 1]) visit(window.bounds[c], window.bounds[c + 1]);
}

struct Extremes {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  double last = absent();
  bool gap = false;

  void take(const double* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const double v = values[i];
      if (!std::isfinite(v)) {
        gap = true;
        continue;
      }
      if (v < low) low = v;
      if (v > high) high = v;
      last = v;
    }
  }
  [[nodiscard]] bool any() const { return low <= high; }
};

Extremes extremes_of(const Line& line, std::size_t column, std::uint64_t first, std::uint64_t last) {
  Extremes result;
  line.for_each_run(column, first, last, [&](const double* values, std::size_t count, std::uint64_t) {
    if (values) result.take(values, count);
  });
  return result;
}

void add_vertex(std::vector<Vertex>& line, double x, double y) {
  // Gaps are only worth one vertex between two finite ones.
  if (!std::isfinite(y) && (line.empty() || !std::isfinite(line.back().y))) return;
  line.push_back({x, y});
}

void reduce_dense(const Line& line, std::size_t column, XAxis axis, const Window& window,
                  const std::vector<double>* smooth, ReducedCurve& curve) {
  for_each_column(window, [&](std::uint64_t first, std::uint64_t last) {
    const Extremes raw = extremes_of(line, column, first, last);
    const double x = line.x(axis, last - 1);
    if (raw.gap) add_vertex(curve.line, x, absent());
    if (!raw.any()) return;
    curve.extents.push_back({x, raw.low, raw.high});
    double shown = raw.last;
    if (smooth) {
      Extremes drawn;
      drawn.take(smooth->data() + first, last - first);
      shown = drawn.last;
    }
    curve.line.push_back({x, shown});
  });
}

void reduce_sparse(const Line& line, std::size_t column, XAxis axis, const Window& window,
                   const std::vector<double>* smooth, ReducedCurve& curve) {
  double previous = absent();
  for (std::uint64_t i = window.first; i < window.last; ++i) {
    const double x = line.x(axis, i);
    const double raw = line.value(column, i);
    const double next = i + 1 < line.size() ? line.value(column, i + 1) : absent();
    if (std::isfinite(raw) && !std::isfinite(previous) && !std::isfinite(next)) curve.lone.push_back({x, raw});
    if (is_absent(raw)) {
      previous = raw;
      continue;
    }
    add_vertex(curve.line, x, std::isfinite(raw) && smooth ? (*smooth)[i] : raw);
    if (smooth) add_vertex(curve.raw, x, raw);
    previous = raw;
  }
}

/// Ranges of what lies between x_low and x_high.
void measure(const Line& line, std::size_t column, const ReduceRequest& request, const std::vector<double>* smooth,
             ReducedCurve& curve) {
  constexpr std::uint64_t samples = 20'000;
  const std::uint64_t first = line.lower_bound(request.axis, request.x_low);
  const std::uint64_t last = line.lower_bound(request.axis, std::nextafter(request.x_high, HUGE_VAL));
  std::vector<double> values;
  const std::uint64_t stride = std::max<std::uint64_t>(1, (last - first) / samples);
  for (std::uint64_t i = first; i < last; i += stride) {
    const double v = line.value(column, i);
    if (std::isfinite(v)) values.push_back(v);
  }
  const Extremes raw = extremes_of(line, column, first, last);
  if (!raw.any()) return;
  curve.any = true;
  curve.low = raw.low;
  curve.high = raw.high;
  curve.typical_low = raw.low;
  curve.typical_high = raw.high;
  if (values.size() >= 100) {
    const auto at = [&](double share) {
      const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
      std::nth_element(values.begin(), place, values.end());
      return *place;
    };
    curve.typical_low = at(0.01);
    curve.typical_high = at(0.99);
  }
  if (smooth && first < last) {
    Extremes drawn;
    for (std::uint64_t i = first; i < last; i += stride) drawn.take(smooth->data() + i, 1);
    if (drawn.any()) {
      curve.typical_low = std::min(curve.typical_low, drawn.low);
      curve.typical_high = std::max(curve.typical_high, drawn.high);
    }
  }
  curve.smallest_positive = raw.low;
  if (raw.low > 0) return;
  curve.smallest_positive = 0;
  line.for_each_run(column, first, last, [&](const double* run, std::size_t count, std::uint64_t) {
    for (std::size_t i = 0; run && i < count; ++i) {
      if (run[i] <= 0) ++curve.not_positive;
      if (run[i] > 0 && std::isfinite(run[i]) && (curve.smallest_positive == 0 || run[i] < curve.smallest_positive))
        curve.smallest_positive = run[i];
    }
  });
}

/// A finite value at or before `index`, else the first one after it; 0 when the whole column has none.
double finite_height(const Line& line, std::size_t column, const std::vector<NotFinite>& marks, std::size_t mark) {
  std::size_t before = mark;
  std::uint64_t first = marks[mark].first;
  while (before > 0 && marks[before - 1].last + 1 == first) first = marks[--before].first;
  for (std::uint64_t i = first; i-- > 0;)
    if (const double v = line.value(column, i); std::isfinite(v)) return v;
  std::size_t after = mark;
  std::uint64_t last = marks[mark].last;
  while (after + 1 < marks.size() && marks[after + 1].first == last + 1) last = marks[++after].last;
  for (std::uint64_t i = last + 1; i < line.size(); ++i)
    if (const double v = line.value(column, i); std::isfinite(v)) return v;
  return 0;
}

/// Marks of the runs of not finite rows in view; those nearer than `merge` on the axis become one.
void add_marks(const Columns& columns, std::size_t metric, const Window& window, const ReduceRequest& request,
               ReducedCurve& curve) {
  if (metric >= columns.not_finite.size() || !columns.not_finite[metric]) return;
  const auto& marks = *columns.not_finite[metric];
  const double merge = (request.x_high - request.x_low) / std::max(request.columns, 1) * 9;
  for (std::size_t m = 0; m < marks.size(); ++m) {
    const NotFinite& run = marks[m];
    if (run.last < window.first || run.first >= window.last) continue;
    const double x = columns.line.x(request.axis, run.first);
    const double x_last = columns.line.x(request.axis, run.last);
    const auto count = static_cast<std::int64_t>(run.last - run.first + 1);
    if (!curve.marks.empty() && curve.marks.back().kind == run.kind && x - curve.marks.back().x_last <= merge) {
      curve.marks.back().count += count;
      curve.marks.back().x_last = x_last;
      continue;
    }
    curve.marks.push_back({x, x_last, finite_height(columns.line, axis_columns + metric, marks, m), run.kind, count,
                           columns.line.x(XAxis::step, run.first)});
  }
}

/// Replaced lines, thinned to at most two vertices a pixel column.
void add_replaced(const Columns& columns, std::size_t column, const ReduceRequest& request, ReducedCurve& curve) {
  for (const Line& line : columns.replaced) {
    const Window window = window_of(line, request);
    std::vector<Vertex> vertices;
    if (window.dense) {
      for_each_column(window, [&](std::uint64_t first, std::uint64_t last) {
        const Extremes raw = extremes_of(line, column, first, last);
        if (raw.any()) vertices.push_back({line.x(request.axis, last - 1), raw.last});
      });
    } else {
      for (std::uint64_t i = window.first; i < window.last; ++i)
        if (const double v = line.value(column, i); !is_absent(v)) add_vertex(vertices, line.x(request.axis, i), v);
    }
    if (!vertices.empty()) curve.replaced.push_back(std::move(vertices));
  }
}

void set_latest(const Line& line, std::size_t column, XAxis axis, const std::vector<double>* smooth,
                ReducedCurve& curve) {
  curve.latest = absent();
  if (line.empty()) return;
  const std::uint64_t last = line.size() - 1;
  curve.latest = smooth ? (*smooth)[last] : line.value(column, last);
  curve.latest_x = line.x(axis, last);
}

std::vector<Vertex> vertices_of(const Columns& columns, const std::string& metric, XAxis axis) {
  std::vector<Vertex> result;
  const std::size_t index = columns.metric(metric);
  if (index == Columns::none) return result;
  for (std::uint64_t i = 0; i < columns.line.size(); ++i)
    if (const double v = columns.value(index, i); !is_absent(v)) add_vertex(result, columns.line.x(axis, i), v);
  return result;
}

ReducedCurve evaluation_curve(const Columns& columns, const CurveSource& source, const ReduceRequest& request) {
  ReducedCurve curve;
  curve.dots = true;
  curve.latest = absent();
  const std::size_t metric = columns.metric(source.metric);
  if (metric == Columns::none || columns.line.empty()) return curve;
  curve.line = vertices_of(columns, source.metric, request.axis);
  if (!source.low.empty()) {
    curve.band_low = vertices_of(columns, source.low, request.axis);
    curve.band_high = vertices_of(columns, source.high, request.axis);
  }
  const Window all{0, columns.line.size(), false, {}};
  measure(columns.line, axis_columns + metric, request, nullptr, curve);
  add_marks(columns, metric, all, request, curve);
  set_latest(columns.line, axis_columns + metric, request.axis, nullptr, curve);
  return curve;
}

/// Mean of each part in each pixel column (sparse: each row), parts that are no number counting as 0.
ReducedStack stack_of(const Columns& columns, const Window& window, const ReduceRequest& request) {
  ReducedStack stack;
  const Line& line = columns.line;
  const auto each = [&](auto&& visit) {
    if (window.dense) return for_each_column(window, visit);
    for (std::uint64_t i = window.first; i < window.last; ++i) visit(i, i + 1);
  };
  each([&](std::uint64_t, std::uint64_t last) { stack.x.push_back(line.x(request.axis, last - 1)); });
  std::vector<double> sums(stack.x.size(), 0.0);
  for (const CurveSource& source : request.curves) {
    std::vector<double>& part = stack.parts.emplace_back();
    part.reserve(stack.x.size());
    const std::size_t metric = columns.metric(source.metric);
    each([&](std::uint64_t first, std::uint64_t last) {
      double sum = 0;
      const auto add = [&](const double* values, std::size_t count, std::uint64_t) {
        for (std::size_t i = 0; values && i < count; ++i)
          if (std::isfinite(values[i])) sum += values[i];
      };
      if (metric != Columns::none) line.for_each_run(axis_columns + metric, first, last, add);
      part.push_back(sum / static_cast<double>(last - first));
      sums[part.size() - 1] += part.back();
    });
  }
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (stack.x[i] >= request.x_low && stack.x[i] <= request.x_high) stack.high = std::max(stack.high, sums[i]);
  return stack;
}

}  // namespace

const std::vector<double>& Reducer::smoothed(const ReduceRequest& request, const std::string& metric,
                                             std::size_t index) {
  auto found =
      std::find_if(smoothed_.begin(), smoothed_.end(), [&](const Named& named) { return named.metric == metric; });
  if (found == smoothed_.end()) found = smoothed_.insert(smoothed_.end(), {metric, {}});
  found->column.update(*request.steps, index, request.weight);
  return found->column.values();
}

ReducedChart Reducer::reduce(const ReduceRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  if (request.run != run_) smoothed_.clear();
  run_ = request.run;
  static const Columns nothing;
  const Columns& steps = request.steps ? *request.steps : nothing;
  const Columns& evaluations = request.evaluations ? *request.evaluations : nothing;
  ReducedChart chart;
  chart.axis = request.axis;
  chart.x_low = request.x_low;
  chart.x_high = request.x_high;
  chart.serial = request.serial;
  const Window window = window_of(steps.line, request);
  if (request.stacked) chart.stack = stack_of(steps, window, request);
  for (const CurveSource& source : request.curves) {
    if (source.evaluation) {
      chart.curves.push_back(evaluation_curve(evaluations, source, request));
      continue;
    }
    ReducedCurve& curve = chart.curves.emplace_back();
    curve.latest = absent();
    const std::size_t metric = steps.metric(source.metric);
    if (metric == Columns::none) continue;
    const std::size_t column = axis_columns + metric;
    const bool smooths = source.smooth && request.weight > 0;
    const std::vector<double>* smooth = smooths ? &smoothed(request, source.metric, metric) : nullptr;
    set_latest(steps.line, column, request.axis, smooth, curve);
    if (request.stacked) continue;
    if (window.dense)
      reduce_dense(steps.line, column, request.axis, window, smooth, curve);
    else
      reduce_sparse(steps.line, column, request.axis, window, smooth, curve);
    measure(steps.line, column, request, smooth, curve);
    add_marks(steps, metric, window, request, curve);
    add_replaced(steps, column, request, curve);
  }
  for (const Resume& resume : steps.resumes) chart.flags.push_back(steps.line.x_of_step(request.axis, resume.step));
  for (const double step : request.checkpoint_steps) chart.ticks.push_back(steps.line.x_of_step(request.axis, step));
  chart.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return chart;
}

Span whole_span(const Columns* steps, const Columns* evaluations, XAxis axis) {
  Span span{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Columns* columns : {steps, evaluations}) {
    if (!columns || columns->line.empty()) continue;
    span.low = std::min(span.low, columns->line.x(axis, 0));
    span.high = std::max(span.high, columns->line.x(axis, columns->line.size() - 1));
  }
  if (!(span.low <= span.high)) return {0, 1};
  // A run that begins near 0 is shown from 0 on.
  if (axis != XAxis::wall && span.low > 0 && span.low < 0.05 * span.high) span.low = 0;
  if (span.low == span.high) return {span.low - 1, span.high + 1};
  return span;
}

}  // namespace disco::ui
