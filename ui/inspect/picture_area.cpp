// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/picture_area.h"

#include <QDragEnterEvent>
#include <QFile>
#include <QFileInfo>
#include <QImageReader>
#include <QMimeData>
#include <QPainter>

#include "ui/shell/folders.h"
#include "ui/theme/icon.h"
#include "ui/theme/theme.h"

namespace disco::ui {

namespace {

constexpr int largest_shown = 2048;  ///< pixels a side; larger ones are decoded smaller
constexpr int smooth_from = 200;     ///< model views smaller than this keep hard pixels when they grow
constexpr int head_bytes = 16;

QImage read_image(const QString& path) {
  QImageReader reader(path);
  reader.setAutoTransform(true);
  const QSize size = reader.size();
  if (size.isValid() && (size.width() > largest_shown || size.height() > largest_shown))
    reader.setScaledSize(size.scaled(largest_shown, largest_shown, Qt::KeepAspectRatio));
  return reader.read();
}

/// Kinds that the engine reads although this window may lack the plugin for them.
bool engine_reads(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return false;
  const QByteArray head = file.read(head_bytes);
  return (head.startsWith("RIFF") && head.mid(8, 4) == "WEBP") || head.startsWith("II*") || head.startsWith("MM\0*");
}

}  // namespace

QString readable_kinds() { return QStringLiteral("PNG, JPEG, WebP, BMP, TIFF, GIF"); }

PictureArea::PictureArea(QWidget* parent) : QFrame(parent) {
  set_role(this, "card");
  setAcceptDrops(true);
  setMinimumSize(240, 200);
  setAccessibleName(tr("Picture: none"));
  reader_.setMaxThreadCount(1);
}

PictureArea::~PictureArea() { reader_.waitForDone(); }

void PictureArea::open(const QString& path) {
  const QFileInfo info(path);
  if (!info.exists()) {
    Q_EMIT failed(tr("%1 is not there.").arg(path));
    return;
  }
  if (!QImageReader(path).canRead() && !engine_reads(path)) {
    Q_EMIT failed(tr("%1 is not a picture. Readable: %2.").arg(info.fileName(), readable_kinds()));
    return;
  }
  read(info.absoluteFilePath(), false);
}

void PictureArea::read(const QString& path, bool view) {
  ++loading_;
  reader_.start([this, path, view] {
    const QImage image = read_image(path);
    QMetaObject::invokeMethod(this, [this, path, view, image] {
      --loading_;
      if (view) {
        if (path == view_path_) view_ = image;
      } else if (image.isNull() && !engine_reads(path)) {
        Q_EMIT failed(tr("%1 cannot be read: it is damaged or cut off.").arg(QFileInfo(path).fileName()));
      } else {
        path_ = path;
        picture_ = image;
        view_path_.clear();
        view_ = {};
        setAccessibleName(tr("Picture: %1").arg(QFileInfo(path).fileName()));
        Q_EMIT picture_changed();
      }
      update();
    });
  });
}

bool PictureArea::take(const QMimeData& dropped) {
  if (const QString path = picture_of(&dropped); !path.isEmpty()) {
    open(path);
    return true;
  }
  if (!dropped.hasText() || dropped.text().trimmed().isEmpty()) return false;
  Q_EMIT text_dropped(dropped.text());
  return true;
}

void PictureArea::clear() {
  path_.clear();
  picture_ = {};
  view_path_.clear();
  view_ = {};
  setAccessibleName(tr("Picture: none"));
  update();
}

void PictureArea::set_view(const QString& path) {
  view_path_ = path;
  view_ = {};
  if (!path.isEmpty()) read(path, true);
}

void PictureArea::show_view(bool on) {
  shows_view_ = on;
  update();
}

void PictureArea::paintEvent(QPaintEvent* event) {
  QFrame::paintEvent(event);
  const Theme& look = theme();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRect inside = rect().adjusted(sizes::gap3, sizes::gap3, -sizes::gap3, -sizes::gap3);
  const bool view_wanted = shows_view_ || picture_.isNull();
  const QImage& image = view_wanted && !view_.isNull() ? view_ : picture_;
  if (!image.isNull()) {
    QSize size = image.size().scaled(inside.size(), Qt::KeepAspectRatio);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, image.width() >= smooth_from);
    painter.drawImage(QRect(inside.center() - QPoint(size.width() / 2, size.height() / 2), size), image);
  } else {
    painter.drawPixmap(inside.center() - QPoint(24, 64),
                       icon_pixmap(QStringLiteral("picture"), look.colour(Token::text3), 48, devicePixelRatioF()));
    painter.setFont(look.font(FontRole::body));
    painter.setPen(look.colour(Token::text2));
    painter.drawText(inside, Qt::AlignCenter | Qt::TextWordWrap,
                     path_.isEmpty()
                         ? tr("Drop a picture here, paste one, or open one")
                         : tr("This window cannot show %1; the model can.").arg(QFileInfo(path_).fileName()));
  }
  if (!dragging_) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(look.colour(Token::link), 2, Qt::DashLine));
  painter.drawRoundedRect(QRectF(rect()).adjusted(4, 4, -4, -4), sizes::radius_card, sizes::radius_card);
}

void PictureArea::dragEnterEvent(QDragEnterEvent* event) {
  if (!event->mimeData()->hasUrls() && !event->mimeData()->hasImage() && !event->mimeData()->hasText()) return;
  event->acceptProposedAction();
  dragging_ = true;
  update();
}

void PictureArea::dragLeaveEvent(QDragLeaveEvent* /*event*/) {
  dragging_ = false;
  update();
}

void PictureArea::dropEvent(QDropEvent* event) {
  dragging_ = false;
  update();
  if (take(*event->mimeData())) event->acceptProposedAction();
}

}  // namespace disco::ui
