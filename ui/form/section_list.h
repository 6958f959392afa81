// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>
#include <vector>

#include "ui/form/form_view.h"

namespace disco::ui {

/// The sections of the form beside it: a click jumps, scrolling marks, problems are counted.
class SectionList : public QListWidget {
  Q_OBJECT

 public:
  explicit SectionList(QWidget* parent = nullptr);
  void show_sections(const std::vector<FormSection>& sections);
  /// Marks a section without jumping to it.
  void mark(int section);

 Q_SIGNALS:
  void chosen(int section);
};

}  // namespace disco::ui
