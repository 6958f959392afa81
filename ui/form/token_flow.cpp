// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/token_flow.h"

#include <QPainter>
#include <vector>

#include "ui/theme/theme.h"

namespace disco::ui {

namespace {
constexpr int box_padding = 3;
constexpr int box_gap = 2;
}  // namespace

TokenFlow::TokenFlow(QWidget* parent) : QWidget(parent) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void TokenFlow::set_tokens(const QStringList& tokens, bool cut) {
  tokens_.clear();
  for (QString token : tokens) {
    // The vocabulary's mark for the end of a word is a space to people.
    if (token.endsWith(QLatin1String("</w>"))) token.chop(4);
    if (!token.startsWith(QLatin1String("<|"))) tokens_ << token;
  }
  cut_ = cut;
  if (cut_) tokens_ << tr("cut here");
  setAccessibleName(tr("Tokens: %1").arg(tokens_.join(QLatin1Char(' '))));
  updateGeometry();
  update();
}

int TokenFlow::flow(int width, std::vector<QRect>* places) const {
  const QFontMetrics metrics(theme().font(FontRole::caption));
  const int height = metrics.height() + 2;
  int x = 0;
  int y = 0;
  for (const QString& token : tokens_) {
    const int box = metrics.horizontalAdvance(token) + 2 * box_padding;
    if (x > 0 && x + box > width) {
      x = 0;
      y += height + box_gap;
    }
    if (places != nullptr) places->emplace_back(x, y, box, height);
    x += box + box_gap;
  }
  return tokens_.isEmpty() ? 0 : y + height;
}

int TokenFlow::heightForWidth(int width) const { return flow(width, nullptr); }

QSize TokenFlow::sizeHint() const { return {160, flow(std::max(width(), 160), nullptr)}; }

void TokenFlow::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(theme().font(FontRole::caption));
  std::vector<QRect> places;
  flow(width(), &places);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const bool mark = cut_ && i + 1 == places.size();
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().colour(mark ? Token::warn_bg : Token::neutral_bg));
    painter.drawRoundedRect(places[i], 3, 3);
    painter.setPen(theme().colour(mark ? Token::warn : Token::text2));
    painter.drawText(places[i], Qt::AlignCenter, tokens_[static_cast<int>(i)]);
  }
}

}  // namespace disco::ui
