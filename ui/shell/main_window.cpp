// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QMimeData>
#include <QVBoxLayout>

#include "ui/shell/closing.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/folders.h"
#include "ui/shell/page_stack.h"
#include "ui/shell/rail.h"
#include "ui/shell/run_bar.h"
#include "ui/shell/run_control.h"
#include "ui/shell/run_events.h"
#include "ui/shell/run_switcher.h"
#include "ui/shell/services.h"
#include "ui/shell/settings_page.h"
#include "ui/shell/sheets.h"
#include "ui/shell/strip.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/notice_stack.h"

namespace disco::ui {
namespace {

constexpr QSize first_size(1280, 800);
const QLatin1String geometry_key("window/geometry");
const QLatin1String page_key("window/page");

}  // namespace

MainWindow::MainWindow(Services& services, std::vector<PageSpec> pages)
    : services_(services),
      actions_(this),
      context_(services.context(actions_)),
      control_(new RunControl(context_, this)),
      rail_(new Rail(pages, this)),
      bar_(new RunBar(context_, *control_, this)),
      pages_(new PageStack(context_, std::move(pages), this)),
      strip_(new Strip(context_, this)),
      notices_(new NoticeStack(services.notices, this, sizes::strip)),
      palette_(new CommandPalette(this, [this] { return palette_entries(); })),
      shortcuts_(new ShortcutSheet(this, actions_)),
      notice_sheet_(new NoticeSheet(this, services.notices)) {
  setWindowTitle(tr("DisCo Studio"));
  setMinimumSize(sizes::minimum_width, sizes::minimum_height);
  setAcceptDrops(true);
  lay_out();
  wire_pages();
  wire_actions();
  wire_run_actions();
  wire_appearance();
  make_menus();
  resize(first_size);
  restoreGeometry(services_.settings.view(geometry_key).toByteArray());
  geometry_timer_.setSingleShot(true);
  geometry_timer_.setInterval(300);
  connect(&geometry_timer_, &QTimer::timeout, this, &MainWindow::remember_geometry);
  if (!show_page(services_.settings.view(page_key).toString())) show_page(QStringLiteral("runs"));
  fit();
}

MainWindow::~MainWindow() = default;

void MainWindow::lay_out() {
  auto* right = new QVBoxLayout;
  right->setContentsMargins(0, 0, 0, 0);
  right->setSpacing(0);
  right->addWidget(bar_);
  right->addWidget(pages_, 1);
  auto* middle = new QHBoxLayout;
  middle->setContentsMargins(0, 0, 0, 0);
  middle->setSpacing(0);
  middle->addWidget(rail_);
  middle->addLayout(right, 1);
  auto* whole = new QWidget(this);
  auto* layout = new QVBoxLayout(whole);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(middle, 1);
  layout->addWidget(strip_);
  setCentralWidget(whole);
}

void MainWindow::make_menus() {
  const std::pair<ActionPlace, QString> menus[] = {{ActionPlace::file, tr("&File")},
                                                   {ActionPlace::run, tr("&Run")},
                                                   {ActionPlace::view, tr("&View")},
                                                   {ActionPlace::help, tr("&Help")}};
  for (const auto& [place, title] : menus) {
    QMenu* menu = menuBar()->addMenu(title);
    if (place == ActionPlace::view) {
      for (const PageSpec& page : pages_->specs()) {
        QAction* go = menu->addAction(page.title, this, [this, id = page.id] { show_page(id); });
        if (page.number > 0) go->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + page.number)));
      }
      menu->addSeparator();
    }
    for (const ActionRow& row : action_table()) {
      if (row.place != place) continue;
      menu->addAction(actions_.action(row.id));
      if (row.group_ends) menu->addSeparator();
    }
  }
}

