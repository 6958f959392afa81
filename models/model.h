// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/torch.h>

#include <filesystem>
#include <memory>
#include <string>

#include "engine/base/error.h"
#include "models/image/preprocess.h"
#include "models/text/tokenizer.h"

namespace disco::models {

/// What a batch brings to a two-tower model.
struct ModelInputs {
  torch::Tensor images;        ///< [N, 3, S, S] float, normalised
  torch::Tensor tokens;        ///< [N, L] int64, row i is the caption of picture i, padded behind the end token
  torch::Tensor extra_tokens;  ///< [M, L'] int64, extra negative captions; undefined when there are none
};

/// Unit rows in fp32 (in fp64 when the model is).
struct Features {
  torch::Tensor image;  ///< [N, D]
  torch::Tensor text;   ///< [N, D]
  torch::Tensor extra;  ///< [M, D], undefined when there were no extra captions
};

/// What a model expects at its doors.
struct InputContract {
  ImagePreprocess image;
  int context_length = 77;  ///< longest text, tokens
  std::shared_ptr<const Tokenizer> tokenizer;
};

/// A network that maps pictures and texts into one space. Built by the registry; used from one thread at a time.
class Model : public torch::nn::Module {
 public:
  using torch::nn::Module::Module;

  /// Features of a batch, in one call so that a family may let its towers share work.
  virtual Features encode(const ModelInputs& inputs) = 0;
  /// [N, 3, S, S] to unit rows [N, D].
  virtual torch::Tensor encode_images(const torch::Tensor& images) = 0;
  /// [N, L] ids to unit rows [N, D]; columns behind the longest text change nothing.
  virtual torch::Tensor encode_texts(const torch::Tensor& tokens) = 0;

  /// The parameter ln s; logits are s * image . text.
  virtual torch::Tensor& log_scale() = 0;
  /// Called after each applied step: ln s <= ln 100.
  virtual void clamp_parameters();

  /// "image", "text" or "shared": the group that a parameter belongs to.
  [[nodiscard]] virtual std::string tower(const std::string& parameter) const = 0;
  /// Whether weight decay applies to a parameter: not to vectors and scalars, nor to class and position embeddings.
  [[nodiscard]] virtual bool decays(const std::string& parameter, const torch::Tensor& tensor) const = 0;

  [[nodiscard]] virtual const InputContract& input() const = 0;

  /// Writes model.safetensors, config.json, preprocessor_config.json and the tokenizer's files, a folder that
  /// transformers opens as it is. Each file is fsynced; making the folder appear at once is up to the caller.
  [[nodiscard]] virtual Result<void> save(const std::filesystem::path& folder) = 0;
};

}  // namespace disco::models
