// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/column_cache.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

#include "engine/base/files.h"
#include "engine/base/hash.h"
#include "engine/base/json.h"

namespace disco::ui {
namespace {

static_assert(std::endian::native == std::endian::little, "the cache holds numbers as they lie in memory");

constexpr std::string_view magic = "disco columns 1\n";
constexpr std::uint64_t checked_bytes = 4096;
constexpr std::uint64_t largest_header = 1ULL << 30;

/// Identity of the first `offset` bytes of a file: hashes of their beginning and their end.
Result<std::string> identity_of(const std::filesystem::path& events, std::uint64_t offset) {
  FileHandle file(::open(events.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return failure("cannot be opened", events.string());
  std::string bytes(checked_bytes, '\0');
  std::string result = std::to_string(offset);
  for (const std::uint64_t from : {std::uint64_t{0}, offset > checked_bytes ? offset - checked_bytes : 0}) {
    const std::uint64_t count = std::min(checked_bytes, offset - from);
    const ssize_t got = ::pread(file.get(), bytes.data(), count, static_cast<off_t>(from));
    if (got < 0 || static_cast<std::uint64_t>(got) != count) return failure("is shorter than before", events.string());
    result += "-" + std::to_string(hash64(std::string_view(bytes.data(), count)));
  }
  return result;
}

/// A file mapped for reading, unmapped with the last column that lies in it.
class Mapping {
 public:
  static std::shared_ptr<const Mapping> open(const std::filesystem::path& path) {
    FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat now {};
    if (!file.valid() || ::fstat(file.get(), &now) != 0 || now.st_size <= 0) return nullptr;
    const auto size = static_cast<std::size_t>(now.st_size);
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (address == MAP_FAILED) return nullptr;
    return std::shared_ptr<const Mapping>(new Mapping(static_cast<const char*>(address), size));
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { ::munmap(const_cast<char*>(data_), size_); }

  [[nodiscard]] const char* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  Mapping(const char* data, std::size_t size) : data_(data), size_(size) {}
  const char* data_;
  std::size_t size_;
};

/// Numbers every block once; pieces of the line and of replaced lines refer to blocks by number.
struct BlockNumbers {
  std::map<const Block*, std::size_t> number;
  std::vector<std::pair<std::shared_ptr<const Block>, std::uint32_t>> blocks;  ///< with the rows in use

  Json pieces_of(const Line& line) {
    Json list = Json::array();
    for (const Piece& piece : line.pieces()) {
      const auto [found, added] = number.try_emplace(piece.block.get(), blocks.size());
      if (added) blocks.emplace_back(piece.block, 0);
      auto& rows = blocks[found->second].second;
      rows = std::max(rows, piece.end);
      list.push_back({found->second, piece.begin, piece.end});
    }
    return list;
  }
};

Json marks_of(const Columns& columns) {
  Json marks = Json::array();
  for (const auto& list : columns.not_finite) {
    Json one = Json::array();
    if (list)
      for (const NotFinite& mark : *list) one.push_back({mark.first, mark.last, static_cast<int>(mark.kind)});
    marks.push_back(std::move(one));
  }
  return marks;
}

/// The side lines as they stand in an event file. They may be much: predictions with all their captions.
std::string side_text(const StoredColumns& stored) {
  std::string text;
  for (const std::string& line : stored.side_lines) text.append(line).push_back('\n');
  return text;
}

Json header_of(const StoredColumns& stored, std::string identity, std::size_t side_bytes, BlockNumbers& blocks) {
  Json header;
  header["identity"] = std::move(identity);
  header["offset"] = stored.offset;
  header["metrics"] = *stored.columns.metrics;
  header["line"] = blocks.pieces_of(stored.columns.line);
  header["replaced"] = Json::array();
  for (const Line& line : stored.columns.replaced) header["replaced"].push_back(blocks.pieces_of(line));
  header["resumes"] = Json::array();
  for (const Resume& resume : stored.columns.resumes) header["resumes"].push_back({resume.step, resume.index});
  header["not_finite"] = marks_of(stored.columns);
  header["side_bytes"] = side_bytes;
  header["blocks"] = Json::array();
  for (const auto& [block, rows] : blocks.blocks) {
    Json present = Json::array();
    for (const double* column : block->columns) present.push_back(column != nullptr);
    header["blocks"].push_back({{"rows", rows}, {"columns", std::move(present)}});
  }
  return header;
}

Result<void> write_text(int file, std::string_view text, const std::string& where) {
  return write_all(file, std::as_bytes(std::span(text.data(), text.size())), where);
}

/// Pads to 64 so that every column is aligned.
std::size_t padded(std::size_t size) { return (size + 63) / 64 * 64; }

Line line_from(const Json& pieces, const std::vector<std::shared_ptr<const Block>>& blocks,
               const std::vector<std::uint32_t>& rows, bool& good) {
  Line line;
  for (const Json& piece : pieces) {
    const auto block = piece.at(0).get<std::size_t>();
    const auto begin = piece.at(1).get<std::uint32_t>();
    const auto end = piece.at(2).get<std::uint32_t>();
    good = good && block < blocks.size() && begin < end && end <= rows[block];
    if (!good) break;
    line.append(blocks[block], begin, end);
  }
  return line;
}

/// Makes blocks whose columns point into the mapping. Empty when a column would lie outside of it.
bool map_blocks(const Json& header, const std::shared_ptr<const Mapping>& mapping, std::size_t at,
                std::vector<std::shared_ptr<const Block>>& blocks, std::vector<std::uint32_t>& rows) {
  for (const Json& entry : header.at("blocks")) {
    const auto count = entry.at("rows").get<std::uint32_t>();
    if (count > Block::capacity) return false;
    auto block = std::make_shared<Block>();
    for (const Json& present : entry.at("columns")) {
      if (!present.get<bool>()) {
        block->columns.push_back(nullptr);
        continue;
      }
      const std::size_t bytes = count * sizeof(double);
      if (at > mapping->size() || bytes > mapping->size() - at) return false;
      block->columns.push_back(reinterpret_cast<const double*>(mapping->data() + at));
      at += padded(bytes);
    }
    if (block->columns.size() < axis_columns) return false;
    for (std::size_t axis = 0; axis < axis_columns; ++axis)
      if (!block->columns[axis]) return false;
    block->storage = mapping;
    blocks.push_back(std::move(block));
    rows.push_back(count);
  }
  return true;
}

std::optional<StoredColumns> from_header(const Json& header, const std::shared_ptr<const Mapping>& mapping,
                                         std::size_t data_at) {
  const auto side_bytes = header.at("side_bytes").get<std::uint64_t>();
  if (data_at > mapping->size() || side_bytes > mapping->size() - data_at) return std::nullopt;
  std::string_view side(mapping->data() + data_at, side_bytes);
  std::vector<std::shared_ptr<const Block>> blocks;
  std::vector<std::uint32_t> rows;
  if (!map_blocks(header, mapping, data_at + padded(side_bytes), blocks, rows)) return std::nullopt;
  StoredColumns stored;
  bool good = true;
  Columns& columns = stored.columns;
  columns.metrics = std::make_shared<std::vector<std::string>>(header.at("metrics").get<std::vector<std::string>>());
  columns.line = line_from(header.at("line"), blocks, rows, good);
  for (const Json& line : header.at("replaced")) columns.replaced.push_back(line_from(line, blocks, rows, good));
  for (const Json& resume : header.at("resumes"))
    columns.resumes.push_back({resume.at(0).get<double>(), resume.at(1).get<std::uint64_t>()});
  for (const Json& list : header.at("not_finite")) {
    std::vector<NotFinite> marks;
    for (const Json& mark : list) {
      marks.push_back({mark.at(0).get<std::uint64_t>(), mark.at(1).get<std::uint64_t>(),
                       static_cast<NotFinite::Kind>(std::clamp(mark.at(2).get<int>(), 0, 2))});
      good = good && marks.back().first <= marks.back().last && marks.back().last < columns.line.size();
    }
    columns.not_finite.push_back(marks.empty() ? nullptr : std::make_shared<std::vector<NotFinite>>(std::move(marks)));
  }
  if (!good) return std::nullopt;
  for (std::size_t newline; (newline = side.find('\n')) != std::string_view::npos; side.remove_prefix(newline + 1))
    stored.side_lines.emplace_back(side.substr(0, newline));
  stored.offset = header.at("offset").get<std::uint64_t>();
  return stored;
}

}  // namespace

Result<void> store_columns(const std::filesystem::path& file, const std::filesystem::path& events,
                           const StoredColumns& stored) {
  DISCO_TRY(std::string identity, identity_of(events, stored.offset));
  BlockNumbers blocks;
  std::string side = side_text(stored);
  const std::string header = header_of(stored, std::move(identity), side.size(), blocks).dump();
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  // Two windows may write at once: each under its own name.
  const std::string temporary = file.string() + "." + std::to_string(::getpid()) + ".tmp";
  {
    FileHandle out(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!out.valid()) return failure("cannot be written: " + errno_text(errno), temporary);
    std::string head(magic);
    const auto size = static_cast<std::uint64_t>(header.size());
    head.append(reinterpret_cast<const char*>(&size), sizeof size).append(header);
    head.resize(padded(head.size()), '\0');
    head.append(side);
    head.resize(padded(head.size()), '\0');
    auto written = write_text(out.get(), head, temporary);
    std::string bytes;
    for (const auto& [block, rows] : blocks.blocks) {
      for (const double* column : block->columns) {
        if (!written || !column) continue;
        bytes.assign(reinterpret_cast<const char*>(column), rows * sizeof(double));
        bytes.resize(padded(bytes.size()), '\0');
        written = write_text(out.get(), bytes, temporary);
      }
    }
    if (!written) {
      std::filesystem::remove(temporary, ignored);
      return written;
    }
  }
  std::filesystem::rename(temporary, file, ignored);
  if (ignored) return failure("cannot be renamed: " + ignored.message(), temporary);
  return {};
}

std::optional<StoredColumns> load_columns(const std::filesystem::path& file, const std::filesystem::path& events) {
  const auto mapping = Mapping::open(file);
  const std::size_t start = magic.size() + sizeof(std::uint64_t);
  if (!mapping || mapping->size() < start || std::string_view(mapping->data(), magic.size()) != magic)
    return std::nullopt;
  std::uint64_t size = 0;
  std::memcpy(&size, mapping->data() + magic.size(), sizeof size);
  if (size > largest_header || size > mapping->size() - start) return std::nullopt;
  auto header = parse_json(std::string_view(mapping->data() + start, size), file.string());
  if (!header || !header->is_object()) return std::nullopt;
  try {
    const auto identity = identity_of(events, header->at("offset").get<std::uint64_t>());
    if (!identity || *identity != header->at("identity").get<std::string>()) return std::nullopt;
    return from_header(*header, mapping, padded(start + size));
  } catch (const Json::exception&) {
    return std::nullopt;  // a header of another shape: the cache is built again
  }
}

}  // namespace disco::ui
