// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is drawn inside a chart's axes. Three layers of a QCustomPlot: curves, a stack of parts, and the cross-hair
// above them, which has a buffer of its own and costs next to nothing to move.
#pragma once

#include <QColor>
#include <memory>
#include <optional>
#include <vector>

#include "ui/live/reduce.h"
#include "ui/theme/qcustomplot.h"

namespace disco::ui {

/// How a chart is drawn now. Owned by the plot, read by its layers.
struct ChartLook {
  std::shared_ptr<const ReducedChart> data;
  std::vector<QColor> colours;  ///< by curve
  std::vector<bool> hidden;     ///< by curve
  int hovered = -1;             ///< curve whose legend is under the pointer
  double unit = 1;              ///< what a drawn 1 stands for
  bool fast = false;            ///< being dragged: no antialiasing
  bool dark = false;
  bool log = false;

  [[nodiscard]] bool shows(std::size_t curve) const { return curve >= hidden.size() || !hidden[curve]; }
  [[nodiscard]] int shown_count() const;
  /// Opacity of a curve: others fade while one is hovered.
  [[nodiscard]] double strength(std::size_t curve) const {
    return hovered < 0 || static_cast<std::size_t>(hovered) == curve ? 1.0 : 0.25;
  }
};

/// The vertex nearest to `x`, or nothing for an empty line. Vertices are in the order of x.
[[nodiscard]] std::optional<Vertex> nearest_vertex(const std::vector<Vertex>& line, double x);

/// Common base: a plottable that always fills its axes and cannot be selected.
class ChartLayer : public QCPAbstractPlottable {
 public:
  ChartLayer(QCPAxis* x, QCPAxis* y, const ChartLook& look);
  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }
  QCPRange getKeyRange(bool& found, QCP::SignDomain) const override;
  QCPRange getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const override;

 protected:
  /// A little more than the axes, so that a dot on the edge is whole.
  QRect clipRect() const override { return area().toRect().adjusted(-3, -3, 4, 0); }
  void drawLegendIcon(QCPPainter*, const QRectF&) const override {}
  [[nodiscard]] QPointF pixel(double x, double y) const;
  [[nodiscard]] QRectF area() const;
  const ChartLook& look_;
};

/// Raw extents, lines, gaps, marks, intervals, flags of resumes and ticks of checkpoints.
class CurveLayer : public ChartLayer {
 public:
  using ChartLayer::ChartLayer;

 protected:
  void draw(QCPPainter* painter) override;

 private:
  void draw_replaced(QCPPainter& painter, const ReducedCurve& curve, QColor colour) const;
  void draw_raw(QCPPainter& painter, const ReducedCurve& curve, QColor colour) const;
  void draw_band(QCPPainter& painter, const ReducedCurve& curve, QColor colour) const;
  void draw_line(QCPPainter& painter, const ReducedCurve& curve, QColor colour, double width) const;
  void draw_dots(QCPPainter& painter, const ReducedCurve& curve, QColor colour) const;
  /// `drawn` are the places that have a mark already: curves that fail together get one.
  void draw_marks(QCPPainter& painter, const ReducedCurve& curve, std::vector<QPointF>& drawn) const;
  void draw_flags(QCPPainter& painter) const;
  void draw_ticks(QCPPainter& painter) const;
  void polylines(QCPPainter& painter, const std::vector<Vertex>& vertices) const;
};

/// Parts of a whole from the base up.
class StackLayer : public ChartLayer {
 public:
  using ChartLayer::ChartLayer;

 protected:
  void draw(QCPPainter* painter) override;
};

/// The cross-hair with its dots, the x in words at the base, and the rubber band of a box zoom.
class CrossHair : public QCPLayerable {
 public:
  CrossHair(QCPAxis* x, QCPAxis* y, const ChartLook& look);
  void set_place(std::optional<double> x, const QString& words, bool pinned);
  void set_band(const QRectF& band) { band_ = band; }
  [[nodiscard]] const QRectF& band() const { return band_; }

 protected:
  void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(true); }
  void draw(QCPPainter* painter) override;
  QRect clipRect() const override { return parentPlot()->rect(); }

 private:
  void draw_words(QCPPainter& painter, double at) const;

  QCPAxis* x_;
  QCPAxis* y_;
  const ChartLook& look_;
  std::optional<double> place_;
  QString words_;
  bool pinned_ = false;
  QRectF band_;
};

}  // namespace disco::ui
