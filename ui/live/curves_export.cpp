// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the curves tab saves and copies.
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QPainter>
#include <QPointer>
#include <QThread>

#include "engine/base/files.h"
#include "ui/live/chart_export.h"
#include "ui/live/curves_tab.h"
#include "ui/shell/settings.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/notices.h"

namespace disco::ui {
namespace {

ValueTable table_of(const RunSnapshot& snapshot, const PlotGroup& group, const std::vector<ChartCard*>& cards) {
  ValueTable table{snapshot.steps, snapshot.evaluations, {}, group.range(), group.axis(), group.weight()};
  for (ChartCard* card : cards)
    for (const CurveSpec& curve : card->plot().spec().curves) table.curves.push_back(curve.source);
  return table;
}

}  // namespace

QString CurvesTab::ask_path(const QString& name, const QString& ending, const QString& filter) {
  const QString folder = context_.settings.view(QStringLiteral("live/export_folder")).toString();
  const QString run = snapshot_ ? QString::fromStdString(snapshot_->folder.filename().string()) : QString();
  const QString proposal = (folder.isEmpty() ? QString() : folder + QLatin1Char('/')) + run + QLatin1Char('-') + name +
                           QLatin1Char('.') + ending;
  const QString path = QFileDialog::getSaveFileName(this, tr("Save"), proposal, filter);
  if (!path.isEmpty()) context_.settings.set_view(QStringLiteral("live/export_folder"), QFileInfo(path).absolutePath());
  return path;
}

void CurvesTab::say_saved(const QString& path, const Result<void>& result) {
  if (result)
    context_.notices.post({Severity::ok, tr("Saved %1").arg(QFileInfo(path).fileName()), {}, {}, {}});
  else
    context_.notices.post(
        {Severity::bad,
         tr("%1 cannot be written: %2").arg(QFileInfo(path).fileName(), QString::fromStdString(result.error().what)),
         {},
         {},
         QString::fromStdString(result.error().message())});
}

void CurvesTab::export_picture_of(ChartCard& card, double scale, const QString& ending) {
  const QString path =
      ask_path(card.id(), ending, ending.toUpper() + QStringLiteral(" (*.") + ending + QLatin1Char(')'));
  if (!path.isEmpty()) say_saved(path, export_picture(card.plot(), path, scale, false));
}

void CurvesTab::export_page() {
  const QString path = ask_path(QStringLiteral("curves"), QStringLiteral("png"), tr("PNG (*.png)"));
  if (path.isEmpty()) return;
  constexpr int columns = 3;
  constexpr double scale = 2;
  std::vector<QImage> images;
  QSize cell;
  for (ChartCard* card : shown_cards()) {
    images.push_back(chart_image(card->plot(), scale, false));
    cell = cell.expandedTo(images.back().size() / scale);
  }
  const int rows = (static_cast<int>(images.size()) + columns - 1) / columns;
  QImage page(QSize(cell.width() * columns, cell.height() * rows) * scale, QImage::Format_RGB32);
  page.setDevicePixelRatio(scale);
  page.fill(Theme::colour(Token::surface, false));
  QPainter painter(&page);
  for (int i = 0; i < static_cast<int>(images.size()); ++i)
    painter.drawImage(QPoint(i % columns * cell.width(), i / columns * cell.height()),
                      images[static_cast<std::size_t>(i)]);
  painter.end();
  const bool saved = page.save(path);
  say_saved(path, saved ? Result<void>{} : Result<void>(failure("the picture could not be saved", path.toStdString())));
}

void CurvesTab::export_values(const QString& name) {
  if (!snapshot_) return;
  const QString path = ask_path(name, QStringLiteral("csv"), tr("CSV (*.csv)"));
  if (path.isEmpty()) return;
  // A million rows take seconds: on a thread of their own.
  auto table = table_of(*snapshot_, group_, shown_cards());
  const QPointer<CurvesTab> self(this);
  QThread* thread = QThread::create([self, table, path] {
    auto result = write_atomically(path.toStdString(), values_text(table, ','));
    QMetaObject::invokeMethod(qApp, [self, path, result] {
      if (self) self->say_saved(path, result);
    });
  });
  connect(thread, &QThread::finished, thread, &QObject::deleteLater);
  thread->start();
}

void CurvesTab::copy_values(ChartCard& card) {
  if (!snapshot_) return;
  constexpr double most_rows = 200'000;
  ValueTable table = table_of(*snapshot_, group_, {&card});
  const std::uint64_t rows = table.steps ? table.steps->line.lower_bound(table.axis, table.range.high) -
                                               table.steps->line.lower_bound(table.axis, table.range.low)
                                         : 0;
  if (static_cast<double>(rows) > most_rows) {
    context_.notices.post(
        {Severity::info,
         tr("%1 rows are too many to copy. Zoom in, or export CSV.").arg(words::count(static_cast<qint64>(rows))),
         tr("Export CSV…"),
         [this] { export_values(QStringLiteral("curves")); },
         {}});
    return;
  }
  QGuiApplication::clipboard()->setText(QString::fromStdString(values_text(table, '\t')));
  context_.notices.post({Severity::ok, tr("Copied the values in view"), {}, {}, {}});
}

}  // namespace disco::ui
