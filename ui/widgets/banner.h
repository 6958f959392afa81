// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <cstdint>

#include "ui/theme/tokens.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace disco::ui {

enum class Severity : std::uint8_t { info, ok, warn, bad };

/// How a severity looks wherever it is said: banner, notice, list of notices.
struct SeverityLook {
  const char* icon;
  Token ink;
  Token ground;
};
[[nodiscard]] SeverityLook severity_look(Severity severity);

/// A state that needs a person, above what it concerns: shape, sentence, one button that cures, [Details] with the raw
/// text and [Copy]. Raises an accessible alert when it appears with a new sentence.
class Banner : public QFrame {
  Q_OBJECT

 public:
  explicit Banner(QWidget* parent = nullptr);
  /// Shows the banner. `cure` and `second` are the words of up to two buttons; empty hides them. `details` is raw text.
  void show_message(Severity severity, const QString& sentence, const QString& cure = {}, const QString& details = {},
                    const QString& second = {});
  [[nodiscard]] QString sentence() const;

 Q_SIGNALS:
  void cure_clicked();
  void second_clicked();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Severity severity_ = Severity::info;
  QLabel* sentence_;
  QPushButton* cure_;
  QPushButton* second_;
  QPushButton* details_button_;
  QPushButton* copy_;
  QPlainTextEdit* details_;
};

}  // namespace disco::ui
