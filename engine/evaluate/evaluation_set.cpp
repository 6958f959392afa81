// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluate/evaluation_set.h"

#include <algorithm>

#include "engine/data/decode/decode.h"
#include "models/image/preprocess.h"

namespace disco {
namespace {

constexpr std::int64_t most_kept_bytes = std::int64_t{192} << 20;

Result<models::Image> picture_of(const data::Sample& sample) {
  if (const auto* image = std::get_if<models::Image>(&sample.picture)) return *image;
  DISCO_TRY(data::Decoded decoded, data::decode(std::get<data::Bytes>(sample.picture)));
  return std::move(decoded.image);
}

}  // namespace

Result<PreparedSample> prepare_sample(const data::Sample& sample, const models::InputContract& contract,
                                      int most_captions) {
  auto picture = picture_of(sample);
  if (!picture) return failure(picture.error().what, sample.origin, picture.error().hint);
  SampleTexts texts;
  const auto ids = [&](const std::string& text) { return contract.tokenizer->encode(text, contract.context_length); };
  for (const auto& caption : sample.captions) {
    if (static_cast<int>(texts.captions.size()) == (sample.matching ? 1 : most_captions)) break;
    texts.captions.push_back(ids(caption));
  }
  if (sample.matching) {
    for (const auto& candidate : sample.matching->candidates) texts.candidates.push_back(ids(candidate));
    texts.differs = sample.matching->differs;
    texts.correct = sample.matching->correct;
  }
  return PreparedSample{models::resize_and_crop(*picture, contract.image),
                        std::make_shared<const SampleTexts>(std::move(texts))};
}

EvaluationSet::EvaluationSet(std::shared_ptr<const data::Source> source, models::InputContract contract,
                             std::int64_t count, int most_captions)
    : source_(std::move(source)), contract_(std::move(contract)), count_(count), most_captions_(most_captions) {
  if (const auto size = source_->size()) count_ = std::min(count_, *size);
  keep_ = count_ * contract_.image.size * contract_.image.size * 3 <= most_kept_bytes;
  if (keep_) kept_.resize(static_cast<std::size_t>(count_));
}

std::shared_ptr<const PreparedSample> EvaluationSet::sample(std::int64_t i) const {
  if (keep_ && kept_[static_cast<std::size_t>(i)]) return kept_[static_cast<std::size_t>(i)];
  const std::int64_t index = source_->size() ? i * *source_->size() / std::max<std::int64_t>(1, count_) : i;
  const auto read = source_->read(index);
  if (!read) return nullptr;
  auto prepared = prepare_sample(*read, contract_, most_captions_);
  if (!prepared) return nullptr;
  if (hidden_) std::fill(prepared->view.rgb.begin(), prepared->view.rgb.end(), std::uint8_t{128});
  auto shared = std::make_shared<const PreparedSample>(std::move(*prepared));
  if (keep_) kept_[static_cast<std::size_t>(i)] = shared;
  return shared;
}

}  // namespace disco
