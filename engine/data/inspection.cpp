// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/inspection.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "engine/data/decode/decode.h"
#include "engine/data/prepare_row.h"
#include "engine/data/sources/skip_counter.h"

namespace disco::data {
namespace {

constexpr std::int64_t kOfEndless = 1000;
constexpr std::size_t kCaptionsShown = 8;
constexpr int kProgressEvery = 16;

/// What one picture tells.
struct Look {
  std::string id;
  std::string format = "composed";
  std::string error, warning;
  int width = 0, height = 0;
  std::vector<std::string> captions;
};

Look look_at(const Source& source, std::int64_t index, bool decode_all) {
  Look look;
  const auto sample = source.read(index);
  if (!sample) {
    look.id = sample.error().where;
    look.error = sample.error().what;
    return look;
  }
  look.id = sample->id;
  look.captions = sample->captions;
  const auto* image = std::get_if<models::Image>(&sample->picture);
  if (image == nullptr) {
    const Bytes& bytes = std::get<Bytes>(sample->picture);
    look.format = picture_type_name(picture_type(bytes));
    const auto decoded = decode(bytes, {.header_only = !decode_all});
    if (!decoded) {
      look.error = decoded.error().what;
      return look;
    }
    look.warning = decoded->warning;
    look.width = decoded->image.width;
    look.height = decoded->image.height;
    return look;
  }
  look.width = image->width;
  look.height = image->height;
  return look;
}

Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  return {values.front(), values[values.size() / 2], values.back()};
}

double characters(std::string_view text) {
  return static_cast<double>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Gathers looks in the order of the source.
class Gatherer {
 public:
  explicit Gatherer(DataReport& report) : report_(report) {}

  void add(const Look& look) {
    ++report_.looked_at;
    for (const std::string& caption : look.captions) {
      lengths_.push_back(characters(caption));
      distinct_.insert(caption);
      if (report_.captions.size() < kCaptionsShown) report_.captions.push_back(caption);
    }
    if (!look.error.empty()) {
      unreadable_.add(look.error, look.id);
      return;
    }
    if (!look.warning.empty()) reservations_.add(look.warning, look.id);
    ++formats_[look.format];
    widths_.push_back(look.width);
    heights_.push_back(look.height);
  }

  void finish() {
    for (const auto& [format, count] : formats_) report_.formats.push_back({format, count});
    std::ranges::stable_sort(report_.formats, std::ranges::greater{}, &FormatCount::count);
    report_.width = spread_of(std::move(widths_));
    report_.height = spread_of(std::move(heights_));
    report_.caption_characters = spread_of(std::move(lengths_));
    report_.distinct_captions = std::ssize(distinct_);
    report_.unreadable = unreadable_.by_count();
    report_.reservations = reservations_.by_count();
  }

 private:
  DataReport& report_;
  std::map<std::string, std::int64_t> formats_;
  std::vector<double> widths_, heights_, lengths_;
  std::set<std::string> distinct_;
  SkipCounter unreadable_, reservations_;
};

}  // namespace

DataReport inspect(const Source& source, const InspectOptions& options) {
  DataReport report;
  report.source = source.report();
  const std::int64_t total = source.size().value_or(kOfEndless);
  std::vector<Look> looks(static_cast<std::size_t>(total));
  std::atomic<std::int64_t> next = 0, done = 0;
  std::atomic<bool> go_on = true;
  std::mutex progress;
  const auto work = [&] {
    while (go_on) {
      const std::int64_t index = next++;
      if (index >= total) return;
      Look& look = looks[static_cast<std::size_t>(index)];
      // The one place where a library's exception (no memory for a huge picture) becomes an unreadable picture.
      try {
        look = look_at(source, index, options.decode);
      } catch (const std::exception& problem) {
        look.id = std::to_string(index);
        look.error = std::string("it cannot be decoded: ") + problem.what();
      }
      if (++done % kProgressEvery != 0 || !options.progress) continue;
      const std::lock_guard lock(progress);
      if (!options.progress(done, total)) go_on = false;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
  }
  Gatherer gatherer(report);
  for (const Look& look : looks) {
    if (!look.id.empty()) gatherer.add(look);
  }
  gatherer.finish();
  return report;
}

std::vector<PreviewedSample> preview(const Source& source, const LoaderOptions& options, int count) {
  const auto size = source.size();
  const std::int64_t batch = size ? std::min<std::int64_t>(options.batch_size, *size) : options.batch_size;
  const Sampler sampler(size, batch, options.seed, options.shuffled);
  const std::int64_t wanted = size ? std::min<std::int64_t>(count, *size) : count;
  std::vector<PreviewedSample> all;
  for (std::int64_t position = 0; position < wanted; ++position) {
    const Sampler::Place place = sampler.at(position);
    PreviewedSample& shown = all.emplace_back();
    const auto sample = source.read(place.index);
    if (!sample) {
      shown.origin = sample.error().where;
      shown.error = sample.error().what;
      continue;
    }
    shown.id = sample->id;
    shown.origin = sample->origin;
    LoaderTimes times;
    std::string warning;
    auto view = model_view(*sample, place, options, times, warning);
    if (!view) {
      shown.error = view.error().what;
      continue;
    }
    shown.view = std::move(*view);
    const ChosenText text = choose_text(*sample, place, options);
    shown.caption = text.caption;
    shown.negatives.assign(text.negatives.begin(), text.negatives.end());
    shown.tokens = options.tokenizer->encode(text.caption, options.context_length);
    shown.cut =
        std::ssize(options.tokenizer->encode(text.caption, options.context_length + 1)) > options.context_length;
    for (const std::int32_t token : shown.tokens) shown.token_texts.push_back(options.tokenizer->token_text(token));
  }
  return all;
}

}  // namespace disco::data
