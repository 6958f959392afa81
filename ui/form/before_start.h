// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QThreadPool>
#include <QTimer>
#include <QWidget>
#include <array>
#include <optional>

#include "engine/run/serve_protocol.h"
#include "ui/form/form_check.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace disco::ui {

class Meter;
class ServeClient;
class Spinner;
class TokenFlow;

/// "Before you start": will it fit, how long, what the model sees, and the exact command.
class BeforeStart : public QWidget {
  Q_OBJECT

 public:
  /// `serve` may be null (screenshots of states): then nothing is asked.
  explicit BeforeStart(ServeClient* serve, QWidget* parent = nullptr);
  ~BeforeStart() override;

  /// A newly checked configuration: forecast at once, samples when the data are other ones.
  void show_config(const CheckedConfig& checked);
  void show_command(const QString& command);
  /// Takes a few real steps. Says measuring_changed() until it is done.
  void measure();
  [[nodiscard]] bool measuring() const { return measuring_; }
  /// Memory and time in one line, for windows too narrow for the panel.
  [[nodiscard]] QString summary() const;
  /// Whether samples are on their way or about to be asked for.
  [[nodiscard]] bool loading() const { return loading_ || preview_delay_.isActive(); }

 Q_SIGNALS:
  void batch_proposed(int batch);
  void measuring_changed();
  void summary_changed();
  /// The first pictures could not be read, or can again (empty).
  void data_problem(const Problem& problem);

 private:
  struct SampleView {
    QWidget* box = nullptr;
    QLabel* picture = nullptr;
    TokenFlow* tokens = nullptr;
    QLabel* count = nullptr;
  };
  void build_samples(class QVBoxLayout* column);
  void update_memory();
  void update_time();
  void ask_preview();
  /// What was asked is of no interest any more.
  void forget_preview();
  void take_preview(const Result<Json>& answer);
  void show_samples(const PreviewAnswer& answer);
  void take_measure(const Result<Json>& answer);

  ServeClient* serve_;
  CheckedConfig checked_;
  std::optional<MeasureAnswer> measured_;
  Json measured_for_;
  Json preview_for_;
  std::int64_t training_samples_ = 0;
  bool measuring_ = false;
  bool loading_ = false;
  QTimer preview_delay_;
  QTimer measure_clock_;
  int measure_seconds_ = 0;
  QThreadPool reader_;
  QString memory_words_;
  QString time_words_;

  Meter* memory_bar_;
  QLabel* memory_;
  QLabel* time_;
  Spinner* spinner_;
  QLabel* samples_note_;
  QLabel* skipped_;
  std::array<SampleView, 3> samples_;
  QPlainTextEdit* command_;
  QPushButton* copy_;
};

}  // namespace disco::ui
