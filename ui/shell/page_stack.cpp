// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/page_stack.h"

#include <algorithm>

#include "ui/shell/actions.h"
#include "ui/theme/theme.h"

namespace disco::ui {

PageStack::PageStack(PageContext& context, std::vector<PageSpec> specs, QWidget* parent)
    : QStackedWidget(parent), context_(context), specs_(std::move(specs)) {
  set_role(this, "page");
}

const PageSpec* PageStack::spec(const QString& id) const {
  const auto found = std::find_if(specs_.begin(), specs_.end(), [&id](const PageSpec& spec) { return spec.id == id; });
  return found == specs_.end() ? nullptr : &*found;
}

bool PageStack::show_page(const QString& id, const QString& tab) {
  const PageSpec* wanted = spec(id);
  if (wanted == nullptr) return false;
  if (id != current_) {
    if (Page* before = current_page()) {
      before->deactivate();
      context_.actions.set_active(before, false);
    }
    auto& page = pages_[id];
    if (page == nullptr) {
      page = wanted->make(context_);
      page->setObjectName(id);
      page->setAccessibleName(wanted->title);
      addWidget(page);
    }
    current_ = id;
    setCurrentWidget(page);
    context_.actions.set_active(page, true);
    // Without a ring: the first Tab goes to the first thing on the page. Who works in the rail stays there.
    const QWidget* focus = window()->focusWidget();
    if (focus == nullptr || isAncestorOf(focus)) page->setFocus(Qt::OtherFocusReason);
    page->activate();
    Q_EMIT page_shown(id);
  }
  if (!tab.isEmpty()) current_page()->show_tab(tab);
  return true;
}

Page* PageStack::current_page() const {
  const auto found = pages_.find(current_);
  return found == pages_.end() ? nullptr : found->second;
}

void PageStack::next_tab() {
  Page* page = current_page();
  if (page == nullptr) return;
  const QStringList tabs = page->tabs();
  if (tabs.size() < 2) return;
  page->show_tab(tabs.at((tabs.indexOf(page->current_tab()) + 1) % tabs.size()));
}

}  // namespace disco::ui
