// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoint/safetensors.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/base/files.h"
#include "models/checkpoint/safetensors_header.h"

static_assert(std::endian::native == std::endian::little, "safetensors data is little-endian and read in place");

namespace disco::models {
namespace {

struct DtypeRow {
  Dtype dtype;
  std::string_view name;
  std::size_t size;
};
constexpr std::array kDtypes = {
    DtypeRow{Dtype::boolean, "BOOL", 1}, DtypeRow{Dtype::u8, "U8", 1},   DtypeRow{Dtype::i8, "I8", 1},
    DtypeRow{Dtype::i16, "I16", 2},      DtypeRow{Dtype::u16, "U16", 2}, DtypeRow{Dtype::f16, "F16", 2},
    DtypeRow{Dtype::bf16, "BF16", 2},    DtypeRow{Dtype::i32, "I32", 4}, DtypeRow{Dtype::u32, "U32", 4},
    DtypeRow{Dtype::f32, "F32", 4},      DtypeRow{Dtype::f64, "F64", 8}, DtypeRow{Dtype::i64, "I64", 8},
    DtypeRow{Dtype::u64, "U64", 8},
};

const DtypeRow& row_of(Dtype dtype) {
  return *std::find_if(kDtypes.begin(), kDtypes.end(), [&](const DtypeRow& row) { return row.dtype == dtype; });
}

/// Bytes of a tensor, or nothing when the number does not fit 63 bits.
std::optional<std::uint64_t> byte_count(Dtype dtype, std::span<const std::int64_t> shape) {
  std::uint64_t bytes = dtype_size(dtype);
  for (const std::int64_t extent : shape) {
    if (extent < 0) return std::nullopt;
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent), &bytes) || bytes > (1ULL << 63))
      return std::nullopt;
  }
  return bytes;
}

/// Turns what the header says about one tensor into an entry whose span lies inside data.
Result<TensorEntry> to_entry(const HeaderTensor& tensor, std::span<const std::byte> data, const std::string& where) {
  const auto refuse = [&](const std::string& what) { return failure("Tensor " + tensor.name + " " + what, where); };
  const auto dtype = dtype_from_name(tensor.dtype);
  if (!dtype) return refuse("has the unknown type " + tensor.dtype);
  if (tensor.begin > tensor.end || tensor.end > data.size()) return refuse("lies outside of the file");
  const auto bytes = byte_count(*dtype, tensor.shape);
  if (!bytes || *bytes != tensor.end - tensor.begin) return refuse("has a shape that does not fit its bytes");
  return TensorEntry{.name = tensor.name,
                     .dtype = *dtype,
                     .shape = tensor.shape,
                     .data = data.subspan(tensor.begin, tensor.end - tensor.begin)};
}

/// A file mapped for reading; unmapped with the last owner.
Result<std::shared_ptr<const void>> map_file(const std::filesystem::path& path, std::span<const std::byte>& bytes) {
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return failure("Cannot open the file: " + errno_text(errno), path.string());
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return failure("Cannot read the file: " + errno_text(errno), path.string());
  if (!S_ISREG(status.st_mode)) return failure("is not a regular file", path.string());
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return failure("The file is empty", path.string(), "Copy or save it again");
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (address == MAP_FAILED) return failure("Cannot map the file: " + errno_text(errno), path.string());
  bytes = {static_cast<const std::byte*>(address), size};
  return std::shared_ptr<const void>(address, [size](void* mapped) { ::munmap(mapped, size); });
}

std::string header_text(std::span<const TensorEntry* const> order, const std::map<std::string, std::string>& metadata) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::string text = header.dump();
  text.pop_back();  // the closing brace; entries follow one by one, because a large object finds its keys slowly
  std::uint64_t offset = 0;
  for (const TensorEntry* entry : order) {
    const nlohmann::ordered_json value = {{"dtype", dtype_name(entry->dtype)},
                                          {"shape", entry->shape},
                                          {"data_offsets", {offset, offset + entry->data.size()}}};
    if (text.size() > 1) text += ',';
    text += nlohmann::ordered_json(entry->name).dump() + ":" + value.dump();
    offset += entry->data.size();
  }
  text += '}';
  constexpr std::size_t kAlignment = 8;  // so that the data, and with it the largest elements, are aligned
  text.resize((text.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  return text;
}

Result<void> check_entries(std::span<const TensorEntry> entries, const std::string& where) {
  std::set<std::string_view> names;
  for (const TensorEntry& entry : entries) {
    if (entry.name == "__metadata__" || !names.insert(entry.name).second)
      return failure("Tensor name " + entry.name + " cannot be written twice", where);
    if (byte_count(entry.dtype, entry.shape) != entry.data.size())
      return failure("Tensor " + entry.name + " has a shape that does not fit its bytes", where);
  }
  return {};
}

}  // namespace

