// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <memory>

#include "ui/inspect/caption_model.h"
#include "ui/shell/page.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QListView;
class QPushButton;
class QStackedWidget;

namespace disco::ui {

class Banner;
class Card;
class EmptyState;
class PictureArea;
class Spinner;
struct RunSnapshot;

/// Try it: a picture, captions, and how a checkpoint of the current run ranks them while training goes on.
class TryPage : public Page {
  Q_OBJECT

 public:
  explicit TryPage(PageContext& context, QWidget* parent = nullptr);

  void activate() override;
  void deactivate() override;
  bool show_state(const QString& state) override;
  [[nodiscard]] bool settled() const override;

  [[nodiscard]] CaptionModel& captions() { return captions_; }
  [[nodiscard]] PictureArea& picture() { return *picture_; }
  [[nodiscard]] QLineEdit& field() { return *field_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build_picture_side(class QHBoxLayout* columns);
  void build_captions_side(class QHBoxLayout* columns);
  void connect_all();
  void take(const std::shared_ptr<const RunSnapshot>& snapshot);
  void show_checkpoints();
  void show_place();
  void show_hint();
  void ask();
  void load_then_ask(const QString& model);
  void rank();
  void take_answer(const QStringList& asked, const QString& image, const Result<Json>& answer);
  void problem(const Error& error);
  void open_picture();
  void paste();
  void from_the_data();
  void take_offered();
  void take_checkpoint();
  void store();
  [[nodiscard]] std::int64_t newest_step() const;
  [[nodiscard]] std::int64_t chosen_step() const;
  [[nodiscard]] QString model_folder(std::int64_t step) const;

  PageContext& context_;
  CaptionModel captions_;
  std::shared_ptr<const RunSnapshot> snapshot_;
  QString run_;
  QString loaded_;   ///< folder that the helper holds
  QString loading_;  ///< folder it is loading
  std::int64_t asked_step_ = 0;
  bool asking_ = false;
  bool notice_shown_ = false;
  bool active_ = false;
  QString shown_state_;
  QStringList from_data_;  ///< captions that came with a picture of the data: replaced with the next one
  std::size_t next_from_data_ = 0;
  QElapsedTimer asked_at_;
  QTimer ask_delay_;

  Banner* banner_;
  PictureArea* picture_;
  QPushButton* open_;
  QPushButton* paste_;
  QPushButton* data_;
  QPushButton* view_;
  QLabel* time_;
  QComboBox* checkpoint_;
  QLineEdit* field_;
  QListView* list_;
  CaptionDelegate* delegate_;
  QLabel* hint_;
  Spinner* spinner_;
  QStackedWidget* places_;
  EmptyState* nothing_;
};

/// For PageSpec::make.
[[nodiscard]] Page* make_try_page(PageContext& context);

}  // namespace disco::ui
