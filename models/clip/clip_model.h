// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/checkpoint/key_report.h"
#include "models/checkpoint/tensors.h"
#include "models/clip/clip_config.h"
#include "models/layers/block.h"
#include "models/model.h"

namespace disco::models {

/// Rows of length 1, in fp32 (fp64 stays): x / max(|x|, 1e-12), as open_clip makes features. A row of zeros stays zero,
/// and what comes back for it is the gradient times 1e12, as there: a tower that gives nothing is no quiet state.
[[nodiscard]] torch::Tensor unit_rows(const torch::Tensor& features);

/// Patches, class token, positions, blocks; read off at the class token.
class ClipVisionTower : public torch::nn::Module {
 public:
  ClipVisionTower(const ClipVisionConfig& config, Activation activation);
  /// [N, 3, S, S] to [N, W].
  torch::Tensor forward(const torch::Tensor& images) const;

  ClipVisionConfig config;
  torch::Tensor class_embedding;     ///< [W]
  torch::Tensor patch_embedding;     ///< [W, 3, P, P]
  torch::Tensor position_embedding;  ///< [1 + patches, W]
  std::shared_ptr<LayerNorm> pre_layrnorm;
  std::vector<std::shared_ptr<Block>> layers;
  std::shared_ptr<LayerNorm> post_layernorm;
};

/// Tokens, positions, causal blocks; read off at the first end token, or at the last token where there is none.
class ClipTextTower : public torch::nn::Module {
 public:
  ClipTextTower(const ClipTextConfig& config, Activation activation);
  /// [N, L] ids to [N, W]. Nothing behind the end of a text (where texts are padded: of the longest) is computed.
  torch::Tensor forward(const torch::Tensor& tokens) const;

  ClipTextConfig config;
  torch::Tensor token_embedding;     ///< [V, W]
  torch::Tensor position_embedding;  ///< [L, W]
  std::vector<std::shared_ptr<Block>> layers;
  std::shared_ptr<LayerNorm> final_layer_norm;

 private:
  /// The texts one behind the other, without what lies behind their ends.
  torch::Tensor forward_packed(const torch::Tensor& tokens) const;
  void check_length(std::int64_t length) const;
};

/// CLIP (Radford et al. 2021): two towers whose unit features meet in one space. Parameters are named as in
/// transformers, except that query, key and value are one tensor and towers keep their tables without ".weight".
class ClipModel final : public Model {
 public:
  /// Weights are uninitialised: call initialize or load_huggingface.
  ClipModel(const ClipConfig& config, InputContract input);

  Features encode(const ModelInputs& inputs) override;
  torch::Tensor encode_images(const torch::Tensor& images) override;
  torch::Tensor encode_texts(const torch::Tensor& tokens) override;
  torch::Tensor& log_scale() override { return logit_scale_; }
  std::string tower(const std::string& parameter) const override;
  bool decays(const std::string& parameter, const torch::Tensor& tensor) const override;
  const InputContract& input() const override { return input_; }
  Result<void> save(const std::filesystem::path& folder) override;

  [[nodiscard]] const ClipConfig& config() const { return config_; }

  /// Random weights as open_clip draws them (normal and uniform of the same widths), from seed alone; the table of
  /// patch positions may start as sines instead.
  void initialize(std::uint64_t seed, PositionStart positions = PositionStart::normal);

  /// Takes weights named as in transformers' CLIPModel, with or without prefixes of other tools. Every weight must be
  /// there in its right shape.
  [[nodiscard]] Result<KeyReport> load_huggingface(std::map<std::string, at::Tensor> tensors, const std::string& where);

  /// The parameters, or their gradients, under transformers' names.
  [[nodiscard]] NamedTensors huggingface_weights() const;
  [[nodiscard]] NamedTensors huggingface_gradients() const;

 private:
  NamedTensors to_huggingface(bool gradients) const;

  ClipConfig config_;
  InputContract input_;
  std::shared_ptr<ClipVisionTower> vision_model_;
  std::shared_ptr<ClipTextTower> text_model_;
  torch::Tensor visual_projection_;  ///< [D, W]
  torch::Tensor text_projection_;    ///< [D, W]
  torch::Tensor logit_scale_;        ///< ln s
};

}  // namespace disco::models
