// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "ui/shell/run_watch.h"

namespace disco::ui {

/// A ColumnSourceFactory for RunWatch: columns for the charts; those of long runs are kept where this computer keeps
/// caches.
[[nodiscard]] std::unique_ptr<ColumnSource> make_column_source();

}  // namespace disco::ui
