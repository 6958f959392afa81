// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include "ui/shell/page.h"
#include "ui/widgets/overlay.h"

class QLineEdit;
class QListWidget;

namespace disco::ui {

/// Something that can be found by name and done.
struct PaletteEntry {
  QString text;
  QString kind;      ///< "Action", "Page", "Run", "Setting"
  QString shortcut;  ///< native text, may be empty
  std::function<void()> run;
};

/// How well typed words fit a text: 0 = not at all; every typed word must begin a word of the text, or lie in it.
[[nodiscard]] int palette_score(const QString& typed, const QString& text);

/// Ctrl+K: actions, pages, runs and settings by name, with their shortcuts.
class CommandPalette : public Overlay {
  Q_OBJECT

 public:
  using Source = std::function<std::vector<PaletteEntry>()>;
  /// `entries` is asked each time the palette opens.
  CommandPalette(QWidget* window, Source entries);
  void open_palette();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fill(const QString& typed);
  void run_current();

  Source source_;
  std::vector<PaletteEntry> entries_;
  QLineEdit* field_;
  QListWidget* list_;
};

}  // namespace disco::ui
