// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

namespace disco::ui {

/// A run of characters of a caption that the true caption does not have at this place.
struct WordSpan {
  int start = 0;
  int length = 0;
};

/// How a candidate differs from the true caption, word by word (longest common subsequence; case and punctuation at the
/// ends of words do not count).
struct CaptionDifference {
  double shared = 0;            ///< words in common, as a share of the longer caption's words
  std::vector<WordSpan> spans;  ///< places in the candidate that differ; neighbours joined
  QString words;                ///< the differing words, places joined with " … "
  QString missing;              ///< words of the true caption that the candidate lacks, when it has none of its own
};
[[nodiscard]] CaptionDifference difference(const QString& truth, const QString& candidate);

/// The shortest label that tells a candidate from the true caption: its differing words when it shares at least 60 % of
/// the words, "without …" when it only lacks some, else the whole caption.
[[nodiscard]] QString short_label(const QString& truth, const QString& candidate);

/// The caption as HTML, its differing words bold on the colour `ground`.
[[nodiscard]] QString marked_html(const QString& caption, const std::vector<WordSpan>& spans, const QString& ground);

}  // namespace disco::ui
