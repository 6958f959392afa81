// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QHash>
#include <QObject>
#include <QString>

namespace disco::ui {

/// Gives each run its colour once, least used first, and keeps it in the workspace. The eleventh run starts dashes.
class RunColours : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;
  /// Reads the colours of a workspace (workspace/.disco-studio.json).
  void open(const QString& workspace);
  /// The number of a run by its id: curve colour number % 10, dash number / 10.
  [[nodiscard]] int number(const QString& run_id);
  [[nodiscard]] QColor colour(const QString& run_id);

 private:
  void save() const;

  QString file_;
  QHash<QString, int> numbers_;
};

}  // namespace disco::ui
