// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QImage>
#include <QString>
#include <QStringList>
#include <QThreadPool>

class QMimeData;

namespace disco::ui {

/// Kinds of picture that can be read, as people know them.
[[nodiscard]] QString readable_kinds();

/// The picture of Try it: drop one, paste one, or open one; shown as large as it fits.
class PictureArea : public QFrame {
  Q_OBJECT

 public:
  explicit PictureArea(QWidget* parent = nullptr);
  ~PictureArea() override;

  /// Shows a picture file. What cannot be read says failed() and the picture before stays.
  void open(const QString& path);
  /// Takes what was dropped or pasted: a file, a picture, or text. False when it is nothing of these.
  bool take(const QMimeData& dropped);
  void clear();
  /// File of the picture, empty = none.
  [[nodiscard]] const QString& path() const { return path_; }
  /// Shows the model's view instead of the picture while `on`; `path` is its file.
  void set_view(const QString& path);
  void show_view(bool on);
  [[nodiscard]] bool has_view() const { return !view_path_.isEmpty(); }
  [[nodiscard]] bool loading() const { return loading_ > 0; }
  [[nodiscard]] QSize sizeHint() const override { return {560, 420}; }

 Q_SIGNALS:
  void picture_changed();
  void failed(const QString& sentence);
  void text_dropped(const QString& text);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void read(const QString& path, bool view);

  QThreadPool reader_;
  QString path_;
  QString view_path_;
  QImage picture_;
  QImage view_;
  int loading_ = 0;
  bool shows_view_ = false;
  bool dragging_ = false;
};

}  // namespace disco::ui
