// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a chart draws: the columns of a run reduced to at most one vertex a pixel column, and everything that must not
// get lost by that (extremes, gaps, values that are no number). No Qt; made on a worker thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ui/live/columns.h"
#include "ui/live/smoothing.h"

namespace disco::ui {

/// A place in a chart: x in units of its axis, y in units of the metric. A y that is not finite is a gap.
struct Vertex {
  double x = 0;
  double y = 0;
};

/// Smallest and largest raw value in a pixel column.
struct Extent {
  double x = 0;
  double low = 0;
  double high = 0;
};

/// Neighbouring steps without a finite value, where the line has its gap.
struct GapMark {
  double x = 0;       ///< of the first of them
  double x_last = 0;  ///< of the last
  double y = 0;       ///< the last finite height before, else the next after it
  NotFinite::Kind kind = NotFinite::Kind::nan;
  std::int64_t count = 0;
  double first_step = 0;
};

struct ReducedCurve {
  std::vector<Vertex> line;     ///< smoothed where the metric is noise; gaps as vertices that are not finite
  std::vector<Extent> extents;  ///< raw, one a pixel column; empty where every row has a vertex of its own
  std::vector<Vertex> raw;      ///< raw, every row; empty where there are extents, or nothing is smoothed
  std::vector<Vertex> lone;     ///< finite rows between two gaps
  std::vector<GapMark> marks;
  std::vector<std::vector<Vertex>> replaced;  ///< what a resumed engine computed again
  std::vector<Vertex> band_low, band_high;    ///< an interval around evaluations
  bool dots = false;                          ///< evaluations: every vertex is a measurement

  double low = 0, high = 0;                  ///< smallest and largest finite value in view, raw and smoothed
  double typical_low = 0, typical_high = 0;  ///< 1st and 99th percentile of the raw values in view
  double smallest_positive = 0;              ///< 0 = none in view
  bool any = false;                          ///< there is a finite value in view
  std::int64_t not_positive = 0;             ///< values in view that a log axis leaves out
  double latest = 0;                         ///< last value of the run as drawn; absent() = none
  double latest_x = 0;
};

/// Parts of a whole, averaged in each pixel column.
struct ReducedStack {
  std::vector<double> x;
  std::vector<std::vector<double>> parts;  ///< by part, then by column
  double high = 0;                         ///< largest sum in view
};

struct ReducedChart {
  std::vector<ReducedCurve> curves;  ///< in the order asked for
  ReducedStack stack;
  XAxis axis = XAxis::step;
  double x_low = 0, x_high = 1;  ///< what was asked for
  std::vector<double> flags;     ///< x of resumes
  std::vector<double> ticks;     ///< x of checkpoints
  double seconds = 0;            ///< that making it took
  std::uint64_t serial = 0;      ///< of the request
};

/// One curve to be drawn.
struct CurveSource {
  std::string metric;
  bool evaluation = false;  ///< of the evaluations, drawn as dots, never smoothed or reduced
  bool smooth = false;      ///< measured noise
  std::string low, high;    ///< metrics of an interval, or empty
};

struct ReduceRequest {
  std::shared_ptr<const Columns> steps;
  std::shared_ptr<const Columns> evaluations;
  std::vector<CurveSource> curves;
  bool stacked = false;  ///< curves are parts of a whole
  std::vector<double> checkpoint_steps;
  XAxis axis = XAxis::step;
  double x_low = 0, x_high = 1;
  int columns = 600;  ///< pixel columns between x_low and x_high
  double weight = 0;
  std::uint64_t run = 0;  ///< changes with the run
  std::uint64_t serial = 0;
};

/// Does the work, and keeps the smoothed columns between requests. One thread.
class Reducer {
 public:
  [[nodiscard]] ReducedChart reduce(const ReduceRequest& request);

 private:
  struct Named {
    std::string metric;
    SmoothedColumn column;
  };
  const std::vector<double>& smoothed(const ReduceRequest& request, const std::string& metric, std::size_t index);

  std::vector<Named> smoothed_;
  std::uint64_t run_ = 0;
};

/// x from the first to the last row (and evaluation), widened when they are one place.
struct Span {
  double low = 0;
  double high = 1;
};
[[nodiscard]] Span whole_span(const Columns* steps, const Columns* evaluations, XAxis axis);

}  // namespace disco::ui
