// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/data/source.h"

namespace disco::data {

/// A picture file and its captions.
struct PictureFile {
  std::string id;  ///< its name as listed, relative to the folder or table
  std::filesystem::path path;
  std::vector<std::string> captions;
};

/// What was found in a folder or table.
struct Listing {
  std::vector<PictureFile> pictures;
  SourceReport report;
};

/// Pictures in a folder and its sub-folders, each with a .txt beside it whose first line is the caption. Hidden files
/// and folders are passed over, links to folders are not followed. In the order of their names.
[[nodiscard]] Result<Listing> list_folder(const std::filesystem::path& folder);

/// Which columns of a table hold what, and what separates them.
struct TableColumns {
  std::string picture = "image";
  std::string caption = "caption";
  std::string separator = "auto";  ///< auto, comma, tab, semicolon
};

/// Rows of a CSV or TSV file; pictures are looked for beside it. Rows with the same picture become one sample with
/// several captions.
[[nodiscard]] Result<Listing> list_table(const std::filesystem::path& file, const TableColumns& columns);

/// Picture files as a source. The report is the listing's, with the number of pictures that this source has.
class FileSource final : public Source {
 public:
  explicit FileSource(Listing listing);

  [[nodiscard]] std::optional<std::int64_t> size() const override;
  [[nodiscard]] Result<Sample> read(std::int64_t index) const override;
  [[nodiscard]] std::string fingerprint() const override;
  [[nodiscard]] SourceReport report() const override { return report_; }

 private:
  std::vector<PictureFile> pictures_;
  SourceReport report_;
};

/// Parts a listing in two by a hash of the pictures' names: about `share` of them, at least one where there are two,
/// go into the second.
[[nodiscard]] std::pair<Listing, Listing> split_listing(Listing listing, double share);

/// Pictures larger than this are not read: nothing that a camera makes comes near.
inline constexpr std::uint64_t kLargestPictureFile = 512ULL << 20;

}  // namespace disco::data
