// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"

namespace disco::models {

/// Element types of the safetensors format that whole bytes hold.
enum class Dtype { boolean, u8, i8, i16, u16, f16, bf16, i32, u32, f32, f64, i64, u64 };

[[nodiscard]] std::string_view dtype_name(Dtype dtype);  ///< "F32", …
[[nodiscard]] std::optional<Dtype> dtype_from_name(std::string_view name);
[[nodiscard]] std::size_t dtype_size(Dtype dtype);  ///< bytes of one element

/// One tensor of a file: name, type, shape and its bytes, little-endian, row-major.
struct TensorEntry {
  std::string name;
  Dtype dtype = Dtype::f32;
  std::vector<std::int64_t> shape;  ///< empty for a single number
  std::span<const std::byte> data;
};

/// A safetensors file mapped into memory. Opening checks the header completely (the rules of the official library: no
/// overlap, no hole, nothing behind the last tensor, sizes that fit), so that no later read can leave the file.
class SafetensorsFile {
 public:
  [[nodiscard]] static Result<SafetensorsFile> open(const std::filesystem::path& path);

  /// In the order of the data. The spans live as long as this object or a copy of it.
  [[nodiscard]] const std::vector<TensorEntry>& entries() const { return *entries_; }
  [[nodiscard]] const TensorEntry* find(std::string_view name) const;
  [[nodiscard]] const std::map<std::string, std::string>& metadata() const { return *metadata_; }

 private:
  SafetensorsFile() = default;
  std::shared_ptr<const void> mapping_;
  std::shared_ptr<const std::vector<TensorEntry>> entries_;
  std::shared_ptr<const std::map<std::string, std::string>> metadata_;
};

/// Checks the bytes of a whole file in memory; what SafetensorsFile::open does after mapping.
struct SafetensorsContent {
  std::vector<TensorEntry> entries;
  std::map<std::string, std::string> metadata;
};
[[nodiscard]] Result<SafetensorsContent> parse_safetensors(std::span<const std::byte> file, const std::string& where);

/// Writes entries in the given order after sorting by alignment (largest elements first, as the official library
/// does), fsyncs the file and closes it. Names must differ; sizes must match shapes.
[[nodiscard]] Result<void> write_safetensors(const std::filesystem::path& path, std::span<const TensorEntry> entries,
                                             const std::map<std::string, std::string>& metadata = {});

}  // namespace disco::models
