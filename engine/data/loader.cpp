// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/loader.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <opencv2/core/utility.hpp>
#include <set>
#include <thread>

#include "engine/base/clock.h"
#include "engine/data/prepare_row.h"
#include "engine/data/sampler.h"

// Present when anything in the process uses OpenMP.
extern "C" void omp_set_num_threads(int count) __attribute__((weak));

namespace disco::data {
namespace {

constexpr std::int64_t kRowsAtOnce = 4;
// The share of bad samples is judged once this many are seen, or all.
constexpr std::int64_t kJudgedAfter = 200;
constexpr std::size_t kReasonsTold = 3;
constexpr std::size_t kBatchesAhead = 4;
constexpr std::size_t kLargestAhead = 512U << 20;

/// A batch on its way: rows are claimed and finished by threads in any order.
struct Slot {
  std::int64_t step = 0;
  std::int64_t claimed = 0;
  std::int64_t finished = 0;
  std::vector<PreparedRow> rows;
  std::vector<float> pixels;
};

int longest(const std::vector<const std::vector<std::int32_t>*>& texts) {
  std::size_t length = 0;
  for (const auto* text : texts) length = std::max(length, text->size());
  return static_cast<int>(length);
}

std::vector<std::int64_t> padded(const std::vector<const std::vector<std::int32_t>*>& texts, int length, int pad) {
  std::vector<std::int64_t> table(texts.size() * static_cast<std::size_t>(length), pad);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::ranges::copy(*texts[i], table.begin() + static_cast<std::ptrdiff_t>(i) * length);
  }
  return table;
}

void add(LoaderTimes& sum, const LoaderTimes& part) {
  sum.read += part.read;
  sum.decode += part.decode;
  sum.resize += part.resize;
  sum.text += part.text;
}

}  // namespace

class Loader::Pipeline {
 public:
  Pipeline(std::shared_ptr<const Source> source, LoaderOptions options)
      : source_(std::move(source)),
        options_(std::move(options)),
        size_(source_->size()),
        global_batch_(size_ ? std::min<std::int64_t>(options_.batch_size, *size_) : options_.batch_size),
        first_row_(options_.rank * global_batch_ / options_.world),
        rows_((options_.rank + 1) * global_batch_ / options_.world - first_row_),
        sampler_(size_, global_batch_, options_.seed, options_.shuffled),
        next_started_(options_.start_step) {
    const std::size_t bytes = static_cast<std::size_t>(rows_) * row_values() * sizeof(float);
    ahead_ = std::clamp<std::size_t>(kLargestAhead / std::max<std::size_t>(bytes, 1), 2, kBatchesAhead);
    const int threads = options_.threads > 0 ? options_.threads : default_loader_threads();
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }

  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  ~Pipeline() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    room_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  bool ready(std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    return finished_.wait_for(lock, timeout, [this] { return front_finished(); });
  }

  Result<std::optional<Batch>> next() {
    const double began = steady_seconds();
    std::unique_ptr<Slot> slot;
    {
      std::unique_lock lock(mutex_);
      finished_.wait(lock, [this] { return front_finished(); });
      slot = std::move(slots_.front());
      slots_.pop_front();
    }
    room_.notify_all();
    const double waited = steady_seconds() - began;
    Batch batch = collate(*slot);
    batch.times.wait = waited;
    DISCO_CHECK(judge());
    return std::optional(std::move(batch));
  }

  [[nodiscard]] double epoch_of(std::int64_t step) const {
    return size_ ? static_cast<double>(step) * static_cast<double>(global_batch_) / static_cast<double>(*size_) : 0.0;
  }

  [[nodiscard]] std::int64_t global_batch() const { return global_batch_; }

 private:
  [[nodiscard]] std::size_t row_values() const {
    return std::size_t{3} * static_cast<std::size_t>(options_.preprocess.size) *
           static_cast<std::size_t>(options_.preprocess.size);
  }

  [[nodiscard]] bool front_finished() const { return !slots_.empty() && slots_.front()->finished == rows_; }

  /// The slot to work at, a new one if there is room. The caller holds the lock.
  Slot* open_slot() {
    for (const auto& slot : slots_) {
      if (slot->claimed < rows_) return slot.get();
    }
    if (slots_.size() >= ahead_) return nullptr;
    auto slot = std::make_unique<Slot>();
    slot->step = next_started_++;
    slot->rows.resize(static_cast<std::size_t>(rows_));
    slot->pixels.resize(static_cast<std::size_t>(rows_) * row_values());
    slots_.push_back(std::move(slot));
    if (rows_ == 0) finished_.notify_all();
    return rows_ == 0 ? nullptr : slots_.back().get();
  }

