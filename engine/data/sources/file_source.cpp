// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/sources/file_source.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "engine/base/hash.h"

namespace disco::data {
namespace {

constexpr std::uint64_t kSplitKey = 0x64697363;

Result<Bytes> read_bytes(const std::filesystem::path& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return failure("the picture cannot be read: " + error.message(), path.string());
  if (size > kLargestPictureFile) {
    return failure("the file is larger than any picture", path.string(), "Leave it out or save it smaller");
  }
  Bytes bytes(size);
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size))) {
    return failure("the picture cannot be read", path.string(), "Check that you may read it");
  }
  return bytes;
}

std::int64_t count_captions(const std::vector<PictureFile>& pictures) {
  std::int64_t count = 0;
  for (const PictureFile& picture : pictures) count += std::ssize(picture.captions);
  return count;
}

}  // namespace

FileSource::FileSource(Listing listing) : pictures_(std::move(listing.pictures)), report_(std::move(listing.report)) {
  report_.used = std::ssize(pictures_);
  report_.captions = count_captions(pictures_);
}

std::optional<std::int64_t> FileSource::size() const { return std::ssize(pictures_); }

Result<Sample> FileSource::read(std::int64_t index) const {
  const PictureFile& picture = pictures_.at(static_cast<std::size_t>(index));
  DISCO_TRY(Bytes bytes, read_bytes(picture.path));
  Sample sample;
  sample.id = picture.id;
  sample.origin = picture.path.string();
  sample.picture = std::move(bytes);
  sample.captions = picture.captions;
  return sample;
}

std::string FileSource::fingerprint() const {
  std::string all;
  for (const PictureFile& picture : pictures_) {
    all += picture.id + '\0';
    for (const std::string& caption : picture.captions) all += caption + '\0';
    all += '\0';
  }
  return hash128_hex(std::as_bytes(std::span(all)));
}

std::pair<Listing, Listing> split_listing(Listing listing, double share) {
  Listing held_out;
  held_out.report = listing.report;
  held_out.report.skipped.clear();
  held_out.report.other_files = 0;
  if (share <= 0 || listing.pictures.size() < 2) return {std::move(listing), std::move(held_out)};
  std::vector<std::uint64_t> places;
  places.reserve(listing.pictures.size());
  for (const PictureFile& picture : listing.pictures) places.push_back(hash64(picture.id, kSplitKey));
  auto limit = static_cast<std::uint64_t>(std::ldexp(std::min(share, 0.999), 64));
  // Neither part is left empty.
  limit = std::max(limit, *std::ranges::min_element(places) + 1);
  limit = std::min(limit, *std::ranges::max_element(places));
  std::vector<PictureFile> kept;
  for (std::size_t i = 0; i < places.size(); ++i) {
    (places[i] < limit ? held_out.pictures : kept).push_back(std::move(listing.pictures[i]));
  }
  listing.pictures = std::move(kept);
  return {std::move(listing), std::move(held_out)};
}

}  // namespace disco::data
