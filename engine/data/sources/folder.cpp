// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <fstream>
#include <set>

#include "engine/data/sources/file_source.h"
#include "engine/data/sources/skip_counter.h"
#include "engine/data/sources/text.h"

namespace disco::data {
namespace {

namespace fs = std::filesystem;

// More than any caption; a first line that is longer belongs to something else.
constexpr std::streamsize kLongestCaption = 64 << 10;

enum class Kind { kPicture, kUnsupported, kCaption, kOther };

Kind kind_of(const fs::path& path) {
  std::string suffix = path.extension().string();
  std::ranges::transform(suffix, suffix.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::array<std::string_view, 10> kPictures = {".jpg", ".jpeg", ".jpe",  ".png", ".webp",
                                                          ".gif", ".tif",  ".tiff", ".bmp", ".jfif"};
  constexpr std::array<std::string_view, 7> kUnsupported = {".svg", ".svgz", ".heic", ".heif", ".avif", ".psd", ".jp2"};
  if (std::ranges::find(kPictures, suffix) != kPictures.end()) return Kind::kPicture;
  if (std::ranges::find(kUnsupported, suffix) != kUnsupported.end()) return Kind::kUnsupported;
  return suffix == ".txt" ? Kind::kCaption : Kind::kOther;
}

struct Found {
  std::vector<fs::path> pictures, unsupported, captions;  ///< relative to the folder, sorted
  std::int64_t others = 0;
};

Result<Found> look_through(const fs::path& folder) {
  Found found;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->path().filename().string().starts_with('.')) {
      at.disable_recursion_pending();
      continue;
    }
    std::error_code ignored;
    if (!at->is_regular_file(ignored)) continue;
    const fs::path relative = at->path().lexically_relative(folder);
    switch (kind_of(relative)) {
      case Kind::kPicture:
        found.pictures.push_back(relative);
        break;
      case Kind::kUnsupported:
        found.unsupported.push_back(relative);
        break;
      case Kind::kCaption:
        found.captions.push_back(relative);
        break;
      case Kind::kOther:
        ++found.others;
        break;
    }
  }
  if (error) return failure("the folder cannot be read: " + error.message(), folder.string());
  for (auto* list : {&found.pictures, &found.unsupported, &found.captions}) std::ranges::sort(*list);
  return found;
}

/// The first line of a caption file, or why it cannot be used.
Result<std::string> read_caption(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return failure("the .txt beside the picture cannot be read");
  std::string text(static_cast<std::size_t>(kLongestCaption), '\0');
  in.read(text.data(), kLongestCaption);
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (is_utf16(text)) return failure("the .txt is UTF-16, not UTF-8");
  std::string_view line = without_mark(text);
  const auto end = line.find_first_of("\r\n");
  if (end == std::string_view::npos && std::ssize(text) == kLongestCaption) {
    return failure("the first line of the .txt is too long for a caption");
  }
  line = trimmed(line.substr(0, end));
  if (!is_utf8_text(line)) return failure("the .txt is not UTF-8");
  if (line.empty()) return failure("the first line of the .txt is empty");
  return std::string(line);
}

void add_picture(const fs::path& folder, const fs::path& name, Listing& listing, SkipCounter& skipped) {
  const fs::path path = folder / name;
  std::error_code error;
  if (!fs::exists(fs::path(path).replace_extension(".txt"), error)) {
    skipped.add("no .txt beside the picture", name.string());
    return;
  }
  auto caption = read_caption(fs::path(path).replace_extension(".txt"));
  if (!caption) {
    skipped.add(caption.error().what, name.string());
    return;
  }
  const auto size = fs::file_size(path, error);
  if (error || size == 0) {
    skipped.add(error ? "the picture cannot be read" : "the picture file is empty", name.string());
    return;
  }
  listing.pictures.push_back({name.string(), path, {std::move(*caption)}});
}

void report_orphans(const Found& found, SkipCounter& skipped) {
  std::set<fs::path> stems;
  for (const auto* list : {&found.pictures, &found.unsupported}) {
    for (const fs::path& name : *list) stems.insert(fs::path(name).replace_extension());
  }
  for (const fs::path& name : found.captions) {
    if (!stems.contains(fs::path(name).replace_extension())) skipped.add("a .txt without a picture", name.string());
  }
}

}  // namespace

Result<Listing> list_folder(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) {
    return failure("there is no such folder", folder.string(), "Check the path, and that its disk is mounted");
  }
  if (!fs::is_directory(folder, error)) {
    return failure("this is a file, not a folder", folder.string(), "For a CSV or TSV file choose data.source=table");
  }
  DISCO_TRY(const Found found, look_through(folder));
  Listing listing;
  SkipCounter skipped;
  for (const fs::path& name : found.pictures) add_picture(folder, name, listing, skipped);
  for (const fs::path& name : found.unsupported) {
    skipped.add(name.extension().string() + " files are not supported", name.string());
  }
  report_orphans(found, skipped);
  listing.report.what = "folder " + folder.string();
  listing.report.skipped = skipped.by_count();
  listing.report.other_files = found.others;
  if (listing.pictures.empty()) {
    const std::string reasons = skipped_text(listing.report.skipped);
    return failure("no picture with a caption was found" + (reasons.empty() ? "" : ": " + reasons), folder.string(),
                   "Put a .txt file beside each picture, of the same name, with the caption in its first line");
  }
  return listing;
}

}  // namespace disco::data