  void work() {
    if (omp_set_num_threads != nullptr) omp_set_num_threads(1);
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      Slot* slot = open_slot();
      if (slot == nullptr) {
        room_.wait(lock);
        continue;
      }
      const std::int64_t first = slot->claimed;
      const std::int64_t last = std::min(first + kRowsAtOnce, rows_);
      slot->claimed = last;
      lock.unlock();
      for (std::int64_t row = first; row < last; ++row) prepare(*slot, row);
      lock.lock();
      slot->finished += last - first;
      if (slot->finished == rows_) finished_.notify_all();
    }
  }

  void prepare(Slot& slot, std::int64_t row) const {
    const auto at = static_cast<std::size_t>(row);
    const Sampler::Place place = sampler_.at(slot.step * global_batch_ + first_row_ + row);
    slot.rows[at] = prepare_row(*source_, place, options_, slot.pixels.data() + at * row_values());
  }

  Batch collate(Slot& slot) {
    Batch batch;
    batch.step = slot.step;
    batch.position = slot.step + 1;
    batch.epoch = epoch_of(slot.step);
    std::vector<const std::vector<std::int32_t>*> texts, extra;
    const std::size_t values = row_values();
    for (std::size_t i = 0; i < slot.rows.size(); ++i) {
      PreparedRow& row = slot.rows[i];
      add(batch.times, row.times);
      note(row, batch);
      if (!row.error.empty()) continue;
      const auto at = static_cast<std::size_t>(batch.count++);
      if (at != i)
        std::copy_n(slot.pixels.begin() + static_cast<std::ptrdiff_t>(i * values), values,
                    slot.pixels.begin() + static_cast<std::ptrdiff_t>(at * values));
      texts.push_back(&row.tokens);
      for (const auto& negative : row.negatives) {
        extra.push_back(&negative);
        batch.extra_owner.push_back(static_cast<std::int64_t>(at));
      }
      batch.caption_hash.push_back(row.caption_hash);
      batch.picture_hash.push_back(row.picture_hash);
      batch.ids.push_back(std::move(row.id));
    }
    const int pad = options_.tokenizer->pad_id();
    batch.length = longest(texts);
    batch.tokens = padded(texts, batch.length, pad);
    batch.extra_count = static_cast<int>(extra.size());
    batch.extra_length = longest(extra);
    batch.extra_tokens = padded(extra, batch.extra_length, pad);
    slot.pixels.resize(static_cast<std::size_t>(batch.count) * values);
    batch.pixels = std::move(slot.pixels);
    return batch;
  }

  /// Counts a row, and reports it when something is wrong with it that was not reported before.
  void note(const PreparedRow& row, Batch& batch) {
    ++seen_;
    const bool bad = !row.error.empty();
    bad_ += bad ? 1 : 0;
    if ((!bad && row.warning.empty()) || !reported_.insert(row.id).second) return;
    batch.bad.push_back({row.id, row.origin, bad ? row.error : row.warning, !bad});
    if (bad && reasons_.size() < kReasonsTold) reasons_.push_back(batch.bad.back().message());
  }

  /// Whether so many samples are bad that going on makes no sense.
  [[nodiscard]] Result<void> judge() const {
    const std::int64_t all = size_ ? std::min(*size_, kJudgedAfter) : kJudgedAfter;
    const bool none_left = bad_ > 0 && bad_ == seen_;
    const bool too_many = seen_ >= std::max<std::int64_t>(1, all / options_.world) &&
                          static_cast<double>(bad_) > options_.largest_bad_share * static_cast<double>(seen_);
    if (!none_left && !too_many) return {};
    std::string reasons;
    for (const std::string& reason : reasons_) reasons += (reasons.empty() ? "" : "; ") + reason;
    return failure(std::to_string(bad_) + " of " + std::to_string(seen_) + " samples cannot be used: " + reasons,
                   source_->report().what, "Mend or remove them, or raise data.largest_bad_share");
  }

  const std::shared_ptr<const Source> source_;
  const LoaderOptions options_;
  const std::optional<std::int64_t> size_;
  const std::int64_t global_batch_;
  const std::int64_t first_row_;
  const std::int64_t rows_;
  const Sampler sampler_;
  std::size_t ahead_ = kBatchesAhead;

  std::mutex mutex_;
  std::condition_variable room_;      ///< a slot was taken, or the end is near
  std::condition_variable finished_;  ///< a slot is complete
  std::deque<std::unique_ptr<Slot>> slots_;
  std::int64_t next_started_;
  bool stopping_ = false;

  // Of the thread that calls next().
  std::int64_t seen_ = 0, bad_ = 0;
  std::set<std::string> reported_;
  std::vector<std::string> reasons_;

  std::vector<std::thread> threads_;
};

std::string slowest_stage(const LoaderTimes& times) {
  const std::array<std::pair<double, std::string_view>, 4> stages = {{{times.read, "reading or composing pictures"},
                                                                      {times.decode, "decoding pictures"},
                                                                      {times.resize, "resizing pictures"},
                                                                      {times.text, "splitting captions into tokens"}}};
  return std::string(std::ranges::max_element(stages, {}, [](const auto& stage) { return stage.first; })->second);
}

int default_loader_threads() {
  // One thread keeps up with a small model; large machines have work for more.
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()) / 4, 1, 8);
}

Result<Loader> Loader::create(std::shared_ptr<const Source> source, LoaderOptions options) {
  if (source->size().value_or(1) < 1) return failure("there is nothing to load", source->report().what);
  if (options.batch_size < 1 || options.world < 1 || options.rank < 0 || options.rank >= options.world) {
    return failure("batch size and ranks do not fit together", "batch.size");
  }
  // OpenCV's own threads would only compete with ours.
  cv::setNumThreads(1);
  return Loader(std::make_unique<Pipeline>(std::move(source), std::move(options)));
}

Loader::Loader(std::unique_ptr<Pipeline> pipeline) : pipeline_(std::move(pipeline)) {}
Loader::Loader(Loader&&) noexcept = default;
Loader& Loader::operator=(Loader&&) noexcept = default;
Loader::~Loader() = default;

Result<std::optional<Batch>> Loader::next() { return pipeline_->next(); }
bool Loader::ready(std::chrono::milliseconds timeout) { return pipeline_->ready(timeout); }
double Loader::epoch_of(std::int64_t step) const { return pipeline_->epoch_of(step); }
std::int64_t Loader::global_batch() const { return pipeline_->global_batch(); }

}  // namespace disco::data
