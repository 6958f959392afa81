// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/hash.h"

#include <xxhash.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

namespace disco {
namespace {

std::string hex(XXH128_hash_t hash) {
  std::array<char, 33> text{};
  std::snprintf(text.data(), text.size(), "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text.data();
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
struct FreeState {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

}  // namespace

std::uint64_t hash64(std::span<const std::byte> bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

std::uint64_t hash64(std::string_view text, std::uint64_t seed) {
  return XXH3_64bits_withSeed(text.data(), text.size(), seed);
}

std::string hash128_hex(std::span<const std::byte> bytes) { return hex(XXH3_128bits(bytes.data(), bytes.size())); }

Result<std::string> file_hash128_hex(const std::filesystem::path& path) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rbe"));
  if (!file) return failure(std::string("cannot be opened: ") + std::strerror(errno), path.string());
  const std::unique_ptr<XXH3_state_t, FreeState> state(XXH3_createState());
  XXH3_128bits_reset(state.get());
  std::vector<std::byte> buffer(1 << 20);
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file.get()))
    XXH3_128bits_update(state.get(), buffer.data(), got);
  if (std::ferror(file.get())) return failure("cannot be read to its end", path.string());
  return hex(XXH3_128bits_digest(state.get()));
}

}  // namespace disco
