// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/random.h"
#include "engine/data/cartoons/canvas.h"

namespace disco::data::cartoons {

/// Height of the line where the ground begins, in every place: what stands on the ground has its feet below it.
inline constexpr double kHorizon = 0.52;

/// Fills the canvas with one of the eight places (PlaceId); colours, shapes and small decorations vary with the draws.
void draw_background(Canvas& canvas, int place, Draw& draw);

}  // namespace disco::data::cartoons
