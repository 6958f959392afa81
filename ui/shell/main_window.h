// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QTimer>
#include <vector>

#include "ui/shell/actions.h"
#include "ui/shell/page.h"

namespace disco::ui {

class CommandPalette;
class NoticeSheet;
class NoticeStack;
class PageStack;
class Rail;
class RunBar;
class RunControl;
class Services;
class ShortcutSheet;
class Strip;
struct PaletteEntry;

/// Layout and menus: rail, run bar, pages, strip, and what floats above them.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  MainWindow(Services& services, std::vector<PageSpec> pages);
  ~MainWindow() override;

  /// Shows a page; false when there is none of that id.
  bool show_page(const QString& id, const QString& tab = {});
  [[nodiscard]] Page* current_page() const;
  [[nodiscard]] PageStack* pages() const { return pages_; }
  [[nodiscard]] Actions& actions() { return actions_; }
  /// Opens the palette, for tests and screenshots.
  void open_palette();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void moveEvent(QMoveEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void lay_out();
  void make_menus();
  void wire_pages();
  void wire_actions();
  void wire_appearance();
  void wire_run_actions();
  void fit();
  void next_region();
  void change_text(int step);
  void paste_picture();
  void follow_run_colour();
  void remember_geometry();
  [[nodiscard]] std::vector<PaletteEntry> palette_entries();

  Services& services_;
  Actions actions_;
  PageContext context_;
  RunControl* control_;
  Rail* rail_;
  RunBar* bar_;
  PageStack* pages_;
  Strip* strip_;
  NoticeStack* notices_;
  CommandPalette* palette_;
  ShortcutSheet* shortcuts_;
  NoticeSheet* notice_sheet_;
  QTimer geometry_timer_;
};

}  // namespace disco::ui
