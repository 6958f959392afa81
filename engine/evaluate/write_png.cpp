// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/write_png.h"

#include "engine/base/files.h"
#include "engine/data/encode.h"

namespace disco {

Result<void> write_png(const std::filesystem::path& path, const models::Image& image) {
  DISCO_TRY(const std::string bytes, data::encode_png(image));
  return write_atomically(path, bytes);
}

}  // namespace disco