std::string_view dtype_name(Dtype dtype) { return row_of(dtype).name; }

std::size_t dtype_size(Dtype dtype) { return row_of(dtype).size; }

std::optional<Dtype> dtype_from_name(std::string_view name) {
  for (const DtypeRow& row : kDtypes)
    if (row.name == name) return row.dtype;
  return std::nullopt;
}

Result<SafetensorsContent> parse_safetensors(std::span<const std::byte> file, const std::string& where) {
  constexpr std::uint64_t kLongestHeader = 100'000'000;
  constexpr std::size_t kLengthBytes = 8;
  if (file.size() < kLengthBytes) return failure("The file is too short for a safetensors file", where);
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), kLengthBytes);
  if (length > kLongestHeader) return failure("The header is longer than the 100 MB that are allowed", where);
  if (length > file.size() - kLengthBytes)
    return failure("The file ends before its header does", where, "Copy or download it again");
  const auto* text = reinterpret_cast<const char*>(file.data() + kLengthBytes);
  DISCO_TRY(Header header, parse_safetensors_header({text, static_cast<std::size_t>(length)}, where));

  const std::span<const std::byte> data = file.subspan(kLengthBytes + static_cast<std::size_t>(length));
  std::stable_sort(header.tensors.begin(), header.tensors.end(), [](const HeaderTensor& a, const HeaderTensor& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  SafetensorsContent content{.entries = {}, .metadata = std::move(header.metadata)};
  content.entries.reserve(header.tensors.size());
  std::uint64_t next = 0;
  for (const HeaderTensor& tensor : header.tensors) {
    if (tensor.begin != next)
      return failure("Tensor " + tensor.name + " does not begin where the one before it ends", where);
    DISCO_TRY(TensorEntry entry, to_entry(tensor, data, where));
    next = tensor.end;
    content.entries.push_back(std::move(entry));
  }
  if (next != data.size())
    return failure(
        "The file has " + std::to_string(data.size()) + " bytes of data, its header speaks of " + std::to_string(next),
        where, "Copy or download it again");
  return content;
}

Result<SafetensorsFile> SafetensorsFile::open(const std::filesystem::path& path) {
  std::span<const std::byte> bytes;
  SafetensorsFile file;
  DISCO_TRY(file.mapping_, map_file(path, bytes));
  DISCO_TRY(SafetensorsContent content, parse_safetensors(bytes, path.string()));
  file.entries_ = std::make_shared<const std::vector<TensorEntry>>(std::move(content.entries));
  file.metadata_ = std::make_shared<const std::map<std::string, std::string>>(std::move(content.metadata));
  return file;
}

const TensorEntry* SafetensorsFile::find(std::string_view name) const {
  const auto found =
      std::find_if(entries_->begin(), entries_->end(), [&](const TensorEntry& entry) { return entry.name == name; });
  return found == entries_->end() ? nullptr : &*found;
}

Result<void> write_safetensors(const std::filesystem::path& path, std::span<const TensorEntry> entries,
                               const std::map<std::string, std::string>& metadata) {
  const std::string where = path.string();
  DISCO_CHECK(check_entries(entries, where));
  std::vector<const TensorEntry*> order;
  for (const TensorEntry& entry : entries) order.push_back(&entry);
  std::stable_sort(order.begin(), order.end(), [](const TensorEntry* a, const TensorEntry* b) {
    return dtype_size(a->dtype) > dtype_size(b->dtype);
  });
  const std::string header = header_text(order, metadata);
  const auto length = static_cast<std::uint64_t>(header.size());

  const FileHandle file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file.valid()) return failure("Cannot create the file: " + errno_text(errno), where);
  DISCO_CHECK(write_all(file.get(), std::as_bytes(std::span(&length, 1)), where));
  DISCO_CHECK(write_all(file.get(), std::as_bytes(std::span(header)), where));
  for (const TensorEntry* entry : order) {
    kill_point("safetensors.write");
    DISCO_CHECK(write_all(file.get(), entry->data, where));
  }
  kill_point("safetensors.fsync");
  if (::fsync(file.get()) != 0) return failure("Cannot flush the file to the disk: " + errno_text(errno), where);
  return {};
}

}  // namespace disco::models
