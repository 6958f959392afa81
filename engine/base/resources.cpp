// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/resources.h"

#include <cstdlib>
#include <system_error>

namespace disco {
namespace fs = std::filesystem;

fs::path program_folder() {
  std::error_code code;
  const fs::path program = fs::read_symlink("/proc/self/exe", code);
  return code ? fs::path(".") : program.parent_path();
}

fs::path resource_path(std::string_view name) {
  if (const char* folder = std::getenv("DISCO_RESOURCES"); folder && *folder) return fs::path(folder) / name;
  return program_folder().parent_path() / "share" / "disco-studio" / name;
}

}  // namespace disco
