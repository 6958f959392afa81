// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoint/tensors.h"

#include <ATen/ATen.h>

#include <array>

namespace disco::models {
namespace {

constexpr std::array kTypes = {
    std::pair{Dtype::boolean, at::kBool},  std::pair{Dtype::u8, at::kByte},    std::pair{Dtype::i8, at::kChar},
    std::pair{Dtype::i16, at::kShort},     std::pair{Dtype::u16, at::kUInt16}, std::pair{Dtype::f16, at::kHalf},
    std::pair{Dtype::bf16, at::kBFloat16}, std::pair{Dtype::i32, at::kInt},    std::pair{Dtype::u32, at::kUInt32},
    std::pair{Dtype::f32, at::kFloat},     std::pair{Dtype::f64, at::kDouble}, std::pair{Dtype::i64, at::kLong},
    std::pair{Dtype::u64, at::kUInt64},
};

at::ScalarType scalar_type(Dtype dtype) {
  for (const auto& [ours, theirs] : kTypes)
    if (ours == dtype) return theirs;
  TORCH_INTERNAL_ASSERT(false, "every Dtype is in the table");
}

Result<Dtype> dtype_of(const std::string& name, at::ScalarType type, const std::string& where) {
  for (const auto& [ours, theirs] : kTypes)
    if (theirs == type) return ours;
  return failure("Tensor " + name + " has the type " + c10::toString(type) + ", which safetensors lacks", where);
}

}  // namespace

at::Tensor view_tensor(const SafetensorsFile& file, const TensorEntry& entry) {
  // from_blob wants a pointer that may be written to; the mapping is private and read-only, and callers copy.
  void* data = const_cast<std::byte*>(entry.data.data());
  return at::from_blob(
      data, entry.shape, [file](void*) {}, at::TensorOptions().dtype(scalar_type(entry.dtype)));
}

Result<std::map<std::string, at::Tensor>> load_tensors(const std::filesystem::path& path) {
  DISCO_TRY(const SafetensorsFile file, SafetensorsFile::open(path));
  std::map<std::string, at::Tensor> tensors;
  for (const TensorEntry& entry : file.entries()) tensors[entry.name] = view_tensor(file, entry).clone();
  return tensors;
}

Result<void> save_tensors(const std::filesystem::path& path, const NamedTensors& tensors,
                          const std::map<std::string, std::string>& metadata) {
  std::vector<at::Tensor> alive;  // contiguous copies that the entries point into
  std::vector<TensorEntry> entries;
  for (const auto& [name, tensor] : tensors) {
    DISCO_TRY(const Dtype dtype, dtype_of(name, tensor.scalar_type(), path.string()));
    alive.push_back(tensor.detach().to(at::kCPU).contiguous());
    const at::Tensor& plain = alive.back();
    entries.push_back({.name = name,
                       .dtype = dtype,
                       .shape = plain.sizes().vec(),
                       .data = {static_cast<const std::byte*>(plain.const_data_ptr()), plain.nbytes()}});
  }
  return write_safetensors(path, entries, metadata);
}

}  // namespace disco::models
