// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/clip/clip_model.h"

#include <algorithm>

#include "models/layers/fused_block.h"

namespace disco::models {
namespace {

Activation activation_of(const ClipConfig& config) {
  return config.quick_gelu ? Activation::quick_gelu : Activation::gelu;
}

std::vector<std::shared_ptr<Block>> add_blocks(torch::nn::Module& tower, const BlockShape& shape, int count) {
  auto list = tower.register_module("layers", std::make_shared<torch::nn::ModuleListImpl>());
  std::vector<std::shared_ptr<Block>> blocks;
  for (int i = 0; i < count; ++i) {
    blocks.push_back(std::make_shared<Block>(shape));
    list->push_back(blocks.back());
  }
  return blocks;
}

/// All blocks; of the last only the given row of each sequence, of which it sees the first visible[i] tokens
/// (undefined: all). Sequences of different lengths end with their row.
torch::Tensor run_blocks(torch::Tensor x, const std::vector<std::shared_ptr<Block>>& blocks, const Sequences& sequences,
                         Causal causal, const torch::Tensor& rows, const torch::Tensor& visible) {
  const bool fuse = can_fuse(x, sequences.longest()) && !visible.defined();
  for (std::size_t i = 0; i + 1 < blocks.size(); ++i)
    x = fuse ? fused_block(*blocks[i], x, sequences, causal) : blocks[i]->forward(x, sequences, causal);
  if (fuse) return fused_block(*blocks.back(), x, sequences, causal, rows);
  return blocks.back()->forward_one(x, sequences, rows, visible);
}

/// Non-overlapping patches as rows: [N, 3, S, S] to [N * patches, 3 * P * P].
torch::Tensor to_patches(const torch::Tensor& images, std::int64_t patch) {
  const std::int64_t count = images.size(0);
  const std::int64_t down = images.size(2) / patch;
  const std::int64_t across = images.size(3) / patch;
  // What the grid of patches does not reach is left out, as a strided convolution does.
  return images.narrow(2, 0, down * patch)
      .narrow(3, 0, across * patch)
      .reshape({count, 3, down, patch, across, patch})
      .permute({0, 2, 4, 1, 3, 5})
      .reshape({count * down * across, 3 * patch * patch});
}

}  // namespace

torch::Tensor unit_rows(const torch::Tensor& features) {
  // In fp32 whatever the towers computed in: the loss needs the full mantissa of a unit vector.
  const torch::Tensor wide = features.scalar_type() == torch::kDouble ? features : features.to(torch::kFloat);
  constexpr double kSmallestNorm = 1e-12;
  return torch::nn::functional::normalize(wide,
                                          torch::nn::functional::NormalizeFuncOptions().dim(1).eps(kSmallestNorm));
}

ClipVisionTower::ClipVisionTower(const ClipVisionConfig& config_, Activation activation)
    : config(config_),
      class_embedding(register_parameter("class_embedding", torch::empty({config_.width}))),
      patch_embedding(register_parameter("patch_embedding",
                                         torch::empty({config_.width, 3, config_.patch_size, config_.patch_size}))),
      position_embedding(register_parameter("position_embedding", torch::empty({config_.positions(), config_.width}))) {
  const BlockShape shape{
      .width = config.width, .heads = config.heads, .mlp_width = config.mlp_width, .activation = activation};
  pre_layrnorm = register_module("pre_layrnorm", std::make_shared<LayerNorm>(config.width, shape.epsilon));
  layers = add_blocks(*this, shape, config.layers);
  post_layernorm = register_module("post_layernorm", std::make_shared<LayerNorm>(config.width, shape.epsilon));
}

torch::Tensor ClipVisionTower::forward(const torch::Tensor& images) const {
  TORCH_CHECK(images.dim() == 4 && images.size(1) == 3 && images.size(2) == config.image_size &&
                  images.size(3) == config.image_size,
              "pictures must be [N, 3, ", config.image_size, ", ", config.image_size, "], are ", images.sizes());
  const std::int64_t count = images.size(0);
  const std::int64_t width = config.width;
  const torch::Tensor patches = at::linear(to_patches(images, config.patch_size), patch_embedding.flatten(1));
  const torch::Tensor first = class_embedding.to(patches.scalar_type()).expand({count, 1, width});
  torch::Tensor x = at::cat({first, patches.view({count, config.positions() - 1, width})}, 1) + position_embedding;
  const Sequences sequences = Sequences::uniform(count, config.positions());
  x = pre_layrnorm->forward(x.view({sequences.rows(), width}));
  const torch::Tensor rows = torch::arange(count, images.options().dtype(torch::kLong)) * sequences.longest();
  return post_layernorm->forward(run_blocks(x, layers, sequences, Causal::no, rows, {}));
}

ClipTextTower::ClipTextTower(const ClipTextConfig& config_, Activation activation)
    : config(config_),
      token_embedding(register_parameter("token_embedding", torch::empty({config_.vocabulary_size, config_.width}))),
      position_embedding(
          register_parameter("position_embedding", torch::empty({config_.context_length, config_.width}))) {
  const BlockShape shape{
      .width = config.width, .heads = config.heads, .mlp_width = config.mlp_width, .activation = activation};
  layers = add_blocks(*this, shape, config.layers);
  final_layer_norm = register_module("final_layer_norm", std::make_shared<LayerNorm>(config.width, shape.epsilon));
}

torch::Tensor ClipTextTower::forward(const torch::Tensor& tokens) const {
  TORCH_CHECK(tokens.dim() == 2 && tokens.size(1) >= 1, "tokens must be [N, L], are ", tokens.sizes());
  if (tokens.device().is_cpu() && can_fuse(token_embedding, config.context_length)) return forward_packed(tokens);
  const std::int64_t count = tokens.size(0);
  const torch::Tensor ends = tokens == config.end_id;
  // argmax finds the first end token; without one it would find position 0, and the last position is meant.
  const torch::Tensor last =
      at::where(ends.any(1), ends.to(torch::kByte).argmax(1), at::full({}, tokens.size(1) - 1, tokens.options()));
  const std::int64_t length = count == 0 ? 1 : last.max().item<std::int64_t>() + 1;
  check_length(length);
  const torch::Tensor embedded =
      at::embedding(token_embedding, tokens.narrow(1, 0, length)) + position_embedding.narrow(0, 0, length);
  const Sequences sequences = Sequences::uniform(count, length);
  const torch::Tensor rows = torch::arange(count, tokens.options()) * length + last;
  const torch::Tensor x = embedded.view({sequences.rows(), config.width});
  return final_layer_norm->forward(run_blocks(x, layers, sequences, Causal::yes, rows, last + 1));
}

torch::Tensor ClipTextTower::forward_packed(const torch::Tensor& tokens) const {
  const torch::Tensor plain = tokens.to(torch::kLong).contiguous();
  const std::int64_t count = plain.size(0);
  const std::int64_t columns = plain.size(1);
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> positions;
  std::vector<std::int64_t> last;
  for (std::int64_t n = 0; n < count; ++n) {
    const std::int64_t* row = plain.const_data_ptr<std::int64_t>() + n * columns;
    const std::int64_t length = std::min(std::find(row, row + columns, config.end_id) - row + 1, columns);
    check_length(length);
    ids.insert(ids.end(), row, row + length);
    for (std::int64_t i = 0; i < length; ++i) positions.push_back(i);
    offsets.push_back(offsets.back() + length);
    last.push_back(offsets.back() - 1);
  }
  const torch::Tensor x = at::embedding(token_embedding, torch::tensor(ids, torch::kLong)) +
                          at::embedding(position_embedding, torch::tensor(positions, torch::kLong));
  const torch::Tensor rows = torch::tensor(last, torch::kLong);
  return final_layer_norm->forward(run_blocks(x, layers, Sequences(std::move(offsets)), Causal::yes, rows, {}));
}

void ClipTextTower::check_length(std::int64_t length) const {
  TORCH_CHECK(length <= config.context_length, "a text has ", length, " tokens, the model takes ",
              config.context_length);
}

ClipModel::ClipModel(const ClipConfig& config, InputContract input)
    : Model("ClipModel"), config_(config), input_(std::move(input)) {
  const Activation activation = activation_of(config);
  vision_model_ = register_module("vision_model", std::make_shared<ClipVisionTower>(config.vision, activation));
  text_model_ = register_module("text_model", std::make_shared<ClipTextTower>(config.text, activation));
  visual_projection_ = register_parameter("visual_projection", torch::empty({config.embed_dim, config.vision.width}));
  text_projection_ = register_parameter("text_projection", torch::empty({config.embed_dim, config.text.width}));
  logit_scale_ = register_parameter("logit_scale", torch::empty({}));
}

torch::Tensor ClipModel::encode_images(const torch::Tensor& images) {
  return unit_rows(at::linear(vision_model_->forward(images), visual_projection_));
}

torch::Tensor ClipModel::encode_texts(const torch::Tensor& tokens) {
  return unit_rows(at::linear(text_model_->forward(tokens), text_projection_));
}

Features ClipModel::encode(const ModelInputs& inputs) {
  Features features;
  features.image = encode_images(inputs.images);
  if (!inputs.extra_tokens.defined() || inputs.extra_tokens.size(0) == 0) {
    features.text = encode_texts(inputs.tokens);
    return features;
  }
  // One pass over both lists; the shorter rows are filled with end tokens, which nothing ever looks at.
  const std::int64_t length = std::max(inputs.tokens.size(1), inputs.extra_tokens.size(1));
  const auto widen = [&](const torch::Tensor& tokens) {
    return at::constant_pad_nd(tokens, {0, length - tokens.size(1)}, config_.text.end_id);
  };
  const torch::Tensor both = encode_texts(at::cat({widen(inputs.tokens), widen(inputs.extra_tokens)}));
  features.text = both.narrow(0, 0, inputs.tokens.size(0));
  features.extra = both.narrow(0, inputs.tokens.size(0), inputs.extra_tokens.size(0));
  return features;
}

std::string ClipModel::tower(const std::string& parameter) const {
  if (parameter.starts_with("vision_model.") || parameter == "visual_projection") return "image";
  if (parameter.starts_with("text_model.") || parameter == "text_projection") return "text";
  return "shared";
}

bool ClipModel::decays(const std::string& parameter, const torch::Tensor& tensor) const {
  return tensor.dim() > 1 && !parameter.ends_with("position_embedding");
}

}  // namespace disco::models
