// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>
#include <QString>
#include <QTemporaryDir>
#include <filesystem>
#include <memory>
#include <vector>

#include "engine/run/run_config.h"
#include "ui/shell/main_window.h"
#include "ui/shell/run_watch.h"
#include "ui/shell/services.h"

namespace disco::ui {

/// The studio as a person has it: all pages, the real disco-engine, a workspace of its own.
class StudioWindow {
 public:
  StudioWindow();
  /// Ends every engine that still works in the workspace.
  ~StudioWindow();

  /// Closes the window without a word, as a kill would, and opens another one on the same settings and workspace.
  void open_again();

  [[nodiscard]] MainWindow& window() { return *window_; }
  [[nodiscard]] Services& services() { return *services_; }
  [[nodiscard]] const QTemporaryDir& folder() const { return folder_; }
  [[nodiscard]] const QString& workspace() const { return services_->state.workspace(); }
  [[nodiscard]] QString run_path(const QString& name) const { return workspace() + QLatin1Char('/') + name; }

  /// The shown page, or null when it is no T.
  template <class T>
  [[nodiscard]] T* page() {
    return dynamic_cast<T*>(window_->current_page());
  }
  /// Starts a run of a model small enough for tests and opens it on Live.
  void start_small(const QString& name, const Json& changes);

  /// Of the current run; a default one without any.
  [[nodiscard]] RunStatus status() const;
  [[nodiscard]] std::int64_t newest_checkpoint() const;

 private:
  void open();

  QTemporaryDir folder_;
  std::unique_ptr<Services> services_;
  std::unique_ptr<MainWindow> window_;
};

/// The visible and enabled button with these words inside `within`, or null.
[[nodiscard]] QPushButton* button(const QWidget& within, const QString& words);

/// Process ids of the direct children of a process.
[[nodiscard]] std::vector<int> children_of(int process);

/// A folder of pictures as a person might have it: `count` PNGs with captions, and four files that cannot be used: an
/// SVG, a PNG that is cut off, a PNG without bytes and a picture without a caption.
void draw_pictures(const QString& folder, int count);

/// Settings of a model and a rhythm for tests, over the defaults.
[[nodiscard]] Json small_config(const Json& changes);

}  // namespace disco::ui