void MainWindow::wire_pages() {
  connect(rail_, &Rail::chosen, this, [this](const QString& id) { show_page(id); });
  connect(pages_, &PageStack::page_shown, this, [this](const QString& id) {
    rail_->set_current(id);
    bar_->setVisible(pages_->spec(id)->of_run);
    services_.settings.set_view(page_key, id);
    strip_->stay_last(current_page());
    if (id == QLatin1String("runs")) rail_->set_dot(id, false);
  });
  connect(&services_.state, &AppState::page_wanted, this,
          [this](const QString& page, const QString& tab) { show_page(page, tab); });
  connect(&services_.state, &AppState::current_run_changed, this, &MainWindow::follow_run_colour);
  connect(&services_.run, &RunWatch::updated, this, &MainWindow::follow_run_colour);
  connect(strip_, &Strip::notices_wanted, notice_sheet_, &NoticeSheet::open_sheet);
  connect(new RunEvents(context_, this), &RunEvents::something_failed, this, [this] {
    if (pages_->current_id() != QLatin1String("runs")) rail_->set_dot(QStringLiteral("runs"), true);
  });
  follow_run_colour();
}

void MainWindow::wire_actions() {
  const auto handle = [this](const char* id, auto run) { actions_.handle(id, this, run); };
  handle("run.new", [this] { show_page(QStringLiteral("new")); });
  handle("try.paste", [this] { paste_picture(); });
  handle("try.open", [this] {
    const QString file = QFileDialog::getOpenFileName(
        this, tr("Open picture"), {}, tr("Pictures (*.png *.jpg *.jpeg *.webp *.bmp *.gif *.tif *.tiff)"));
    if (!file.isEmpty()) services_.state.offer_picture(file);
  });
  handle("workspace.choose", [this] { choose_workspace(context_, this); });
  handle("workspace.show", [this] { show_in_folder(services_.state.workspace()); });
  handle("app.settings", [this] { show_page(QStringLiteral("settings")); });
  handle("app.quit", [this] { close(); });
  handle("view.palette", [this] { open_palette(); });
  handle("view.region", [this] { next_region(); });
  handle("view.next_tab", [this] { pages_->next_tab(); });
  handle("view.notices", [this] { notice_sheet_->open_sheet(); });
  handle("view.refresh", [this] {
    services_.workspace.refresh();
    services_.run.refresh();
  });
  handle("help.shortcuts",
         [this] { shortcuts_->open_sheet(pages_->spec(pages_->current_id())->title, current_page()->keys()); });
  handle("help.about", [this] { show_page(QStringLiteral("settings"), QStringLiteral("about")); });
}

void MainWindow::wire_run_actions() {
  const auto handle = [this](const char* id, auto run) { actions_.handle(id, this, run); };
  handle("run.pause", [this] { control_->pause_or_resume(); });
  handle("run.stop", [this] { control_->stop(); });
  handle("run.abort", [this] { control_->stop_without_saving(); });
  handle("run.save", [this] { control_->save(); });
  handle("run.evaluate", [this] { control_->evaluate(); });
  handle("run.switch", [this] {
    if (!bar_->isVisible()) show_page(QStringLiteral("live"));
    bar_->switcher()->open_list();
  });
  handle("run.folder", [this] { show_in_folder(services_.state.current_run()); });
  handle("run.command", [this] { control_->copy_command(); });
}

void MainWindow::wire_appearance() {
  Settings& settings = services_.settings;
  connect(&settings, &Settings::changed, this, [&settings](const QString& name) {
    if (name.startsWith(QLatin1String("appearance/"))) apply_appearance(settings);
  });
  actions_.handle("view.theme", this, [&settings] {
    settings.set(keys::theme_mode, static_cast<int>(theme().dark() ? Theme::Mode::light : Theme::Mode::dark));
  });
  actions_.handle("view.larger", this, [this] { change_text(5); });
  actions_.handle("view.smaller", this, [this] { change_text(-5); });
  actions_.handle("view.normal", this, [&settings] { settings.restore(keys::text_percent); });
  connect(&theme(), &Theme::changed, this, &MainWindow::fit);
  connect(&theme(), &Theme::changed, this, &MainWindow::follow_run_colour);
}

