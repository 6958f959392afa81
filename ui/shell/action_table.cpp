// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "ui/shell/actions.h"

namespace disco::ui {
namespace {

using enum ActionPlace;

// Texts are translated in the context "disco::ui::Actions". Those of place `page` are in no menu of their own.
constexpr std::array table{
    ActionRow{"run.new", QT_TRANSLATE_NOOP("disco::ui::Actions", "&New run"), "Ctrl+N", "new-run", file},
    ActionRow{"try.open", QT_TRANSLATE_NOOP("disco::ui::Actions", "&Open picture…"), "Ctrl+O", "picture", file},
    ActionRow{"try.paste", QT_TRANSLATE_NOOP("disco::ui::Actions", "&Paste picture"), "Ctrl+V", "paste", file, true},
    ActionRow{"workspace.choose", QT_TRANSLATE_NOOP("disco::ui::Actions", "Choose &workspace…"), "", "folder", file},
    ActionRow{"workspace.show", QT_TRANSLATE_NOOP("disco::ui::Actions", "Show workspace in &folder"), "", "", file,
              true},
    ActionRow{"app.settings", QT_TRANSLATE_NOOP("disco::ui::Actions", "&Settings"), "Ctrl+,", "settings", file, true},
    ActionRow{"app.quit", QT_TRANSLATE_NOOP("disco::ui::Actions", "&Quit"), "Ctrl+Q", "", file},

    ActionRow{"run.pause", QT_TRANSLATE_NOOP("disco::ui::Actions", "&Pause or resume"), "F8", "pause", run},
    ActionRow{"run.stop", QT_TRANSLATE_NOOP("disco::ui::Actions", "&Stop"), "Shift+F8", "stop", run},
    ActionRow{"run.abort", QT_TRANSLATE_NOOP("disco::ui::Actions", "Stop &without saving…"), "", "", run, true},
    ActionRow{"run.save", QT_TRANSLATE_NOOP("disco::ui::Actions", "Save &checkpoint"), "Ctrl+S", "save", run},
    ActionRow{"run.evaluate", QT_TRANSLATE_NOOP("disco::ui::Actions", "&Evaluate now"), "", "", run, true},
    ActionRow{"run.switch", QT_TRANSLATE_NOOP("disco::ui::Actions", "Choose &run"), "Alt+Down", "", run},
    ActionRow{"run.folder", QT_TRANSLATE_NOOP("disco::ui::Actions", "Show in &folder"), "", "folder", run},
    ActionRow{"run.command", QT_TRANSLATE_NOOP("disco::ui::Actions", "Copy c&ommand"), "", "copy", run},

    ActionRow{"view.palette", QT_TRANSLATE_NOOP("disco::ui::Actions", "&Find action, page or run"), "Ctrl+K", "search",
              view, true},
    ActionRow{"view.theme", QT_TRANSLATE_NOOP("disco::ui::Actions", "Light or dark &theme"), "Ctrl+Shift+T", "theme",
              view},
    ActionRow{"view.larger", QT_TRANSLATE_NOOP("disco::ui::Actions", "&Larger text"), "Ctrl++; Ctrl+=", "", view},
    ActionRow{"view.smaller", QT_TRANSLATE_NOOP("disco::ui::Actions", "&Smaller text"), "Ctrl+-", "", view},
    ActionRow{"view.normal", QT_TRANSLATE_NOOP("disco::ui::Actions", "&Normal text"), "Ctrl+0", "", view, true},
    ActionRow{"view.refresh", QT_TRANSLATE_NOOP("disco::ui::Actions", "&Read again"), "F5", "refresh", view},
    ActionRow{"view.region", QT_TRANSLATE_NOOP("disco::ui::Actions", "Next re&gion"), "F6", "", view},
    ActionRow{"view.next_tab", QT_TRANSLATE_NOOP("disco::ui::Actions", "Ne&xt tab"), "Ctrl+Tab", "", view},
    ActionRow{"view.notices", QT_TRANSLATE_NOOP("disco::ui::Actions", "N&otices"), "", "flag", view},

    ActionRow{"help.shortcuts", QT_TRANSLATE_NOOP("disco::ui::Actions", "&Shortcuts"), "Ctrl+/; F1", "keyboard", help},
    ActionRow{"help.about", QT_TRANSLATE_NOOP("disco::ui::Actions", "&About DisCo Studio"), "", "info", help},

    ActionRow{"page.main", QT_TRANSLATE_NOOP("disco::ui::Actions", "Main button of the page"), "Ctrl+Return", "", page},
    ActionRow{"page.find", QT_TRANSLATE_NOOP("disco::ui::Actions", "Find on this page"), "Ctrl+F", "search", page},
    ActionRow{"page.export", QT_TRANSLATE_NOOP("disco::ui::Actions", "Export"), "Ctrl+E", "export", page},
    ActionRow{"page.undo", QT_TRANSLATE_NOOP("disco::ui::Actions", "Undo"), "Ctrl+Z", "undo", page},
    ActionRow{"page.redo", QT_TRANSLATE_NOOP("disco::ui::Actions", "Redo"), "Ctrl+Shift+Z", "redo", page},
    ActionRow{"runs.rename", QT_TRANSLATE_NOOP("disco::ui::Actions", "Rename run"), "F2", "rename", page},
    ActionRow{"runs.duplicate", QT_TRANSLATE_NOOP("disco::ui::Actions", "Duplicate run"), "Ctrl+D", "duplicate", page},
    ActionRow{"runs.trash", QT_TRANSLATE_NOOP("disco::ui::Actions", "Move run to trash"), "Del", "trash", page},
};

}  // namespace

std::span<const ActionRow> action_table() { return table; }

}  // namespace disco::ui
