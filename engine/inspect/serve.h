// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace disco {

struct ServeOptions {
  std::string model;            ///< loaded at the start; may be empty
  int threads = 1;              ///< for arithmetic, so that training is not disturbed
  std::int64_t memory_mib = 0;  ///< resident memory it may use; 0 chooses a quarter of the computer's
};

/// Answers questions (engine/run/serve_protocol.h), one JSON object a line, from stdin on stdout until stdin closes.
/// Returns the exit code. A process that grows beyond its memory says so in an error answer and ends; it is also the
/// first that the kernel takes when memory runs out.
[[nodiscard]] int serve(const ServeOptions& options);

}  // namespace disco
