// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icon.h"

#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <optional>

#include "ui/theme/theme.h"

namespace disco::ui {
namespace {

/// The SVG text of an icon; read once a name.
const QByteArray& svg_text(const QString& name) {
  static QHash<QString, QByteArray> texts;
  auto found = texts.find(name);
  if (found == texts.end()) {
    QFile file(QStringLiteral(":/icons/ui/%1.svg").arg(name));
    const bool opened = file.open(QIODevice::ReadOnly);
    Q_ASSERT_X(opened, "icon", qPrintable(name));
    found = texts.insert(name, opened ? file.readAll() : QByteArray());
  }
  return *found;
}

/// Draws an icon's lines in the colour that suits the widget's state. Nothing is kept here, so a theme change needs
/// none.
class TintedIcon : public QIconEngine {
 public:
  TintedIcon(QString name, std::optional<Token> ink) : name_(std::move(name)), ink_(ink) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
    const qreal ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
    const int side = std::min(rect.width(), rect.height());
    const QPoint corner(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2);
    painter->drawPixmap(corner, icon_pixmap(name_, colour(mode, state), side, ratio));
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    return scaledPixmap(size, mode, state, 1.0);
  }

  // Qt asks in device pixels together with the ratio.
  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal ratio) override {
    const int side = std::min(size.width(), size.height());
    QPixmap drawn = icon_pixmap(name_, colour(mode, state), side, 1.0);
    drawn.setDevicePixelRatio(ratio);
    return drawn;
  }

  [[nodiscard]] QIconEngine* clone() const override { return new TintedIcon(name_, ink_); }

 private:
  [[nodiscard]] QColor colour(QIcon::Mode mode, QIcon::State state) const {
    if (mode == QIcon::Disabled) {
      QColor faint = theme().colour(Token::text3);
      faint.setAlphaF(0.5F);
      return faint;
    }
    if (ink_) return theme().colour(*ink_);
    if (state == QIcon::On) return theme().colour(Token::link);
    return theme().colour(mode == QIcon::Normal ? Token::text2 : Token::text);
  }

  QString name_;
  std::optional<Token> ink_;
};

}  // namespace

QIcon icon(const char* name) { return QIcon(new TintedIcon(QString::fromLatin1(name), std::nullopt)); }

QIcon icon(const char* name, Token ink) { return QIcon(new TintedIcon(QString::fromLatin1(name), ink)); }

QPixmap icon_pixmap(const QString& name, const QColor& ink, int logical_size, qreal device_ratio) {
  const int pixels = qRound(logical_size * device_ratio);
  if (pixels <= 0) return {};
  const QString key =
      QStringLiteral("disco-icon/%1/%2/%3").arg(name).arg(ink.rgba(), 8, 16, QLatin1Char('0')).arg(pixels);
  QPixmap pixmap;
  if (!QPixmapCache::find(key, &pixmap)) {
    QByteArray text = svg_text(name);
    text.replace("currentColor", ink.name(QColor::HexRgb).toLatin1());
    pixmap = QPixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setOpacity(ink.alphaF());
    QSvgRenderer(text).render(&painter, QRectF(0, 0, pixels, pixels));
    painter.end();
    QPixmapCache::insert(key, pixmap);
  }
  pixmap.setDevicePixelRatio(device_ratio);
  return pixmap;
}

}  // namespace disco::ui
