// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/differing_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace disco::ui {

namespace {

constexpr double mostly_shared = 0.6;

struct Word {
  QString key;  ///< what is compared
  int start = 0;
  int length = 0;
};

std::vector<Word> words_of(const QString& text) {
  std::vector<Word> words;
  int start = -1;
  for (int i = 0; i <= text.size(); ++i) {
    const bool inside = i < text.size() && !text[i].isSpace();
    if (inside && start < 0) start = i;
    if (inside || start < 0) continue;
    QString key = text.mid(start, i - start).toLower();
    while (!key.isEmpty() && key.back().isPunct()) key.chop(1);
    while (!key.isEmpty() && key.front().isPunct()) key.remove(0, 1);
    words.push_back({key, start, i - start});
    start = -1;
  }
  return words;
}

/// For each word of `a` and of `b`, whether a longest common subsequence uses it.
std::pair<std::vector<bool>, std::vector<bool>> common(const std::vector<Word>& a, const std::vector<Word>& b) {
  const std::size_t columns = b.size() + 1;
  std::vector<int> length((a.size() + 1) * columns, 0);
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      length[i * columns + j] = a[i].key == b[j].key
                                    ? length[(i + 1) * columns + j + 1] + 1
                                    : std::max(length[(i + 1) * columns + j], length[i * columns + j + 1]);
  std::vector<bool> in_a(a.size(), false);
  std::vector<bool> in_b(b.size(), false);
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].key == b[j].key) {
      in_a[i++] = true;
      in_b[j++] = true;
    } else if (length[(i + 1) * columns + j] >= length[i * columns + j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  return {in_a, in_b};
}

std::vector<WordSpan> spans_of(const std::vector<Word>& words, const std::vector<bool>& shared) {
  std::vector<WordSpan> spans;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (shared[i]) continue;
    if (i > 0 && !shared[i - 1] && !spans.empty())
      spans.back().length = words[i].start + words[i].length - spans.back().start;
    else
      spans.push_back({words[i].start, words[i].length});
  }
  return spans;
}

QString joined(const QString& text, const std::vector<WordSpan>& spans) {
  QStringList parts;
  for (const WordSpan& span : spans) {
    QString part = text.mid(span.start, span.length);
    while (!part.isEmpty() && QStringLiteral(".,:;!?").contains(part.back())) part.chop(1);
    parts << part;
  }
  return parts.join(QStringLiteral(" … "));
}

}  // namespace

CaptionDifference difference(const QString& truth, const QString& candidate) {
  const auto right = words_of(truth);
  const auto other = words_of(candidate);
  const auto [in_right, in_other] = common(right, other);
  CaptionDifference found;
  const auto shared = static_cast<double>(std::count(in_other.begin(), in_other.end(), true));
  const auto longer = static_cast<double>(std::max(right.size(), other.size()));
  found.shared = longer > 0 ? shared / longer : 1;
  found.spans = spans_of(other, in_other);
  found.words = joined(candidate, found.spans);
  if (found.spans.empty()) found.missing = joined(truth, spans_of(right, in_right));
  return found;
}

QString short_label(const QString& truth, const QString& candidate) {
  const CaptionDifference found = difference(truth, candidate);
  if (found.shared < mostly_shared) return candidate;
  if (!found.words.isEmpty()) return found.words;
  return found.missing.isEmpty() ? candidate
                                 : QCoreApplication::translate("Predictions", "without %1").arg(found.missing);
}

QString marked_html(const QString& caption, const std::vector<WordSpan>& spans, const QString& ground) {
  QString html;
  int done = 0;
  for (const WordSpan& span : spans) {
    html += caption.mid(done, span.start - done).toHtmlEscaped();
    html += QStringLiteral("<span style=\"background-color:%1;font-weight:600\">%2</span>")
                .arg(ground, caption.mid(span.start, span.length).toHtmlEscaped());
    done = span.start + span.length;
  }
  return html + caption.mid(done).toHtmlEscaped();
}

}  // namespace disco::ui
