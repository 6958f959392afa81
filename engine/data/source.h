// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/described.h"
#include "engine/base/error.h"
#include "engine/data/sample.h"
#include "engine/run/run_config.h"

namespace disco::data {

/// Something that was found and is not used.
struct Skipped {
  std::string reason;
  std::int64_t count = 0;
  std::vector<std::string> examples;  ///< the first few
};

constexpr auto describe(std::type_identity<Skipped>) {
  return std::tuple{field("reason", &Skipped::reason, {.label = "Reason"}),
                    field("count", &Skipped::count, {.label = "Files"}),
                    field("examples", &Skipped::examples, {.label = "Examples"})};
}
DISCO_DESCRIBED(Skipped);

/// What a source found where it looked.
struct SourceReport {
  std::string what;       ///< "folder /data/stamps"
  std::int64_t used = 0;  ///< pictures that have a caption; 0 for an endless source
  bool endless = false;   ///< any number of pictures, composed as the run goes
  std::int64_t captions = 0;
  std::vector<Skipped> skipped;  ///< by reason, the most frequent first
  std::int64_t other_files = 0;  ///< neither pictures nor captions
};

constexpr auto describe(std::type_identity<SourceReport>) {
  using C = SourceReport;
  return std::tuple{field("what", &C::what, {.label = "Data"}),
                    field("used", &C::used, {.label = "Pictures"}),
                    field("endless", &C::endless, {.label = "Endless"}),
                    field("captions", &C::captions, {.label = "Captions"}),
                    field("skipped", &C::skipped, {.label = "Skipped"}),
                    field("other_files", &C::other_files, {.label = "Other files"})};
}
DISCO_DESCRIBED(SourceReport);

/// Pictures with captions, numbered from 0. Immutable once open; all members may be called from any thread.
class Source {
 public:
  virtual ~Source() = default;

  /// Number of samples; nothing for an endless source.
  [[nodiscard]] virtual std::optional<std::int64_t> size() const = 0;

  /// Sample `index`, 0 <= index < size(): a pure function of the index as long as the files stay as they are.
  [[nodiscard]] virtual Result<Sample> read(std::int64_t index) const = 0;

  /// The picture for a person to look at, decoded in full; composed pictures are made at least this large.
  [[nodiscard]] virtual Result<models::Image> display_picture(std::int64_t index, int smallest_side) const;

  /// Changes when the samples or their order do. Does not read the pictures.
  [[nodiscard]] virtual std::string fingerprint() const = 0;

  [[nodiscard]] virtual SourceReport report() const = 0;
};

struct DataSources {
  std::shared_ptr<const Source> train;
  std::shared_ptr<const Source> validation;  ///< null when nothing is held out; shares no sample with train
};

/// What does not stand in DataSettings.
struct SourceOptions {
  std::uint64_t seed = 1;  ///< names the series of cartoons that are trained on
  int picture_size = 96;   ///< side at which cartoons are composed, best what the model sees
};

/// Opens what the settings name: looks through the folder or table and splits it, or prepares the cartoons. Pictures
/// are not read yet. The split of a folder or table depends on the names of the pictures alone, so that it stays when
/// others are added; the held-out cartoons are the same for every seed.
[[nodiscard]] Result<DataSources> open_sources(const DataSettings& settings, const SourceOptions& options = {});

/// The whole of a folder or table without a split, or the endless cartoons for the word "cartoons".
[[nodiscard]] Result<std::shared_ptr<const Source>> open_path(const std::string& path, const DataSettings& columns = {},
                                                              const SourceOptions& options = {});

}  // namespace disco::data
