// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/evaluator.h"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "engine/base/clock.h"
#include "engine/base/hash.h"
#include "engine/base/json.h"
#include "engine/evaluate/features.h"
#include "engine/evaluate/matching.h"
#include "engine/evaluate/retrieval.h"

namespace disco {
namespace {

using Ids = std::vector<std::int32_t>;

std::int64_t text_key(const Ids& ids) { return static_cast<std::int64_t>(hash64(std::as_bytes(std::span(ids)))); }

/// Texts of a rank, each different one once.
struct Texts {
  std::vector<const Ids*> texts;
  std::vector<std::int64_t> keys;
  std::unordered_map<std::int64_t, std::int64_t> places;

  std::int64_t add(const Ids& ids) {
    const auto [place, fresh] = places.try_emplace(text_key(ids), static_cast<std::int64_t>(texts.size()));
    if (fresh) {
      texts.push_back(&ids);
      keys.push_back(place->first);
    }
    return place->second;
  }
};

/// What a rank knows of its share of the samples.
struct Share {
  std::vector<std::shared_ptr<const SampleTexts>> samples;
  std::int64_t unreadable = 0;
  torch::Tensor images;  // [n, D]
  Texts unique;
  torch::Tensor texts;  // [unique, D]
};

/// Reads samples begin … end - 1 and encodes their pictures.
void encode_pictures(models::Model& model, const EvaluationSet& set, std::int64_t begin, std::int64_t end, Share& share,
                     std::vector<torch::Tensor>& images) {
  std::vector<std::shared_ptr<const PreparedSample>> all(static_cast<std::size_t>(end - begin));
  at::parallel_for(begin, end, 1, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i < to; ++i) all[static_cast<std::size_t>(i - begin)] = set.sample(i);
  });
  std::vector<const models::Image*> views;
  for (const auto& sample : all) {
    if (!sample) {
      ++share.unreadable;
      continue;
    }
    views.push_back(&sample->view);
    share.samples.push_back(sample->texts);
  }
  if (!views.empty()) images.push_back(model.encode_images(image_tensor(views, model.input())));
}

/// Encodes a share in parts of `options.batch` samples; false when go_on said no. Pictures count as one half of the
/// work, texts as the other.
bool encode_share(models::Model& model, const EvaluationSet& set, const EvaluationOptions& options, std::int64_t begin,
                  std::int64_t end, Share& share) {
  const std::int64_t total = end - begin;
  const auto go_on = [&](std::int64_t done) { return !options.go_on || options.go_on(done, total); };
  // Only the networks compute in the run's precision: scores are compared in fp32.
  const InferenceScope scope(model, options.precision);
  std::vector<torch::Tensor> images;
  for (std::int64_t at = begin; at < end; at += options.batch) {
    if (!go_on((at - begin) / 2)) return false;
    encode_pictures(model, set, at, std::min<std::int64_t>(end, at + options.batch), share, images);
  }
  if (images.empty()) return true;
  share.images = torch::cat(images);
  for (const auto& sample : share.samples) {
    for (const auto& caption : sample->captions) share.unique.add(caption);
    for (const auto& candidate : sample->candidates) share.unique.add(candidate);
  }
  const auto texts = std::max<std::int64_t>(1, static_cast<std::int64_t>(share.unique.texts.size()));
  share.texts = encode_texts_in_batches(model, share.unique.texts, options.batch, [&](std::int64_t done) {
    return go_on(total / 2 + done * (total - total / 2) / texts);
  });
  return share.texts.defined();
}

void count_matches(Share& share, MatchingCounter& counter) {
  for (std::size_t i = 0; i < share.samples.size(); ++i) {
    const SampleTexts& sample = *share.samples[i];
    if (sample.candidates.size() < 2) continue;
    std::vector<std::int64_t> rows;
    for (const auto& candidate : sample.candidates) rows.push_back(share.unique.add(candidate));
    const auto scores = share.texts.index_select(0, torch::tensor(rows, at::kLong))
                            .mv(share.images[static_cast<std::int64_t>(i)])
                            .to(at::kFloat)
                            .contiguous();
    counter.add({scores.data_ptr<float>(), rows.size()}, sample.differs, sample.correct);
  }
}

/// Counts of all ranks together. Collective.
void merge_counts(MatchingCounter& counter, Communicator& communicator) {
  const std::string mine = write_json(counter.counts()).dump();
  for (int rank = 0; rank < communicator.size(); ++rank) {
    const std::string theirs = communicator.broadcast_bytes(mine, rank);
    if (rank == communicator.rank()) continue;
    MatchingCounter::Counts counts;
    Problems problems;
    if (const auto json = parse_json(theirs, "rank " + std::to_string(rank))) read_json(*json, counts, "", problems);
    counter.merge(counts);
  }
}

/// Pictures, different captions and who belongs to whom, of all ranks.
struct Gathered {
  torch::Tensor images;                                // [N, D]
  torch::Tensor captions;                              // [M, D]
  std::vector<std::vector<std::int64_t>> captions_of;  // by picture
  std::vector<std::vector<std::int64_t>> pictures_of;  // by caption
};

/// Whether all ranks want to go on. Collective.
bool all_go_on(bool mine, Communicator& communicator) {
  auto no = torch::tensor(mine ? 0.0 : 1.0, at::kDouble);
  communicator.all_reduce(no, Reduce::max);
  return no.item<double>() == 0;
}