void MainWindow::change_text(int step) {
  services_.settings.set(keys::text_percent, std::clamp(theme().text_percent() + step, 85, 150));
}

bool MainWindow::show_page(const QString& id, const QString& tab) { return pages_->show_page(id, tab); }

Page* MainWindow::current_page() const { return pages_->current_page(); }

void MainWindow::open_palette() { palette_->open_palette(); }

void MainWindow::fit() {
  const int width = theme().effective_width(this->width());
  rail_->set_narrow(width < sizes::narrow);
  bar_->set_narrow(width < sizes::medium);
}

void MainWindow::next_region() {
  QList<QWidget*> regions{rail_, bar_, pages_, strip_};
  regions.removeIf([](const QWidget* region) { return !region->isVisible(); });
  const QWidget* focus = QApplication::focusWidget();
  qsizetype at = 0;
  for (qsizetype i = 0; i < regions.size(); ++i)
    if (focus != nullptr && (regions.at(i) == focus || regions.at(i)->isAncestorOf(focus))) at = i + 1;
  for (qsizetype i = 0; i < regions.size(); ++i) {
    QWidget* region = regions.at((at + i) % regions.size());
    for (QWidget* widget = region->nextInFocusChain(); widget != region; widget = widget->nextInFocusChain())
      if (region->isAncestorOf(widget) && widget->isVisible() && widget->isEnabled() &&
          (widget->focusPolicy() & Qt::TabFocus) != 0) {
        widget->setFocus(Qt::TabFocusReason);
        return;
      }
  }
}

void MainWindow::paste_picture() {
  if (const QString file = picture_of(QApplication::clipboard()->mimeData()); !file.isEmpty())
    services_.state.offer_picture(file);
  else
    services_.notices.post({Severity::info, tr("The clipboard holds no picture."), {}, {}, {}});
}

void MainWindow::follow_run_colour() {
  const auto& snapshot = services_.run.snapshot();
  rail_->set_run_colour(snapshot && snapshot->identity
                            ? services_.colours.colour(QString::fromStdString(snapshot->status.id))
                            : QColor());
}

void MainWindow::remember_geometry() { services_.settings.set_view(geometry_key, saveGeometry()); }

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!may_close(context_, this)) {
    event->ignore();
    return;
  }
  remember_geometry();
  event->accept();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  fit();
  geometry_timer_.start();
}

void MainWindow::moveEvent(QMoveEvent* event) {
  QMainWindow::moveEvent(event);
  geometry_timer_.start();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (holds_picture(event->mimeData())) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  if (const QString file = picture_of(event->mimeData()); !file.isEmpty()) services_.state.offer_picture(file);
}

std::vector<PaletteEntry> MainWindow::palette_entries() {
  std::vector<PaletteEntry> entries;
  for (const PageSpec& page : pages_->specs()) {
    const QString keys =
        page.number > 0
            ? QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + page.number)).toString(QKeySequence::NativeText)
            : QString();
    entries.push_back({page.title, tr("Page"), keys, [this, id = page.id] { show_page(id); }});
  }
  for (QAction* action : actions_.all())
    if (action->isEnabled() && action->objectName() != QLatin1String("run.new") &&
        action->objectName() != QLatin1String("app.settings"))  // these are pages
      entries.push_back({QString(action->text()).remove(QLatin1Char('&')), tr("Action"),
                         action->shortcut().toString(QKeySequence::NativeText), [action] { action->trigger(); }});
  for (const RunStatus& run : services_.workspace.snapshot()->runs)
    entries.push_back(
        {QString::fromStdString(run.name), tr("Run"), {}, [this, path = QString::fromStdString(run.path)] {
           services_.state.open_run(path, QStringLiteral("live"));
         }});
  for (const auto& [id, title] : settings_groups())
    entries.push_back({tr("Settings: %1").arg(title), tr("Setting"), {}, [this, group = id] {
                         show_page(QStringLiteral("settings"), group);
                       }});
  return entries;
}

}  // namespace disco::ui
