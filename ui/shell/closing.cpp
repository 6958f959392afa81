// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/closing.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

#include "ui/shell/engine_client.h"
#include "ui/shell/settings.h"
#include "ui/shell/workspace_watch.h"
#include "ui/theme/theme.h"
#include "ui/widgets/notices.h"

namespace disco::ui {
namespace {

struct Closing {
  Q_DECLARE_TR_FUNCTIONS(disco::ui::Closing)
};

}  // namespace

bool may_close(PageContext& context, QWidget* window) {
  QStringList names;
  QStringList folders;
  for (const RunStatus& run : context.workspace.snapshot()->runs) {
    if (!is_live(run.state)) continue;
    names << QString::fromStdString(run.name);
    folders << QString::fromStdString(run.path);
  }
  if (names.isEmpty() || context.settings.get(keys::close_explained)) return true;
  QMessageBox box(QMessageBox::NoIcon, Closing::tr("Training goes on"), Closing::tr("Training goes on"),
                  QMessageBox::NoButton, window);
  box.setInformativeText(
      names.size() == 1
          ? Closing::tr("%1 keeps running when this window is closed. Open DisCo Studio again to see it.")
                .arg(names.first())
          : Closing::tr("%n runs keep running when this window is closed. Open DisCo Studio again to see them.",
                        nullptr, static_cast<int>(names.size())));
  QPushButton* close = box.addButton(Closing::tr("Close window"), QMessageBox::AcceptRole);
  QPushButton* stop = box.addButton(Closing::tr("Stop and save"), QMessageBox::DestructiveRole);
  box.addButton(QMessageBox::Cancel);
  set_role(close, "primary");
  box.setDefaultButton(close);
  box.exec();
  if (box.clickedButton() != close && box.clickedButton() != stop) return false;
  if (box.clickedButton() == close) context.settings.set(keys::close_explained, true);
  if (box.clickedButton() == stop) {
    for (const QString& folder : folders) {
      const auto sent = context.engine.command(folder, CommandKind::stop);
      if (sent) continue;
      context.notices.post({Severity::bad, QString::fromStdString(sent.error().message()), {}, {}, {}});
      return false;
    }
  }
  return true;
}

}  // namespace disco::ui