/// Gives a rank without samples features of no rows, as wide as those of the others; false when no rank has any.
bool complete_share(Share& share, Communicator& communicator) {
  auto width = torch::tensor(share.images.defined() ? static_cast<double>(share.images.size(1)) : 0.0, at::kDouble);
  communicator.all_reduce(width, Reduce::max);
  const auto columns = static_cast<std::int64_t>(width.item<double>());
  if (!share.images.defined()) share.images = share.texts = torch::empty({0, columns});
  return columns > 0;
}

/// Collective.
Gathered gather(const Share& share, Communicator& communicator) {
  const auto counts = communicator.gather_counts(static_cast<std::int64_t>(share.samples.size()));
  std::int64_t first = 0;
  for (int rank = 0; rank < communicator.rank(); ++rank) first += counts[static_cast<std::size_t>(rank)];
  std::vector<std::int64_t> pairs;  // picture, key of a caption of it
  for (std::size_t i = 0; i < share.samples.size(); ++i)
    for (const auto& caption : share.samples[i]->captions) {
      pairs.push_back(first + static_cast<std::int64_t>(i));
      pairs.push_back(text_key(caption));
    }
  const auto rows = [&](const torch::Tensor& tensor) {
    return communicator.all_gather_rows(tensor, communicator.gather_counts(tensor.size(0)));
  };
  const auto all_pairs = rows(torch::tensor(pairs, at::kLong).view({-1, 2}));
  const auto all_keys = rows(torch::tensor(share.unique.keys, at::kLong));
  const auto all_texts = rows(share.texts);

  Gathered gathered;
  gathered.images = rows(share.images);
  gathered.captions_of.resize(static_cast<std::size_t>(gathered.images.size(0)));
  std::unordered_map<std::int64_t, std::int64_t> row_of_key, caption_of_key;
  for (std::int64_t i = 0; i < all_keys.size(0); ++i) row_of_key.try_emplace(all_keys.data_ptr<std::int64_t>()[i], i);
  std::vector<std::int64_t> caption_rows;
  for (std::int64_t i = 0; i < all_pairs.size(0); ++i) {
    const std::int64_t picture = all_pairs.data_ptr<std::int64_t>()[2 * i];
    const std::int64_t key = all_pairs.data_ptr<std::int64_t>()[2 * i + 1];
    const auto [place, fresh] = caption_of_key.try_emplace(key, static_cast<std::int64_t>(caption_rows.size()));
    if (fresh) {
      caption_rows.push_back(row_of_key.at(key));
      gathered.pictures_of.emplace_back();
    }
    auto& pictures = gathered.pictures_of[static_cast<std::size_t>(place->second)];
    if (!pictures.empty() && pictures.back() == picture) continue;  // the same words twice in one sample
    pictures.push_back(picture);
    gathered.captions_of[static_cast<std::size_t>(picture)].push_back(place->second);
  }
  gathered.captions = all_texts.index_select(0, torch::tensor(caption_rows, at::kLong));
  return gathered;
}

/// Recall of one direction; scores are computed for a block of questions at a time.
void count_recall(const torch::Tensor& questions, const torch::Tensor& answers,
                  const std::vector<std::vector<std::int64_t>>& right, const std::string& name,
                  std::map<std::string, double>& metrics) {
  constexpr std::int64_t block = 256;
  RecallCounter counter(answers.size(0));
  for (std::int64_t begin = 0; begin < questions.size(0); begin += block) {
    const auto rows = questions.slice(0, begin, std::min(begin + block, questions.size(0)));
    const auto scores = rows.mm(answers.t()).contiguous();
    for (std::int64_t i = 0; i < rows.size(0); ++i) {
      const std::span<const float> row(scores.data_ptr<float>() + i * answers.size(0),
                                       static_cast<std::size_t>(answers.size(0)));
      counter.add(rank_of_right(row, right[static_cast<std::size_t>(begin + i)]));
    }
  }
  counter.report(name, metrics);
}

}  // namespace

Result<std::optional<EvaluationResult>> evaluate(models::Model& model, const EvaluationSet& set,
                                                 const EvaluationOptions& options, Communicator& communicator) {
  const double began = steady_seconds();
  const at::NoGradGuard no_gradient;
  const std::int64_t ranks = communicator.size(), rank = communicator.rank();
  Share share;
  const bool complete =
      encode_share(model, set, options, rank * set.size() / ranks, (rank + 1) * set.size() / ranks, share);
  if (!all_go_on(complete, communicator)) return std::optional<EvaluationResult>{};
  if (!complete_share(share, communicator))
    return failure("none of the pictures to judge by can be read", "evaluation",
                   "Look at the warnings for the first reasons.");
  EvaluationResult result;
  const Gathered gathered = gather(share, communicator);
  count_recall(gathered.images, gathered.captions, gathered.captions_of, options.retrieval_prefix + "image_to_text",
               result.metrics);
  count_recall(gathered.captions, gathered.images, gathered.pictures_of, options.retrieval_prefix + "text_to_image",
               result.metrics);
  MatchingCounter counter;
  count_matches(share, counter);
  merge_counts(counter, communicator);
  counter.report(result.metrics);
  result.samples = gathered.images.size(0);
  result.unreadable = set.size() - result.samples;
  result.seconds = steady_seconds() - began;
  return std::optional(std::move(result));
}

}  // namespace disco
