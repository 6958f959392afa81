// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/image/image.h"

namespace disco::data {

using Bytes = std::vector<std::byte>;

/// Candidate captions of a picture, of which exactly one is right.
struct Matching {
  std::vector<std::string> candidates;
  std::vector<std::string> differs;  ///< "" for the right one, else the attribute in which it differs
  int correct = 0;
};

/// One picture and what may be said about it, as it comes from a source: compressed bytes or finished pixels.
struct Sample {
  std::string id;      ///< unique within its source and stable over runs
  std::string origin;  ///< the file or rule it comes from, for messages
  std::variant<Bytes, models::Image> picture;
  std::vector<std::string> captions;   ///< all right, at least one
  std::vector<std::string> negatives;  ///< near misses: never right for this picture
  std::optional<Matching> matching;
};

}  // namespace disco::data
