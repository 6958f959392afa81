// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/inspect/ranker.h"

#include <torch/torch.h>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/base/json.h"
#include "engine/evaluate/features.h"
#include "engine/evaluate/matching.h"
#include "engine/evaluate/write_png.h"
#include "engine/inspect/preview.h"
#include "models/image/preprocess.h"
#include "models/registry.h"

namespace disco {
namespace fs = std::filesystem;
namespace {

/// The words of a caption behind what fits into the context.
std::string unseen_part(const models::InputContract& contract, const std::string& caption) {
  constexpr int everything = 1 << 20;
  const auto all = contract.tokenizer->encode(caption, everything);
  const auto seen = static_cast<std::size_t>(contract.context_length) - 1;  // the last one is the end token
  std::string text;
  for (std::size_t i = seen; all.size() > seen + 1 && i + 1 < all.size(); ++i)
    text += contract.tokenizer->token_text(all[i]);
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

/// "clip", as the model's own config.json says.
std::string family_of(const fs::path& folder) {
  const auto text = read_file(folder / "config.json", 16U << 20);
  const auto json = text ? parse_json(*text, "config.json") : Result<Json>(Json::object());
  return json && json->is_object() ? json->value("model_type", "") : "";
}

}  // namespace

Result<fs::path> model_folder(const fs::path& folder) {
  std::error_code code;
  if (!fs::is_directory(folder, code))
    return failure("is not a folder", folder.string(), "Give a folder that holds a model, or a run.");
  if (!fs::exists(folder / "run.json", code)) return folder;
  const fs::path latest = folder / "checkpoints" / "latest";
  if (!fs::exists(latest, code))
    return failure("the run has no checkpoint yet", folder.string(), "Wait for its first one, or save one now.");
  return fs::canonical(latest);
}

Result<Ranker> Ranker::load(const fs::path& folder) {
  const double began = steady_seconds();
  DISCO_TRY(const fs::path place, model_folder(folder));
  Ranker ranker;
  DISCO_TRY(ranker.model_, models::load_model(place));
  ranker.model_->eval();
  ranker.about_.model = place.string();
  ranker.about_.family = family_of(place);
  for (const auto& parameter : ranker.model_->parameters()) ranker.about_.parameters += parameter.numel();
  ranker.about_.image_size = ranker.model_->input().image.size;
  ranker.about_.context_length = ranker.model_->input().context_length;
  ranker.about_.seconds = steady_seconds() - began;
  return ranker;
}

Result<RankAnswer> Ranker::rank(const fs::path& picture, const std::vector<std::string>& captions,
                                const fs::path& view_path) {
  const double began = steady_seconds();
  if (captions.empty()) return failure("there is no caption to rank", "captions", "Give at least one.");
  DISCO_TRY(const models::Image image, load_picture(picture));
  const models::InputContract& contract = model_->input();
  const models::Image view = models::resize_and_crop(image, contract.image);
  if (!view_path.empty()) DISCO_CHECK(write_png(view_path, view));
  RankAnswer answer;
  answer.view = view_path.string();
  std::vector<std::vector<std::int32_t>> texts;
  for (const auto& caption : captions) {
    texts.push_back(contract.tokenizer->encode(caption, contract.context_length));
    answer.tokens.push_back(static_cast<int>(texts.back().size()));
    answer.cut.push_back(unseen_part(contract, caption));
  }
  std::vector<const std::vector<std::int32_t>*> rows;
  for (const auto& text : texts) rows.push_back(&text);
  const InferenceScope scope(*model_, Precision::fp32);
  const auto text_features = encode_texts_in_batches(*model_, rows, 64, [](std::int64_t) { return true; });
  const auto similarities = text_features.mv(model_->encode_images(image_tensor({&view}, contract))[0]).contiguous();
  const auto logits = similarities.mul(model_->log_scale().exp()).contiguous();
  answer.probabilities = softmax({logits.data_ptr<float>(), captions.size()});
  for (std::size_t i = 0; i < captions.size(); ++i)
    answer.similarities.push_back(static_cast<double>(similarities.data_ptr<float>()[i]));
  answer.seconds = steady_seconds() - began;
  return answer;
}

}  // namespace disco
