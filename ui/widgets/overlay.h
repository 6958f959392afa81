// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>
#include <QWidget>

class QVBoxLayout;

namespace disco::ui {

/// A panel over the whole window, which is dimmed behind it: command palette, sheet of shortcuts, an enlarged picture
/// or chart. Tab stays inside; Esc, or a click beside the panel, closes it and gives the focus back to where it was.
class Overlay : public QWidget {
  Q_OBJECT

 public:
  /// `window` is the window to cover; the overlay is its child. `size` is the panel's wish; it never leaves the window.
  Overlay(QWidget* window, const QString& accessible_name, QSize size);
  /// Where the content goes.
  [[nodiscard]] QVBoxLayout* body() const { return body_; }
  /// Shows the panel and gives the focus to `first`, or to the first widget that takes it.
  void open(QWidget* first = nullptr);
  void dismiss();
  /// 0 = panel in the middle, else its distance from the top.
  void set_top(int top) { top_ = top; }

 Q_SIGNALS:
  void dismissed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  bool focusNextPrevChild(bool next) override;

 private:
  void place();

  QFrame* panel_;
  QVBoxLayout* body_;
  QPointer<QWidget> before_;
  QSize wish_;
  int top_ = 0;
};

}  // namespace disco::ui
