// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTranslator>

namespace disco::ui {

/// Makes English of the plural texts in the source, where "%n run(s)" stands for "1 run" and "2 runs". Other languages
/// bring their own translators, which are asked first when installed later.
class EnglishPlurals : public QTranslator {
  Q_OBJECT

 public:
  using QTranslator::QTranslator;
  [[nodiscard]] bool isEmpty() const override { return false; }
  [[nodiscard]] QString translate(const char* context, const char* source, const char* disambiguation,
                                  int n) const override;
};

}  // namespace disco::ui
