// SPDX-License-Identifier: GPL-3.0-or-later
//
// Everything that decides a run, described once (engine/base/described.h). config.json in the run folder, the command
// line, `config schema` and the form in the window all come from these tables. Defaults are the member initialisers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/described.h"
#include "engine/base/json.h"
#include "models/clip/clip_config.h"

namespace disco {

/// Raised when a stored config.json would mean something else; run_config.cpp holds the upgrades.
inline constexpr int config_schema_version = 1;

struct ModelSettings {
  std::string architecture = "clip-tiny";
  std::string checkpoint;
  models::PositionStart positions = models::PositionStart::normal;
  models::ClipConfig clip;  ///< filled from the architecture, then from what is set explicitly
};

constexpr auto describe(std::type_identity<ModelSettings>) {
  using C = ModelSettings;
  return std::tuple{field("architecture", &C::architecture,
                          {.label = "Architecture", .help = "A named shape; the sizes below start from it"}),
                    field("checkpoint", &C::checkpoint,
                          {.label = "Start from weights",
                           .help = "A model folder to go on from; its shape is used. Empty: random weights",
                           .editor = Editor::folder}),
                    field("positions", &C::positions,
                          {.label = "Positions start as",
                           .help = "The vision tower's position table, when the weights start random",
                           .level = Level::advanced}),
                    field("clip", &C::clip, {.label = "Shape", .level = Level::advanced})};
}

enum class DataKind { cartoons, folder, table };
constexpr auto choices(std::type_identity<DataKind>) {
  return std::array{
      Choice{DataKind::cartoons, "cartoons", "Built-in cartoons", "Fresh scenes, composed as the run goes"},
      Choice{DataKind::folder, "folder", "Folder of pictures",
             "Each picture has a .txt beside it; its first line is the caption"},
      Choice{DataKind::table, "table", "CSV or TSV table", "A file with a picture column and a caption column"}};
}

struct AugmentSettings {
  double smallest_crop = 1.0;
  bool flip = false;
};

constexpr auto describe(std::type_identity<AugmentSettings>) {
  using C = AugmentSettings;
  return std::tuple{
      field("smallest_crop", &C::smallest_crop,
            {.label = "Smallest crop",
             .help = "Each picture is cropped to a random share of its area between this and all of it; 1 = never",
             .min = 0.05,
             .max = 1,
             .level = Level::advanced}),
      field("flip", &C::flip,
            {.label = "Mirror",
             .help = "Half of the pictures are mirrored. Wrong where captions say left and right",
             .level = Level::advanced})};
}

struct DataSettings {
  DataKind source = DataKind::cartoons;
  std::string path;
  std::string validation_path;
  double validation_share = 0.1;
  std::string image_column = "image";
  std::string caption_column = "caption";
  std::string separator = "auto";
  std::int64_t held_out_pictures = 1000;
  int negatives_per_picture = 4;
  int loader_threads = 0;
  double largest_bad_share = 0.1;
  AugmentSettings augment;
};

constexpr auto describe(std::type_identity<DataSettings>) {
  using C = DataSettings;
  constexpr auto advanced = Level::advanced;
  return std::tuple{
      field("source", &C::source, {.label = "Data", .help = "Where pictures and captions come from"}),
      field("path", &C::path,
            {.label = "Place",
             .help = "The folder of pictures, or the CSV or TSV file. Nothing in it is changed",
             .editor = Editor::folder,
             .relevant_if = "data.source=folder,table"}),
      field("validation_path", &C::validation_path,
            {.label = "Held-out data",
             .help = "Pictures to judge by, never trained on. Empty: a share of the data",
             .level = advanced,
             .editor = Editor::folder,
             .relevant_if = "data.source=folder,table"}),
      field("validation_share", &C::validation_share,
            {.label = "Held-out share",
             .help = "Share of the pictures kept for judging when no held-out data is given",
             .min = 0,
             .max = 0.9,
             .level = advanced,
             .relevant_if = "data.source=folder,table"}),
      field("image_column", &C::image_column,
            {.label = "Picture column",
             .help = "Column that holds the path of the picture",
             .relevant_if = "data.source=table"}),
      field("caption_column", &C::caption_column,
            {.label = "Caption column", .help = "Column that holds the caption", .relevant_if = "data.source=table"}),
      field("separator", &C::separator,
            {.label = "Separator",
             .help = "auto, comma, tab, or semicolon",
             .level = advanced,
             .relevant_if = "data.source=table"}),
      field("held_out_pictures", &C::held_out_pictures,
            {.label = "Held-out cartoons",
             .help = "How many held-out scenes there are to judge by",
             .min = 1,
             .max = 1000000,
             .level = advanced,
             .relevant_if = "data.source=cartoons"}),
      field("negatives_per_picture", &C::negatives_per_picture,
            {.label = "Near-miss captions",
             .help =
                 "Wrong captions for each picture that differ from the right one in one thing, where the data has them",
             .min = 0,
             .max = 64}),
      field("loader_threads", &C::loader_threads,
            {.label = "Loader threads",
             .help = "Threads that read and prepare pictures; 0 chooses",
             .min = 0,
             .max = 256,
             .level = advanced}),
      field("largest_bad_share", &C::largest_bad_share,
            {.label = "Unreadable pictures allowed",
             .help = "A run stops when more than this share of the pictures cannot be read",
             .min = 0,
             .max = 1,
             .level = advanced}),
      field("augment", &C::augment, {.label = "Augmentation"})};
}

enum class ExtraNegatives { shared, own };
constexpr auto choices(std::type_identity<ExtraNegatives>) {
  return std::array{Choice{ExtraNegatives::shared, "shared", "For every picture",
                           "Each near miss counts against every picture of the batch"},
                    Choice{ExtraNegatives::own, "own", "For its own picture",
                           "Each near miss counts only against its own picture; nearly free"}};
}

struct ObjectiveSettings {
  ExtraNegatives extra_negatives = ExtraNegatives::shared;
  int tile = 0;
  double keep_logits_mib = 256;
};

constexpr auto describe(std::type_identity<ObjectiveSettings>) {
  using C = ObjectiveSettings;
  return std::tuple{
      field("extra_negatives", &C::extra_negatives,
            {.label = "Near misses count", .help = "Against which pictures a near-miss caption is compared"}),
      field("tile", &C::tile,
            {.label = "Tile size",
             .help = "Rows and columns of the logit matrix computed at once; 0 chooses",
             .min = 0,
             .max = 65536,
             .level = Level::advanced}),
      field("keep_logits_mib", &C::keep_logits_mib,
            {.label = "Memory for logits",
             .help = "Logits are kept for the backward pass when they fit into this much memory, else computed again",
             .unit = "MiB",
             .min = 0,
             .max = 1048576,
             .level = Level::advanced})};
}

struct OptimizerSettings {
  double learning_rate = 1e-3;
  double text_learning_rate_factor = 1.0;
  double weight_decay = 0.1;
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-6;
  double clip_norm = 1.0;
};

constexpr auto describe(std::type_identity<OptimizerSettings>) {
  using C = OptimizerSettings;
  constexpr auto advanced = Level::advanced;
  return std::tuple{
      field("learning_rate", &C::learning_rate,
            {.label = "Learning rate",
             .help = "The highest step size of AdamW, reached after the warm-up",
             .min = 0,
             .max = 10,
             .above_min = true}),
      field("text_learning_rate_factor", &C::text_learning_rate_factor,
            {.label = "Text learning rate",
             .help = "The text tower's learning rate as a multiple of the other one",
             .min = 0,
             .max = 100,
             .level = advanced}),
      field("weight_decay", &C::weight_decay,
            {.label = "Weight decay",
             .help = "Pulls weights towards 0; biases, norms, tables of positions and the logit scale are left out",
             .min = 0,
             .max = 10,
             .level = advanced}),
      field("beta1", &C::beta1,
            {.label = "Beta 1", .help = "Memory of the mean of gradients", .min = 0, .max = 0.9999, .level = advanced}),
      field("beta2", &C::beta2,
            {.label = "Beta 2",
             .help = "Memory of the mean of squared gradients",
             .min = 0,
             .max = 0.99999,
             .level = advanced}),
      field("epsilon", &C::epsilon,
            {.label = "Epsilon",
             .help = "Keeps the division by small gradients finite",
             .min = 0,
             .max = 1,
             .above_min = true,
             .level = advanced}),
      field("clip_norm", &C::clip_norm,
            {.label = "Gradient limit",
             .help = "Gradients longer than this are shortened to it; 0 = no limit",
             .min = 0,
             .max = 1e9,
             .level = advanced})};
}

enum class Decay { cosine, linear, constant };
constexpr auto choices(std::type_identity<Decay>) {
  return std::array{Choice{Decay::cosine, "cosine", "Cosine", "Falls slowly, then fast, then slowly"},
                    Choice{Decay::linear, "linear", "Linear", "Falls evenly"},
                    Choice{Decay::constant, "constant", "Constant", "Stays"}};
}

struct ScheduleSettings {
  std::int64_t warmup_steps = 100;
  Decay decay = Decay::cosine;
  double final_share = 0.0;
};

constexpr auto describe(std::type_identity<ScheduleSettings>) {
  using C = ScheduleSettings;
  return std::tuple{
      field("warmup_steps", &C::warmup_steps,
            {.label = "Warm-up",
             .help = "Steps over which the learning rate rises from 0",
             .unit = "steps",
             .min = 0,
             .max = 1e9}),
      field(
          "decay", &C::decay,
          {.label = "Decay", .help = "How the learning rate falls until the end of the run", .level = Level::advanced}),
      field("final_share", &C::final_share,
            {.label = "Final learning rate",
             .help = "What is left of the learning rate at the last step, as a share",
             .min = 0,
             .max = 1,
             .level = Level::advanced})};
}

enum class Precision { fp32, bf16 };
constexpr auto choices(std::type_identity<Precision>) {
  return std::array{
      Choice{Precision::fp32, "fp32", "fp32", "Exact; the faster one on processors without bf16 units"},
      Choice{Precision::bf16, "bf16", "bf16", "Half the memory for activations; weights and loss stay fp32"}};
}

struct BatchSettings {
  int size = 64;
};

constexpr auto describe(std::type_identity<BatchSettings>) {
  using C = BatchSettings;
  return std::tuple{field("size", &C::size,
                          {.label = "Batch size",
                           .help = "Pictures of a step over all ranks; each has one less than this as negatives",
                           .unit = "pictures",
                           .min = 2,
                           .max = 1048576})};
}

struct DistributedSettings {
  int local_ranks = 1;
  double timeout_seconds = 300;
};

constexpr auto describe(std::type_identity<DistributedSettings>) {
  using C = DistributedSettings;
  return std::tuple{field("local_ranks", &C::local_ranks,
                          {.label = "Ranks here",
                           .help = "Processes on this computer that share each batch",
                           .min = 1,
                           .max = 64,
                           .level = Level::advanced}),
                    field("timeout_seconds", &C::timeout_seconds,
                          {.label = "Timeout",
                           .help = "A rank that is silent for this long ends the run",
                           .unit = "s",
                           .min = 1,
                           .max = 86400,
                           .level = Level::advanced,
                           .editor = Editor::duration})};
}

struct CheckpointSettings {
  std::int64_t every_steps = 500;
  int keep_last = 2;
  bool keep_best = true;
};

constexpr auto describe(std::type_identity<CheckpointSettings>) {
  using C = CheckpointSettings;
  return std::tuple{field("every_steps", &C::every_steps,
                          {.label = "Save every",
                           .help = "A run that is killed goes on from the last saved step",
                           .unit = "steps",
                           .min = 1,
                           .max = 1e9}),
                    field("keep_last", &C::keep_last,
                          {.label = "Keep",
                           .help = "How many of the last checkpoints stay on disk",
                           .min = 1,
                           .max = 10000,
                           .level = Level::advanced}),
                    field("keep_best", &C::keep_best,
                          {.label = "Keep the best",
                           .help = "The checkpoint with the best held-out result stays as well",
                           .level = Level::advanced})};
}

struct EvaluateSettings {
  std::int64_t every_steps = 200;
  std::int64_t pictures = 1000;
  int batch = 100;
};

constexpr auto describe(std::type_identity<EvaluateSettings>) {
  using C = EvaluateSettings;
  return std::tuple{field("every_steps", &C::every_steps,
                          {.label = "Evaluate every",
                           .help = "How often held-out pictures are judged",
                           .unit = "steps",
                           .min = 1,
                           .max = 1e9}),
                    field("pictures", &C::pictures,
                          {.label = "Held-out pictures",
                           .help = "At most this many are judged",
                           .unit = "pictures",
                           .min = 2,
                           .max = 1e7,
                           .level = Level::advanced}),
                    field("batch", &C::batch,
                          {.label = "Evaluation batch",
                           .help = "Pictures judged at once; changes memory, not results",
                           .min = 1,
                           .max = 65536,
                           .level = Level::advanced})};
}

struct SampleSettings {
  int pictures = 24;
  std::int64_t every_steps = 100;
};

constexpr auto describe(std::type_identity<SampleSettings>) {
  using C = SampleSettings;
  return std::tuple{field("pictures", &C::pictures,
                          {.label = "Watched pictures",
                           .help = "Held-out pictures whose captions are followed through training",
                           .unit = "pictures",
                           .min = 0,
                           .max = 1000}),
                    field("every_steps", &C::every_steps,
                          {.label = "Look every",
                           .help = "How often the model is asked about the watched pictures",
                           .unit = "steps",
                           .min = 1,
                           .max = 1e9})};
}

struct BudgetSettings {
  std::int64_t steps = 0;
  std::int64_t samples = 0;
  double epochs = 0;
  double minutes = 0;
};

constexpr auto describe(std::type_identity<BudgetSettings>) {
  using C = BudgetSettings;
  return std::tuple{
      field("steps", &C::steps,
            {.label = "Steps", .help = "Ends after this many steps", .unit = "steps", .min = 0, .max = 1e12}),
      field("samples", &C::samples,
            {.label = "Samples", .help = "Ends after this many pictures", .unit = "pictures", .min = 0, .max = 1e15}),
      field("epochs", &C::epochs,
            {.label = "Epochs", .help = "Ends after this many passes over the data", .min = 0, .max = 1e6}),
      field("minutes", &C::minutes,
            {.label = "Minutes",
             .help = "Becomes a number of steps after 20 measured steps",
             .unit = "min",
             .min = 0,
             .max = 1e6,
             .editor = Editor::duration})};
}

struct RunConfig {
  int schema_version = config_schema_version;
  DataSettings data;
  ModelSettings model;
  ObjectiveSettings objective;
  OptimizerSettings optimizer;
  ScheduleSettings schedule;
  BatchSettings batch;
  BudgetSettings budget;
  EvaluateSettings evaluate;
  SampleSettings sample;
  CheckpointSettings checkpoint;
  DistributedSettings distributed;
  Precision precision = Precision::fp32;
  int compute_threads = 0;
  std::uint64_t seed = 1;
};

constexpr auto describe(std::type_identity<RunConfig>) {
  using C = RunConfig;
  return std::tuple{
      field("schema_version", &C::schema_version,
            {.label = "Schema version", .help = "Version of this file's layout", .min = 1, .level = Level::advanced}),
      field("data", &C::data, {.label = "Data"}),
      field("model", &C::model, {.label = "Model"}),
      field("objective", &C::objective, {.label = "Objective"}),
      field("optimizer", &C::optimizer, {.label = "Optimizer"}),
      field("schedule", &C::schedule, {.label = "Schedule"}),
      field("batch", &C::batch, {.label = "Batch"}),
      field("budget", &C::budget, {.label = "Budget"}),
      field("evaluate", &C::evaluate, {.label = "Evaluate"}),
      field("sample", &C::sample, {.label = "Watch"}),
      field("checkpoint", &C::checkpoint, {.label = "Checkpoints"}),
      field("distributed", &C::distributed, {.label = "Ranks"}),
      field("precision", &C::precision, {.label = "Precision", .help = "Number format of the networks' arithmetic"}),
      field("compute_threads", &C::compute_threads,
            {.label = "Compute threads",
             .help = "Threads for arithmetic in each rank; 0 uses all cores",
             .min = 0,
             .max = 1024,
             .level = Level::advanced}),
      field("seed", &C::seed,
            {.label = "Seed",
             .help = "The same seed and settings give the same run",
             .min = 0,
             .level = Level::advanced})};
}

DISCO_DESCRIBED(ModelSettings);
DISCO_DESCRIBED(AugmentSettings);
DISCO_DESCRIBED(DataSettings);
DISCO_DESCRIBED(ObjectiveSettings);
DISCO_DESCRIBED(OptimizerSettings);
DISCO_DESCRIBED(ScheduleSettings);
DISCO_DESCRIBED(BatchSettings);
DISCO_DESCRIBED(DistributedSettings);
DISCO_DESCRIBED(CheckpointSettings);
DISCO_DESCRIBED(EvaluateSettings);
DISCO_DESCRIBED(SampleSettings);
DISCO_DESCRIBED(BudgetSettings);
DISCO_DESCRIBED(RunConfig);

/// A configuration and everything wrong with it. With problems, the config holds what could be understood.
struct LoadedConfig {
  RunConfig config;
  Problems problems;
};

/// Reads a whole or partial document over the defaults: sizes come from model.architecture unless the document sets
/// them. Collects unknown keys, wrong types and ranges, and what does not fit together (validate()).
[[nodiscard]] LoadedConfig load_config(const Json& document);

/// Reads a config file, upgrading older schema versions. An Error only when it is not JSON at all.
[[nodiscard]] Result<LoadedConfig> load_config_file(const std::string& path);

/// What does not fit together although each setting is in its range: no or several budgets, an endless source with
/// epochs, a batch smaller than the ranks, heads that do not divide the width, a place that is not set …
[[nodiscard]] Problems validate(const RunConfig& config);

/// Puts `text` (as after --set) at `path` of a document. A budget replaces any other budget of the document. Unknown
/// paths are problems with the nearest known one.
void set_from_text(Json& document, const std::string& path, const std::string& text, Problems& problems);

/// Merges `overlay` into `base`, object by object; other values are replaced.
void merge_into(Json& base, const Json& overlay);

/// Settings whose values differ, as path → the value in `changed`; for "2 changed", the exact command and diffs.
[[nodiscard]] std::vector<std::pair<std::string, Json>> differences(const Json& base, const Json& changed);

/// The names by which lists, events and summaries call a model and a data set: those that the form shows, and for
/// files the name of their folder or table.
[[nodiscard]] std::string model_label(const ModelSettings& model);
[[nodiscard]] std::string data_label(const DataSettings& data);

/// The value of `--set path=…` that set_from_text reads back as `value`.
[[nodiscard]] std::string text_of_setting(const Json& value);

}  // namespace disco
