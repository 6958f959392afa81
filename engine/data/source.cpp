// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/source.h"

#include <filesystem>
#include <set>

#include "engine/data/decode/decode.h"
#include "engine/data/sources/cartoon_source.h"
#include "engine/data/sources/file_source.h"

namespace disco::data {
namespace {

Result<Listing> list(const DataSettings& settings, const std::string& path, const char* setting) {
  if (path.empty()) return failure("no data are named", setting, std::string("Set ") + setting);
  if (settings.source == DataKind::folder) return list_folder(path);
  return list_table(path, {settings.image_column, settings.caption_column, settings.separator});
}

/// Takes out of `train` what is also held out: the same file, by whatever path.
void remove_shared(Listing& train, const Listing& held_out) {
  std::error_code error;
  std::set<std::filesystem::path> judged;
  for (const PictureFile& picture : held_out.pictures) {
    judged.insert(std::filesystem::weakly_canonical(picture.path, error));
  }
  const auto removed = std::erase_if(train.pictures, [&](const PictureFile& picture) {
    return judged.contains(std::filesystem::weakly_canonical(picture.path, error));
  });
  if (removed == 0) return;
  train.report.skipped.push_back({"also in the held-out data", static_cast<std::int64_t>(removed), {}});
}

Result<DataSources> open_cartoons(const DataSettings& settings, const SourceOptions& options) {
  DataSources sources;
  DISCO_TRY(sources.train, CartoonSource::open(cartoons::Split::kTraining, options.seed, {}, options.picture_size));
  DISCO_TRY(sources.validation, CartoonSource::open(cartoons::Split::kHeldOut, kHeldOutSeed, settings.held_out_pictures,
                                                    options.picture_size));
  return sources;
}

}  // namespace

Result<models::Image> Source::display_picture(std::int64_t index, int /*smallest_side*/) const {
  DISCO_TRY(Sample sample, read(index));
  if (auto* image = std::get_if<models::Image>(&sample.picture)) return std::move(*image);
  auto decoded = decode(std::get<Bytes>(sample.picture));
  if (!decoded) return failure(decoded.error().what, sample.origin, decoded.error().hint);
  return std::move(decoded->image);
}

Result<DataSources> open_sources(const DataSettings& settings, const SourceOptions& options) {
  if (settings.source == DataKind::cartoons) return open_cartoons(settings, options);
  DISCO_TRY(Listing listing, list(settings, settings.path, "data.path"));
  DataSources sources;
  if (!settings.validation_path.empty()) {
    DISCO_TRY(Listing held_out, list(settings, settings.validation_path, "data.validation_path"));
    remove_shared(listing, held_out);
    if (listing.pictures.empty()) {
      return failure("every picture is also in the held-out data", "data.validation_path",
                     "Name another folder or table, or leave it empty to hold out a share");
    }
    sources.train = std::make_shared<FileSource>(std::move(listing));
    sources.validation = std::make_shared<FileSource>(std::move(held_out));
    return sources;
  }
  auto [train, held_out] = split_listing(std::move(listing), settings.validation_share);
  sources.train = std::make_shared<FileSource>(std::move(train));
  if (!held_out.pictures.empty()) sources.validation = std::make_shared<FileSource>(std::move(held_out));
  return sources;
}

Result<std::shared_ptr<const Source>> open_path(const std::string& path, const DataSettings& columns,
                                                const SourceOptions& options) {
  if (path == "cartoons") {
    DISCO_TRY(auto source, CartoonSource::open(cartoons::Split::kTraining, options.seed, {}, options.picture_size));
    return std::shared_ptr<const Source>(std::move(source));
  }
  DataSettings settings = columns;
  std::error_code error;
  const bool table = std::filesystem::is_regular_file(path, error);
  settings.source = table ? DataKind::table : DataKind::folder;
  DISCO_TRY(Listing listing, list(settings, path, "the path"));
  return std::shared_ptr<const Source>(std::make_shared<FileSource>(std::move(listing)));
}

}  // namespace disco::data
