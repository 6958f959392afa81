// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/predictions.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/base/hash.h"
#include "engine/base/random.h"
#include "engine/data/decode/decode.h"
#include "engine/evaluate/features.h"
#include "engine/evaluate/matching.h"
#include "engine/evaluate/write_png.h"
#include "models/image/preprocess.h"

namespace disco {
namespace {

constexpr int smallest_shown_side = 384;
constexpr int largest_shown_side = 1024;
constexpr std::size_t borrowed_candidates = 4;

/// Small enough to be kept, large enough to be looked at.
models::Image shown_size(const models::Image& image) {
  const int shorter = std::min(image.width, image.height), longer = std::max(image.width, image.height);
  double factor = 1;
  if (longer > largest_shown_side) factor = static_cast<double>(largest_shown_side) / longer;
  factor = std::max(factor, static_cast<double>(smallest_shown_side) / shorter);
  if (shorter >= smallest_shown_side && factor >= 1) return image;
  const auto scaled = [&](int side) { return static_cast<int>(std::ceil(side * factor - 1e-9)); };
  return models::resize(image, scaled(image.width), scaled(image.height), models::Interpolation::bicubic);
}

Result<models::Image> picture_of(const data::Sample& sample) {
  if (const auto* image = std::get_if<models::Image>(&sample.picture)) return *image;
  DISCO_TRY(data::Decoded decoded, data::decode(std::get<data::Bytes>(sample.picture)));
  return std::move(decoded.image);
}

/// Gives item i the captions of others as wrong candidates: always the same ones, none that reads like its own.
void borrow_candidates(std::vector<PredictionItem>& items, const std::vector<std::string>& captions, std::size_t i,
                       std::uint64_t seed) {
  std::vector<std::string> others;
  for (const auto& caption : captions)
    if (caption != captions[i] && std::find(others.begin(), others.end(), caption) == others.end())
      others.push_back(caption);
  Draw draw(seed, 0, i, "watched candidates");
  draw.shuffle(others);
  others.resize(std::min(others.size(), borrowed_candidates));
  PredictionItem& item = items[i];
  item.correct = static_cast<int>(draw.below(others.size() + 1));
  item.candidates = others;
  item.candidates.insert(item.candidates.begin() + item.correct, captions[i]);
  item.differs.assign(item.candidates.size(), "picture");
  item.differs[static_cast<std::size_t>(item.correct)].clear();
}

/// Cosines of all views with all texts.
torch::Tensor encode_all(models::Model& model, const std::vector<models::Image>& views,
                         const std::vector<std::vector<std::int32_t>>& texts, Precision precision, int batch) {
  std::vector<torch::Tensor> images;
  torch::Tensor text_features;
  {
    const InferenceScope scope(model, precision);
    std::vector<const std::vector<std::int32_t>*> rows;
    for (const auto& text : texts) rows.push_back(&text);
    text_features = encode_texts_in_batches(model, rows, batch, [](std::int64_t) { return true; });
    for (std::size_t begin = 0; begin < views.size(); begin += static_cast<std::size_t>(batch)) {
      std::vector<const models::Image*> part;
      for (std::size_t i = begin; i < std::min(views.size(), begin + static_cast<std::size_t>(batch)); ++i)
        part.push_back(&views[i]);
      images.push_back(model.encode_images(image_tensor(part, model.input())));
    }
  }
  return torch::cat(images).mm(text_features.t());
}

}  // namespace

Result<WatchedPictures> WatchedPictures::open(const data::Source& source, int count,
                                              const models::InputContract& contract, const RunFolder& run,
                                              std::uint64_t seed) {
  WatchedPictures watched;
  std::vector<std::string> captions;
  const std::int64_t size = source.size().value_or(count);
  const std::int64_t wanted = std::min<std::int64_t>(count, size);
  for (std::int64_t i = 0; i < wanted; ++i) {
    const std::int64_t index = i * size / wanted;
    const auto sample = source.read(index);
    if (!sample || sample->captions.empty()) continue;
    const auto picture = picture_of(*sample);
    const auto shown = source.display_picture(index, smallest_shown_side);
    if (!picture || !shown) continue;
    PredictionItem item;
    item.id = hash128_hex(std::as_bytes(std::span(picture->rgb)));
    item.image = "samples/" + item.id + ".png";
    item.view = "samples/" + item.id + "-view.png";
    watched.views_.push_back(models::resize_and_crop(*picture, contract.image));
    DISCO_CHECK(write_png(run.root() / item.image, shown_size(*shown)));
    DISCO_CHECK(write_png(run.root() / item.view, watched.views_.back()));
    if (sample->matching) {
      item.candidates = sample->matching->candidates;
      item.differs = sample->matching->differs;
      item.correct = sample->matching->correct;
    }
    captions.push_back(sample->captions.front());
    watched.items_.push_back(std::move(item));
  }
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < watched.items_.size(); ++i) {
    PredictionItem& item = watched.items_[i];
    if (item.candidates.empty()) borrow_candidates(watched.items_, captions, i, seed);
    auto& rows = watched.candidate_texts_.emplace_back();
    for (const auto& text : item.candidates) {
      const auto [place, fresh] = places.try_emplace(text, watched.texts_.size());
      if (fresh) watched.texts_.push_back(contract.tokenizer->encode(text, contract.context_length));
      rows.push_back(place->second);
    }
  }
  return watched;
}

std::vector<PredictionItem> WatchedPictures::predict(models::Model& model, Precision precision, int batch) const {
  const at::NoGradGuard no_gradient;
  const torch::Tensor logits = encode_all(model, views_, texts_, precision, batch).mul(model.log_scale().exp());
  std::vector<PredictionItem> items = items_;
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::vector<float> row;
    for (const std::size_t text : candidate_texts_[i])
      row.push_back(logits[static_cast<std::int64_t>(i)][static_cast<std::int64_t>(text)].item<float>());
    items[i].probabilities = softmax(row);
  }
  return items;
}

}  // namespace disco
