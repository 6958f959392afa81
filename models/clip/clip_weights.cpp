// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/CPUGeneratorImpl.h>

#include <cmath>
#include <functional>

#include "engine/base/files.h"
#include "models/checkpoint/prefixes.h"
#include "models/clip/clip_model.h"

namespace disco::models {
namespace {

constexpr std::array kQueryKeyValue = {"q_proj", "k_proj", "v_proj"};

/// Where a parameter of ours is found in transformers' layout: one tensor, or three that stand one below the other.
std::vector<std::string> huggingface_names(const std::string& name) {
  for (const std::string tower : {"vision_model.", "text_model."}) {
    if (!name.starts_with(tower)) continue;
    const std::string rest = name.substr(tower.size());
    if (rest == "class_embedding") return {tower + "embeddings." + rest};
    if (rest.ends_with("_embedding")) return {tower + "embeddings." + rest + ".weight"};
    if (!rest.starts_with("layers.")) return {name};
    const std::string full = tower + "encoder." + rest;
    const std::size_t at = full.find("qkv_proj");
    if (at == std::string::npos) return {full};
    std::vector<std::string> names;
    for (const char* part : kQueryKeyValue) names.push_back(std::string(full).replace(at, 8, part));
    return names;
  }
  return {name == "logit_scale" ? name : name + ".weight"};
}

/// Draws weights in a fixed order from one generator.
class Initializer {
 public:
  explicit Initializer(std::uint64_t seed) : generator_(at::detail::createCPUGenerator(seed)) {}

  void normal(torch::Tensor& tensor, double deviation) { tensor.normal_(0.0, deviation, generator_); }
  void uniform(torch::Tensor& tensor, double bound) { tensor.uniform_(-bound, bound, generator_); }
  /// The widths that torch.nn.Linear and Conv2d start from.
  void fan_in(Linear& linear) {
    const double bound = 1.0 / std::sqrt(static_cast<double>(linear.weight.size(1)));
    uniform(linear.weight, bound);
    uniform(linear.bias, bound);
  }

