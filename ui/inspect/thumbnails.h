// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCache>
#include <QHash>
#include <QMutex>
#include <QObject>
#include <QPixmap>
#include <QSet>
#include <QThreadPool>

namespace disco::ui {

/// Small pictures of files, decoded at the size they are shown on two threads and kept up to 64 MB. GUI thread.
class Thumbnails : public QObject {
  Q_OBJECT

 public:
  enum class State { ready, loading, missing };

  explicit Thumbnails(QObject* parent = nullptr);
  ~Thumbnails() override;

  struct Look {
    State state = State::loading;
    QPixmap pixmap;  ///< fits into the box, device ratio set; null unless ready
  };
  /// The picture of a file in a square box of `side` logical pixels; starts decoding it when it is not there.
  [[nodiscard]] Look get(const QString& path, int side, qreal device_ratio);
  /// Keeps only these files in the queue: what was scrolled away is not decoded any more.
  void keep_only(const QSet<QString>& paths);
  /// Whether files are being decoded.
  [[nodiscard]] bool busy() const { return !asked_.isEmpty(); }

 Q_SIGNALS:
  void loaded(const QString& path);

 private:
  void take(const QString& key, const QString& path, const QImage& image);

  QThreadPool pool_;
  QCache<QString, QPixmap> cache_;
  QHash<QString, QString> asked_;  ///< key → path
  QSet<QString> missing_;
  QMutex mutex_;
  QSet<QString> wanted_;  ///< keys; shared with the threads
};

}  // namespace disco::ui
