// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/model.h"

#include <cmath>

namespace disco::models {

void Model::clamp_parameters() {
  const torch::NoGradGuard no_grad;
  log_scale().clamp_max_(std::log(100.0));
}

}  // namespace disco::models
