// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The one place that includes QCustomPlot: its header uses Qt's keywords, which this project switches off.
// clang-format off
#include <QtGlobal>
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach Q_FOREACH
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#include <qcustomplot.h>
#pragma GCC diagnostic pop
#undef signals
#undef slots
#undef foreach
// clang-format on
