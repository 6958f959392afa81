// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/version.h"

namespace disco {

std::string_view version() { return DISCO_VERSION; }

}  // namespace disco
