// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/cartoons/write_cartoons.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "engine/base/files.h"
#include "engine/base/json.h"
#include "engine/data/cartoons/describe_scene.h"
#include "engine/data/encode.h"

namespace disco::data::cartoons {
namespace {

namespace fs = std::filesystem;

std::string file_name(std::int64_t index) {
  char name[32];
  std::snprintf(name, sizeof name, "%06lld", static_cast<long long>(index));
  return name;
}

Result<void> write_file(const fs::path& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  if (!file) return failure("the file cannot be written", path.string(), "Check that the disk is not full");
  return {};
}

Result<void> make_empty_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return failure("the folder cannot be made: " + error.message(), folder.string());
  if (!fs::is_empty(folder, error) || error) {
    return failure("the folder is not empty", folder.string(), "Name a new one; nothing is overwritten");
  }
  return {};
}

Json scene_line(const std::string& image, const SceneText& text) {
  Json line = {{"image", image}, {"captions", text.captions}};
  if (!text.matching) {
    line["negatives"] = text.negatives;
    return line;
  }
  line["candidates"] = text.matching->candidates;
  line["differs"] = text.matching->differs;
  line["correct"] = text.matching->correct;
  return line;
}

Result<void> write_picture(const fs::path& folder, const Painter& painter, const Scene& scene, int size) {
  DISCO_TRY(const std::string png, encode_png(painter.paint(scene, size)));
  DISCO_CHECK(write_file(folder / (file_name(scene.index) + ".png"), png));
  std::string lines;
  for (const std::string& caption : describe_scene(scene).captions) lines += caption + '\n';
  return write_file(folder / (file_name(scene.index) + ".txt"), lines);
}

Result<void> write_tables(const fs::path& folder, const WriteCartoonsOptions& options, std::int64_t count) {
  std::string table = "image,caption\n", scenes;
  for (std::int64_t i = 0; i < count; ++i) {
    const SceneText text = describe_scene(make_scene(options.seed, i, options.split));
    const std::string image = file_name(i) + ".png";
    for (const std::string& caption : text.captions) table += image + ",\"" + caption + "\"\n";
    scenes += scene_line(image, text).dump() + "\n";
  }
  DISCO_CHECK(write_file(folder / "captions.csv", table));
  return write_file(folder / "scenes.jsonl", scenes);
}

}  // namespace

Result<void> write_cartoons(const fs::path& folder, const WriteCartoonsOptions& options) {
  DISCO_TRY(auto sprites, SpriteSheet::open());
  DISCO_CHECK(make_empty_folder(folder));
  const Painter painter(std::move(sprites));
  std::atomic<std::int64_t> next = 0, done = 0;
  std::atomic<bool> go_on = true;
  std::mutex mutex;
  std::optional<Error> problem;
  const auto work = [&] {
    while (go_on) {
      const std::int64_t index = next++;
      if (index >= options.count) return;
      const auto written = write_picture(folder, painter, make_scene(options.seed, index, options.split), options.size);
      ++done;
      const std::lock_guard lock(mutex);
      if (!written && !problem) problem = written.error();
      if (!written || (options.progress && !options.progress(done, options.count))) go_on = false;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
  }
  if (problem) return tl::unexpected(*problem);
  // Indices are handed out in order and each one handed out is finished.
  return write_tables(folder, options, std::min<std::int64_t>(next, done));
}

}  // namespace disco::data::cartoons
