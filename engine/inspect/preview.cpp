// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/inspect/preview.h"

#include <algorithm>
#include <system_error>

#include "engine/base/files.h"
#include "engine/base/resources.h"
#include "engine/data/decode/decode.h"
#include "engine/data/inspection.h"
#include "engine/evaluate/write_png.h"
#include "models/image/preprocess.h"
#include "models/text/tokenizer.h"

namespace disco {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t largest_picture_file = std::uint64_t{512} << 20;

/// Preprocessing and tokens without the network: this must be quick and work before any model exists.
struct Doors {
  models::ImagePreprocess image;
  std::shared_ptr<const models::Tokenizer> tokenizer;
  int context_length = 0;
};

Result<Doors> doors_of(const RunConfig& config) {
  Doors doors{.image = models::clip_preprocess(config.model.clip.vision.image_size),
              .tokenizer = nullptr,
              .context_length = config.model.clip.text.context_length};
  fs::path vocabulary = resource_path("vocabularies/clip");
  const fs::path folder = config.model.checkpoint;
  std::error_code code;
  if (!folder.empty() && fs::exists(folder / "preprocessor_config.json", code)) {
    DISCO_TRY(doors.image, models::load_preprocess(folder / "preprocessor_config.json"));
  }
  if (!folder.empty() && fs::exists(folder / "vocab.json", code)) vocabulary = folder;
  DISCO_TRY(doors.tokenizer, models::load_clip_tokenizer(vocabulary));
  return doors;
}

void add_skipped(const data::SourceReport& report, PreviewAnswer& answer) {
  for (const auto& skipped : report.skipped) {
    answer.skipped += skipped.count;
    answer.skipped_reasons.push_back(std::to_string(skipped.count) + " × " + skipped.reason);
  }
}

}  // namespace

Result<models::Image> load_picture(const fs::path& path) {
  DISCO_TRY(const std::string bytes, read_file(path, largest_picture_file));
  auto decoded = data::decode(std::as_bytes(std::span(bytes)));
  if (!decoded) return failure(decoded.error().what, path.string(), decoded.error().hint);
  return std::move(decoded->image);
}

Result<PreviewAnswer> preview(const RunConfig& config, int count, const fs::path& folder) {
  DISCO_TRY(const Doors doors, doors_of(config));
  DISCO_TRY(const data::DataSources sources,
            data::open_sources(config.data, {.seed = config.seed, .picture_size = doors.image.size}));
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) return failure("cannot be made: " + code.message(), folder.string());
  PreviewAnswer answer;
  answer.training_samples = sources.train->size().value_or(0);
  answer.held_out_samples = sources.validation ? sources.validation->size().value_or(0) : 0;
  add_skipped(sources.train->report(), answer);
  const data::LoaderOptions options{.batch_size = config.batch.size,
                                    .threads = 1,
                                    .seed = config.seed,
                                    .preprocess = doors.image,
                                    .tokenizer = doors.tokenizer,
                                    .context_length = doors.context_length,
                                    .augment = config.data.augment,
                                    .negatives = config.data.negatives_per_picture};
  for (auto& sample : data::preview(*sources.train, options, std::clamp(count, 1, 100))) {
    PreviewSample shown{.id = sample.id,
                        .origin = sample.origin,
                        .image = "",
                        .caption = sample.error.empty() ? sample.caption : sample.error,
                        .tokens = std::move(sample.token_texts),
                        .cut = sample.cut,
                        .negatives = std::move(sample.negatives)};
    if (!sample.view.empty()) {
      shown.image = (folder / (std::to_string(answer.samples.size()) + ".png")).string();
      DISCO_CHECK(write_png(shown.image, sample.view));
    }
    answer.samples.push_back(std::move(shown));
  }
  return answer;
}

}  // namespace disco
