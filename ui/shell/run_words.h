// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "engine/run/run_status.h"
#include "ui/widgets/state_chip.h"

namespace disco::ui {

/// A run's status in the words of the window: run bar, tooltip in Runs, text of the notification.
[[nodiscard]] ChipState chip_state(ShownState state);
[[nodiscard]] QString run_sentence(const RunStatus& status);
/// How far the run is, 0…1; negative when that is not known.
[[nodiscard]] double run_share(const RunStatus& status);
/// "Best accuracy", "Best R@1": what best_value is.
[[nodiscard]] QString metric_words(const std::string& metric);
/// Whether Resume can go on with it, and from which step.
[[nodiscard]] bool can_resume(const RunStatus& status);

}  // namespace disco::ui
