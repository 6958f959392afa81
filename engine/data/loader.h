// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/data/source.h"
#include "engine/run/run_config.h"
#include "models/image/preprocess.h"
#include "models/text/tokenizer.h"

namespace disco::data {

/// A sample that could not be used, or only with a reservation.
struct BadSample {
  std::string id;
  std::string where;  ///< the file
  std::string reason;
  bool used = false;  ///< it is in the batch all the same

  /// "where: reason".
  [[nodiscard]] std::string message() const { return where + ": " + reason; }
};

/// What the loader's threads did for one batch, in seconds summed over threads, and what next() waited.
struct LoaderTimes {
  double read = 0;  ///< from disk, or composing
  double decode = 0;
  double resize = 0;  ///< augmentation included
  double text = 0;
  double wait = 0;
};

/// The stage that took longest, in words: "reading files", "decoding pictures" …
[[nodiscard]] std::string slowest_stage(const LoaderTimes& times);

/// Rows of this rank for one step, ready for the model.
struct Batch {
  std::int64_t step = 0;      ///< counted from 0 over the whole run
  std::int64_t position = 0;  ///< step of the next batch
  double epoch = 0;           ///< passes over the data when this batch begins; 0 for an endless source
  std::vector<std::string> ids;
  int count = 0;
  std::vector<float> pixels;  ///< [count, 3, S, S], normalised
  int length = 0;
  std::vector<std::int64_t> tokens;  ///< [count, length], padded behind the end token up to the longest caption
  int extra_count = 0;
  int extra_length = 0;
  std::vector<std::int64_t> extra_tokens;  ///< [extra_count, extra_length], near misses
  std::vector<std::int64_t> extra_owner;   ///< row of this batch that each near miss belongs to
  std::vector<BadSample> bad;              ///< what is met for the first time
  LoaderTimes times;
  std::vector<std::uint64_t> caption_hash;  ///< of the token ids
  std::vector<std::uint64_t> picture_hash;  ///< of the 8-bit view that the model gets
};

struct LoaderOptions {
  int batch_size = 64;  ///< over all ranks; cut to the number of samples
  int rank = 0;
  int world = 1;
  int threads = 0;  ///< 0 chooses
  std::uint64_t seed = 1;
  std::int64_t start_step = 0;
  models::ImagePreprocess preprocess;
  std::shared_ptr<const models::Tokenizer> tokenizer;
  int context_length = 77;
  AugmentSettings augment;
  int negatives = 0;  ///< near misses of each sample, at most; drawn anew each epoch where there are more
  double largest_bad_share = 0.1;
  bool shuffled = true;       ///< a new order each epoch; else the order of the source
  bool draw_captions = true;  ///< any caption, drawn each epoch; the first where near misses of it are used
};

/// Prepares batches ahead on threads of its own. Batches come in order and do not depend on the number of threads: all
/// draws are keyed by (seed, epoch, sample). Rank r of N gets rows [r*B/N, (r+1)*B/N) of each global batch, so all
/// ranks together see what one rank would. A sample that cannot be used leaves its row out; it is reported once. When
/// more than largest_bad_share of the samples seen are bad, or all are, next() fails with the first reasons. next() is
/// called from one thread.
class Loader {
 public:
  [[nodiscard]] static Result<Loader> create(std::shared_ptr<const Source> source, LoaderOptions options);
  Loader(Loader&&) noexcept;
  Loader& operator=(Loader&&) noexcept;
  ~Loader();  ///< stops the threads; waits for the samples that they are at

  /// The next batch, without end; waits for it.
  [[nodiscard]] Result<std::optional<Batch>> next();

  /// Whether next() would return at once; waits for at most `timeout`.
  [[nodiscard]] bool ready(std::chrono::milliseconds timeout);

  /// Passes over the data that `step` batches make; 0 for an endless source.
  [[nodiscard]] double epoch_of(std::int64_t step) const;

  /// Samples of a global batch: batch_size, or all samples if there are fewer.
  [[nodiscard]] std::int64_t global_batch() const;

 private:
  class Pipeline;
  explicit Loader(std::unique_ptr<Pipeline> pipeline);
  std::unique_ptr<Pipeline> pipeline_;
};

/// Threads that `threads` = 0 stands for on this computer.
[[nodiscard]] int default_loader_threads();

}  // namespace disco::data
