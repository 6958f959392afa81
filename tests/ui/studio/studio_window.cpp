// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/studio/studio_window.h"

#include <signal.h>

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QStandardPaths>
#include <QTest>
#include <fstream>

#include "engine/run/run_folder.h"
#include "ui/form/new_run_page.h"
#include "ui/inspect/predictions_page.h"
#include "ui/inspect/try_page.h"
#include "ui/live/column_source.h"
#include "ui/live/live_page.h"
#include "ui/runs/runs_page.h"
#include "ui/shell/engine_client.h"
#include "ui/shell/settings_page.h"

namespace disco::ui {
namespace {

std::vector<PageSpec> all_pages() {
  return {{QStringLiteral("runs"), QStringLiteral("Runs"), "runs", 1, false, false, make_runs_page},
          {QStringLiteral("new"), QStringLiteral("New run"), "new-run", 2, false, false, make_new_run_page},
          {QStringLiteral("live"), QStringLiteral("Live"), "live", 3, true, true, make_live_page},
          {QStringLiteral("predictions"), QStringLiteral("Predictions"), "predictions", 4, true, false,
           make_predictions_page},
          {QStringLiteral("try"), QStringLiteral("Try it"), "try", 5, true, false, make_try_page},
          {QStringLiteral("settings"), QStringLiteral("Settings"), "settings", 0, false, false, make_settings_page}};
}

}  // namespace

StudioWindow::StudioWindow() {
  // The draft of New run lies with the program's data, not in the workspace.
  QFile::remove(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/draft.json"));
  open();
}

StudioWindow::~StudioWindow() {
  const std::filesystem::path runs = workspace().toStdString();
  window_.reset();
  services_.reset();
  std::error_code code;
  for (auto entry = std::filesystem::directory_iterator(runs, code);
       !code && entry != std::filesystem::directory_iterator(); entry.increment(code))
    if (const auto holder = RunFolder(entry->path()).lock_holder()) ::kill(holder->process, SIGKILL);
  // Ranks die with their supervisor; their last files must not appear behind the removal of the folder.
  QTest::qWait(200);
}

void StudioWindow::open() {
  services_ = std::make_unique<Services>(folder_.filePath(QStringLiteral("settings.ini")), make_column_source);
  services_->settings.set(keys::engine_program,
                          QApplication::applicationDirPath() + QStringLiteral("/../bin/disco-engine"));
  services_->settings.set(keys::close_explained, true);
  services_->state.set_workspace(folder_.filePath(QStringLiteral("runs")));
  window_ = std::make_unique<MainWindow>(*services_, all_pages());
  window_->show();
  window_->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(window_.get()));
}

void StudioWindow::open_again() {
  QTest::qWait(1000);  // view state reaches the disk within a second
  window_.reset();
  services_.reset();
  open();
}

void StudioWindow::start_small(const QString& name, const Json& changes) {
  const auto run = services_->engine.start(name, small_config(changes));
  QVERIFY2(run, run ? "" : run.error().message().c_str());
  services_->state.open_run(*run, QStringLiteral("live"));
}

RunStatus StudioWindow::status() const {
  const auto& snapshot = services_->run.snapshot();
  return snapshot ? snapshot->status : RunStatus{};
}

std::int64_t StudioWindow::newest_checkpoint() const {
  const auto& snapshot = services_->run.snapshot();
  return snapshot && snapshot->checkpoints && !snapshot->checkpoints->empty() ? snapshot->checkpoints->back().step : 0;
}

QPushButton* button(const QWidget& within, const QString& words) {
  for (auto* candidate : within.findChildren<QPushButton*>())
    if (candidate->text() == words && candidate->isVisible() && candidate->isEnabled()) return candidate;
  return nullptr;
}

std::vector<int> children_of(int process) {
  const std::string id = std::to_string(process);
  std::ifstream file("/proc/" + id + "/task/" + id + "/children");
  std::vector<int> children;
  for (int child = 0; file >> child;) children.push_back(child);
  return children;
}

void draw_pictures(const QString& folder, int count) {
  QDir().mkpath(folder);
  const QDir place(folder);
  const auto write = [&place](const QString& name, const QByteArray& bytes) {
    QFile file(place.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
  };
  for (int i = 0; i < count; ++i) {
    QImage picture(72, 56, QImage::Format_RGB32);
    const QColor ground = QColor::fromHsv(i * 359 / count, 200, 220);
    picture.fill(ground);
    QPainter(&picture).fillRect(8 + i % 5 * 8, 12, 24, 24, ground.darker(250));
    const QString name = QStringLiteral("picture-%1").arg(i, 2, 10, QLatin1Char('0'));
    QVERIFY(picture.save(place.filePath(name + QStringLiteral(".png"))));
    write(name + QStringLiteral(".txt"), QStringLiteral("a square in hue %1").arg(i).toUtf8());
  }
  QFile whole(place.filePath(QStringLiteral("picture-00.png")));
  QVERIFY(whole.open(QIODevice::ReadOnly));
  write(QStringLiteral("cut.png"), whole.readAll().left(60));
  write(QStringLiteral("cut.txt"), "a picture that ends early");
  write(QStringLiteral("nothing.png"), {});
  write(QStringLiteral("nothing.txt"), "a picture without bytes");
  write(QStringLiteral("drawing.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
  write(QStringLiteral("drawing.txt"), "a drawing");
  QVERIFY(QFile::copy(whole.fileName(), place.filePath(QStringLiteral("silent.png"))));
}

Json small_config(const Json& changes) {
  Json config = *parse_json(R"({
    "data": {"source": "cartoons", "loader_threads": 1},
    "model": {"architecture": "clip-tiny", "clip": {"embed_dim": 32,
      "vision": {"image_size": 32, "patch_size": 16, "width": 32, "layers": 1, "heads": 2, "mlp_width": 64},
      "text": {"context_length": 32, "width": 32, "layers": 1, "heads": 2, "mlp_width": 64}}},
    "batch": {"size": 8}, "schedule": {"warmup_steps": 2}, "compute_threads": 1,
    "evaluate": {"every_steps": 100, "pictures": 20}, "sample": {"pictures": 4, "every_steps": 100},
    "checkpoint": {"every_steps": 50}, "budget": {"steps": 1000000}})",
                            "test");
  config.merge_patch(changes);
  return write_json(load_config(config).config);
}

}  // namespace disco::ui
