// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/error.h"

namespace disco {

/// XXH3, 64 bits: identity of captions and pictures. Not for security.
[[nodiscard]] std::uint64_t hash64(std::span<const std::byte> bytes, std::uint64_t seed = 0);
[[nodiscard]] std::uint64_t hash64(std::string_view text, std::uint64_t seed = 0);

/// XXH3, 128 bits, as 32 hexadecimal digits: checksums of files and stable ids of pictures.
[[nodiscard]] std::string hash128_hex(std::span<const std::byte> bytes);
[[nodiscard]] Result<std::string> file_hash128_hex(const std::filesystem::path& path);

}  // namespace disco
