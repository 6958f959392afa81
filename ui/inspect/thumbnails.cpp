// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/thumbnails.h"

#include <QImageReader>

namespace disco::ui {

namespace {

constexpr int threads = 2;
constexpr int cache_kilobytes = 64 * 1024;
constexpr int longest_side = 4096;  ///< of what is decoded; a box is never larger

QImage decode(const QString& path, int side) {
  QImageReader reader(path);
  reader.setAutoTransform(true);
  const QSize size = reader.size();
  // Small pictures grow in painting, so that their pixels stay sharp.
  if (size.isValid() && (size.width() > side || size.height() > side))
    reader.setScaledSize(size.scaled(side, side, Qt::KeepAspectRatio));
  const QImage image = reader.read();
  return image.isNull() || image.width() > longest_side || image.height() > longest_side ? QImage() : image;
}

}  // namespace

Thumbnails::Thumbnails(QObject* parent) : QObject(parent), cache_(cache_kilobytes) { pool_.setMaxThreadCount(threads); }

Thumbnails::~Thumbnails() {
  {
    const QMutexLocker lock(&mutex_);
    wanted_.clear();
  }
  pool_.waitForDone();
}

Thumbnails::Look Thumbnails::get(const QString& path, int side, qreal device_ratio) {
  if (path.isEmpty()) return {State::missing, {}};
  const int pixels = qRound(side * device_ratio);
  const QString key = QStringLiteral("%1|%2").arg(pixels).arg(path);
  if (const QPixmap* found = cache_.object(key)) {
    QPixmap pixmap = *found;
    const QSize fitted = pixmap.size().scaled(pixels, pixels, Qt::KeepAspectRatio);
    if (pixmap.size() != fitted) pixmap = pixmap.scaled(fitted, Qt::IgnoreAspectRatio, Qt::FastTransformation);
    pixmap.setDevicePixelRatio(device_ratio);
    return {State::ready, pixmap};
  }
  if (missing_.contains(key)) return {State::missing, {}};
  const bool asked = asked_.contains(key);
  {
    const QMutexLocker lock(&mutex_);
    if (asked && wanted_.contains(key)) return {};
    wanted_.insert(key);
  }
  asked_.insert(key, path);
  pool_.start([this, key, path, pixels] {
    {
      const QMutexLocker lock(&mutex_);
      if (!wanted_.contains(key)) return;
    }
    const QImage image = decode(path, pixels);
    QMetaObject::invokeMethod(this, [this, key, path, image] { take(key, path, image); });
  });
  return {};
}

void Thumbnails::keep_only(const QSet<QString>& paths) {
  const QMutexLocker lock(&mutex_);
  for (auto entry = asked_.begin(); entry != asked_.end();) {
    if (paths.contains(entry.value())) {
      ++entry;
      continue;
    }
    wanted_.remove(entry.key());
    entry = asked_.erase(entry);
  }
}

void Thumbnails::take(const QString& key, const QString& path, const QImage& image) {
  asked_.remove(key);
  {
    const QMutexLocker lock(&mutex_);
    wanted_.remove(key);
  }
  if (image.isNull())
    missing_.insert(key);
  else
    cache_.insert(key, new QPixmap(QPixmap::fromImage(image)),
                  std::max(1, static_cast<int>(image.sizeInBytes() / 1024)));
  Q_EMIT loaded(path);
}

}  // namespace disco::ui