 private:
  at::Generator generator_;
};

/// open_clip leaves the vision blocks as torch.nn.MultiheadAttention and Linear start.
void initialize_vision(ClipVisionTower& tower, Initializer& draw) {
  const double width = tower.config.width;
  const double scale = 1.0 / std::sqrt(width);
  draw.uniform(tower.patch_embedding, 1.0 / (std::sqrt(3.0) * tower.config.patch_size));
  draw.normal(tower.class_embedding, scale);
  draw.normal(tower.position_embedding, scale);
  for (auto& block : tower.layers) {
    draw.uniform(block->self_attn->qkv_proj->weight, std::sqrt(6.0 / (width + 3.0 * width)));
    draw.uniform(block->self_attn->out_proj->weight, scale);
    draw.fan_in(*block->mlp->fc1);
    draw.fan_in(*block->mlp->fc2);
  }
}

void initialize_text(ClipTextTower& tower, Initializer& draw) {
  const double width = tower.config.width;
  const double attention = 1.0 / std::sqrt(width);
  const double residual = attention / std::sqrt(2.0 * tower.config.layers);
  draw.normal(tower.token_embedding, 0.02);
  draw.normal(tower.position_embedding, 0.01);
  for (auto& block : tower.layers) {
    draw.normal(block->self_attn->qkv_proj->weight, attention);
    draw.normal(block->self_attn->out_proj->weight, residual);
    draw.fan_in(*block->mlp->fc1);  // for the biases; the weights follow
    draw.fan_in(*block->mlp->fc2);
    draw.normal(block->mlp->fc1->weight, 1.0 / std::sqrt(2.0 * width));
    draw.normal(block->mlp->fc2->weight, residual);
  }
}

/// Rows [grid², width] of sines and cosines of a patch's column, then of its row, at width/4 wavelengths from 2π to
/// 2π·10,000 patches: the table of Vaswani et al. 2017 in two dimensions, laid out as in MAE (He et al. 2022). Scaled
/// to the size of a patch's own contents at the start, so that the norm behind the sum keeps both.
at::Tensor sine_positions(std::int64_t grid, std::int64_t width) {
  constexpr double kAmplitude = 0.5;
  const std::int64_t waves = width / 4;
  const at::Tensor steps = at::arange(waves, at::kDouble) / static_cast<double>(std::max<std::int64_t>(waves, 1));
  const at::Tensor frequencies = at::pow(10000.0, -steps);
  const at::Tensor place = at::arange(grid, at::kDouble);
  const at::Tensor column = place.repeat({grid}).unsqueeze(1) * frequencies;
  const at::Tensor row = place.repeat_interleave(grid).unsqueeze(1) * frequencies;
  const at::Tensor table = at::cat({column.sin(), column.cos(), row.sin(), row.cos()}, 1) * kAmplitude;
  return at::constant_pad_nd(table, {0, width - 4 * waves});
}

/// A tensor of the file that carries nothing: counted positions, which older versions stored.
bool is_position_ids(const std::string& name) { return name.ends_with("embeddings.position_ids"); }

}  // namespace

void ClipModel::initialize(std::uint64_t seed, PositionStart positions) {
  const torch::NoGradGuard no_grad;
  Initializer draw(seed);
  initialize_vision(*vision_model_, draw);
  if (positions == PositionStart::sine) {
    const auto& vision = config_.vision;
    torch::Tensor& table = vision_model_->position_embedding;
    table.zero_();
    table.slice(0, 1).copy_(sine_positions(vision.image_size / vision.patch_size, vision.width));
  }
  initialize_text(*text_model_, draw);
  draw.normal(visual_projection_, 1.0 / std::sqrt(static_cast<double>(config_.vision.width)));
  draw.normal(text_projection_, 1.0 / std::sqrt(static_cast<double>(config_.text.width)));
  logit_scale_.fill_(std::log(1.0 / 0.07));
}

Result<KeyReport> ClipModel::load_huggingface(std::map<std::string, at::Tensor> tensors, const std::string& where) {
  const torch::NoGradGuard no_grad;
  KeyReport report;
  tensors = strip_prefixes(std::move(tensors), report.renamed);
  std::string missing;
  const auto take = [&](const std::string& name, torch::Tensor target) -> Result<void> {
    const auto found = tensors.find(name);
    if (found == tensors.end()) {
      missing += (missing.empty() ? "" : ", ") + name;
      return {};
    }
    // A scale stored as a list of one number is the same number.
    const bool fits = found->second.sizes() == target.sizes() || (target.dim() == 0 && found->second.numel() == 1);
    if (!fits)
      return failure("Tensor " + name + " has the shape " + c10::str(found->second.sizes()) + ", the model needs " +
                         c10::str(target.sizes()),
                     where, "config.json and the weights do not belong together");
    target.copy_(found->second.view(target.sizes()));
    tensors.erase(found);
    ++report.loaded;
    return {};
  };
  for (const auto& parameter : named_parameters()) {
    const std::vector<std::string> names = huggingface_names(parameter.key());
    if (names.size() == 1) {
      DISCO_CHECK(take(names.front(), parameter.value()));
      continue;
    }
    const std::vector<torch::Tensor> parts = parameter.value().chunk(static_cast<std::int64_t>(names.size()));
    for (std::size_t i = 0; i < names.size(); ++i) DISCO_CHECK(take(names[i], parts[i]));
  }
  if (!missing.empty()) return failure("Weights are missing: " + missing, where, "The file is not complete");
  for (const auto& [name, tensor] : tensors)
    (is_position_ids(name) ? report.ignored : report.unexpected).push_back(name);
  return report;
}

NamedTensors ClipModel::to_huggingface(bool gradients) const {
  NamedTensors tensors;
  for (const auto& parameter : named_parameters()) {
    const torch::Tensor tensor = gradients ? parameter.value().grad() : parameter.value().detach();
    if (!tensor.defined()) continue;
    const std::vector<std::string> names = huggingface_names(parameter.key());
    if (names.size() == 1) {
      tensors.emplace_back(names.front(), tensor);
      continue;
    }
    const std::vector<torch::Tensor> parts = tensor.chunk(static_cast<std::int64_t>(names.size()));
    for (std::size_t i = 0; i < names.size(); ++i) tensors.emplace_back(names[i], parts[i]);
  }
  return tensors;
}

NamedTensors ClipModel::huggingface_weights() const { return to_huggingface(false); }

NamedTensors ClipModel::huggingface_gradients() const { return to_huggingface(true); }

Result<void> ClipModel::save(const std::filesystem::path& folder) {
  const std::string config = clip_config_to_huggingface(config_).dump(2) + "\n";
  const std::string preprocess = preprocess_to_huggingface(input_.image).dump(2) + "\n";
  DISCO_CHECK(write_atomically(folder / "config.json", config));
  DISCO_CHECK(write_atomically(folder / "preprocessor_config.json", preprocess));
  if (input_.tokenizer != nullptr) DISCO_CHECK(input_.tokenizer->save(folder));
  return save_tensors(folder / "model.safetensors", huggingface_weights(), {{"format", "pt"}});
}

}  // namespace disco::models
