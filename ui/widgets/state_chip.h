// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>

#include "ui/theme/tokens.h"

class QPainter;

namespace disco::ui {

/// States of a run as they are shown. The last four are words for a pressed button until the engine answers.
enum class ChipState : std::uint8_t {
  queued,
  starting,
  running,
  evaluating,
  saving,
  paused,
  stalled,
  diverged,
  finished,
  stopped,
  failed,
  died,
  unreadable,
  pausing,
  resuming,
  stopping,
};

/// "Running", "Died", … translated.
[[nodiscard]] QString chip_word(ChipState state);
[[nodiscard]] Token chip_ink(ChipState state);
[[nodiscard]] Token chip_ground(ChipState state);
/// Width and height of a chip with this text (empty: the state's word) in the caption-size chip font.
[[nodiscard]] QSize chip_size(ChipState state, const QString& text = {});
/// Draws the chip at the left, vertically centred in `area`. `turn` (0…1) turns the ring of starting states.
void paint_chip(QPainter& painter, const QRect& area, ChipState state, const QString& text = {}, double turn = 0);
/// Draws only the state's shape in a square box, in the painter's own colour `ink`.
void paint_state_shape(QPainter& painter, const QRectF& box, ChipState state, const QColor& ink, double turn = 0);

/// The chip as a widget. Its accessible name is "State: running".
class StateChip : public QWidget {
  Q_OBJECT

 public:
  explicit StateChip(QWidget* parent = nullptr);
  void set_state(ChipState state, const QString& text = {});
  [[nodiscard]] ChipState state() const { return state_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void timerEvent(QTimerEvent* event) override;

 private:
  void update_timer();

  ChipState state_ = ChipState::queued;
  QString text_;
  int timer_ = 0;
  int angle_ = 0;
};

}  // namespace disco::ui
