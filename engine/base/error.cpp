// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"

namespace disco {

std::string Error::message() const {
  std::string text;
  if (!where.empty()) text = where + ": ";
  text += what;
  if (!hint.empty()) text += ". " + hint;
  return text;
}

}  // namespace disco
