// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>
#include <map>
#include <vector>

#include "ui/shell/page.h"

namespace disco::ui {

/// The pages, made on their first visit. Only the shown one is active.
class PageStack : public QStackedWidget {
  Q_OBJECT

 public:
  PageStack(PageContext& context, std::vector<PageSpec> specs, QWidget* parent);

  [[nodiscard]] const std::vector<PageSpec>& specs() const { return specs_; }
  [[nodiscard]] const PageSpec* spec(const QString& id) const;
  /// Shows a page, and a tab of it if there is one of that id. False for an unknown page.
  bool show_page(const QString& id, const QString& tab = {});
  [[nodiscard]] const QString& current_id() const { return current_; }
  [[nodiscard]] Page* current_page() const;
  void next_tab();

 Q_SIGNALS:
  void page_shown(const QString& id);

 private:
  PageContext& context_;
  std::vector<PageSpec> specs_;
  std::map<QString, Page*> pages_;
  QString current_;
};

}  // namespace disco::ui
