// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

#include "ui/live/columns.h"
#include "ui/shell/run_watch.h"

namespace disco::ui {

class Tile;

/// Figures of a run that the tiles and the advice line say; worked out from columns. No widgets.
struct LiveFigures {
  double speed = 0;       ///< pictures a second over the last 10 s; 0 = not known
  double memory = 0;      ///< bytes, the last step
  double data_share = 0;  ///< waiting for data, share of the last 100 steps
  enum class Trend : std::uint8_t { unknown, falling, steady, rising } trend = Trend::unknown;
};
[[nodiscard]] LiveFigures live_figures(const Columns& steps);

/// The row of tiles above the curves; scrolls sideways where it does not fit.
class LiveTiles : public QScrollArea {
  Q_OBJECT

 public:
  explicit LiveTiles(QWidget* parent = nullptr);
  void set_snapshot(const RunSnapshot* snapshot, const LiveFigures& figures);
  /// The loss as its legend says it, so that both agree.
  void set_loss(const QString& value);

 private:
  void say_speed(double speed, bool live);
  void say_held_out(const RunSnapshot& snapshot);
  [[nodiscard]] QString forecast_words(const RunSnapshot& snapshot);

  Tile* held_out_;
  Tile* loss_;
  Tile* speed_;
  Tile* memory_;
  Tile* data_;
  QString loss_value_;
  QString trend_;
  std::shared_ptr<const RunConfig> forecast_of_;
  QString forecast_;
};

}  // namespace disco::ui
