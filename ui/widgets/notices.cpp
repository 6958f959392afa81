// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/notices.h"

#include <algorithm>

namespace disco::ui {

void Notices::post(Notice notice) {
  const QDateTime now = QDateTime::currentDateTime();
  const auto same = std::find_if(entries_.rbegin(), entries_.rend(), [&notice](const Entry& entry) {
    return entry.notice.text == notice.text && entry.notice.action == notice.action;
  });
  if (same != entries_.rend()) {
    same->notice = std::move(notice);
    same->last = now;
    ++same->times;
    Q_EMIT posted(same->id);
    return;
  }
  const int id = next_id_++;
  entries_.push_back({std::move(notice), now, now, 1, id});
  Q_EMIT posted(id);
}

void Notices::act(int id) {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [id](const Entry& entry) { return entry.id == id; });
  if (found == entries_.end() || !found->notice.act) return;
  const std::function<void()> act = found->notice.act;  // the action may post, which moves the entries
  act();
}

}  // namespace disco::ui
