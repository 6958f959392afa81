// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <QTimer>
#include <QWidget>
#include <map>
#include <set>

#include "ui/live/chart_card.h"
#include "ui/live/curve_worker.h"
#include "ui/live/live_tiles.h"
#include "ui/shell/page.h"

namespace disco::ui {

class EnlargedChart;
class Spinner;

/// Tiles and charts of the current run. Only charts in view are reduced and drawn, at most 25 times a second, and less
/// often when the work of one round takes long.
class CurvesTab : public QWidget {
  Q_OBJECT

 public:
  CurvesTab(PageContext& context, PlotGroup& group, QWidget* parent = nullptr);

  void set_snapshot(std::shared_ptr<const RunSnapshot> snapshot);
  void set_active(bool active);
  [[nodiscard]] bool settled() const;

  /// Charts in the order of the page with their titles, and which of them show.
  struct Entry {
    QString id;
    QString title;
    bool shown;
  };
  [[nodiscard]] std::vector<Entry> entries() const;
  void set_shown(const QString& id, bool shown);
  void set_all_log(bool log);
  [[nodiscard]] bool all_log() const;

  /// The chart with the focus, else the first that shows.
  [[nodiscard]] ChartCard* focused_card() const;
  [[nodiscard]] std::vector<ChartCard*> shown_cards() const;
  void export_values(const QString& path);
  void export_picture_of(ChartCard& card, double scale, const QString& ending);
  void export_page();
  void copy_values(ChartCard& card);

 Q_SIGNALS:
  void entries_changed();
  /// "Use in a copy" under the time chart.
  void more_loaders_wanted(int threads);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Chart {
    ChartSpec spec;
    ChartCard* card;
    int number;  ///< of the worker's requests
    bool shown = true;
  };

  void make_cards(const std::vector<ChartSpec>& specs);
  void build_menu(ChartCard& card);
  void place();
  void schedule();
  void ask_visible();
  void ask(int number, ChartCard& card);
  void take(int number, const std::shared_ptr<const ReducedChart>& reduced);
  void refresh_advice(const LiveFigures& figures);
  void enlarge(ChartCard& card);
  void hint_wheel(ChartCard& card);
  void save_view(const ChartCard& card);
  void restore_view(ChartCard& card);
  [[nodiscard]] ReduceRequest request_for(ChartCard& card) const;
  [[nodiscard]] QString ask_path(const QString& name, const QString& ending, const QString& filter);
  void say_saved(const QString& path, const Result<void>& result);

  PageContext& context_;
  PlotGroup& group_;
  CurveWorker worker_;
  LiveTiles* tiles_;
  QScrollArea* scroll_;
  QWidget* grid_;
  Spinner* reading_;
  std::vector<Chart> charts_;
  std::shared_ptr<const RunSnapshot> snapshot_;
  EnlargedChart* enlarged_ = nullptr;
  QString enlarged_id_;
  QTimer timer_;
  std::uint64_t run_number_ = 0;
  std::uint64_t serial_ = 0;
  double round_seconds_ = 0;
  bool active_ = false;
  bool log_all_ = false;
  bool hinted_ = false;
};

}  // namespace disco::ui
