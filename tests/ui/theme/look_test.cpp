// SPDX-License-Identifier: GPL-3.0-or-later
//
// The theme on real widgets. With DISCO_TEST_PICTURES=FOLDER the gallery of all controls is written there to be looked
// at.
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTabBar>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/theme/colour_math.h"
#include "ui/theme/icon.h"
#include "ui/theme/sheet.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/card.h"
#include "ui/widgets/digit_label.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/meter.h"
#include "ui/widgets/notice_stack.h"
#include "ui/widgets/notices.h"
#include "ui/widgets/overlay.h"
#include "ui/widgets/state_chip.h"
#include "ui/widgets/tile.h"

namespace disco::ui {

class LookTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void cleanupTestCase();
  void modes();
  void text_size();
  void sheet_is_small();
  void every_icon_draws();
  void icons_follow_the_theme();
  void primary_button_reads();
  void controls_have_their_height();
  void digits_keep_their_places();
  void chips_are_told_apart_without_colour();
  void notices_count_and_stay_three();
  void overlay_traps_and_returns_focus();
  void gallery();

 private:
  std::unique_ptr<Theme> theme_;
};

void LookTest::initTestCase() {
  theme_ = std::make_unique<Theme>(*qobject_cast<QApplication*>(QCoreApplication::instance()));
}

void LookTest::cleanupTestCase() { theme_.reset(); }

void LookTest::modes() {
  theme_->set_mode(Theme::Mode::light);
  QSignalSpy changed(theme_.get(), &Theme::changed);
  theme_->set_mode(Theme::Mode::dark);
  QCOMPARE(changed.count(), 1);
  QVERIFY(theme_->dark());
  QCOMPARE(QApplication::palette().color(QPalette::Window), Theme::colour(Token::window, true));
  theme_->set_mode(Theme::Mode::dark);
  QCOMPARE(changed.count(), 1);
  theme_->set_mode(Theme::Mode::light);
  QCOMPARE(QApplication::palette().color(QPalette::Highlight), Theme::colour(Token::select, false));
  QCOMPARE(QApplication::palette().color(QPalette::PlaceholderText), Theme::colour(Token::text3, false));
}

void LookTest::text_size() {
  const qreal before = theme_->font(FontRole::body).pointSizeF();
  theme_->set_text_percent(150);
  QCOMPARE(theme_->font(FontRole::body).pointSizeF(), before * 1.5);
  QCOMPARE(theme_->px(sizes::control), 45);
  QCOMPARE(theme_->effective_width(1500), 1000);
  theme_->set_text_percent(1000);
  QCOMPARE(theme_->text_percent(), 150);
  theme_->set_text_percent(100);
  QVERIFY(QFontInfo(theme_->font(FontRole::caption)).pixelSize() >= 11);
}

void LookTest::sheet_is_small() {
  const QString sheet = make_sheet(*theme_);
  QVERIFY(sheet.count(QLatin1Char('{')) < 40);
  QVERIFY(!sheet.contains(QLatin1Char('%')));
  QVERIFY(!sheet.contains(QLatin1Char('@')));
}

void LookTest::every_icon_draws() {
  const QStringList names = QDir(QStringLiteral(":/icons/ui")).entryList({QStringLiteral("*.svg")});
  QVERIFY(names.size() > 30);
  for (const QString& file : names) {
    const QImage image = icon_pixmap(file.chopped(4), Qt::red, 24, 2).toImage();
    QCOMPARE(image.size(), QSize(48, 48));
    int inked = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) inked += qAlpha(image.pixel(x, y)) > 128;
    QVERIFY2(inked > 30, qPrintable(file));
  }
}

void LookTest::icons_follow_the_theme() {
  const QIcon one = icon("runs");
  const auto ink = [&one](QIcon::State state) {
    const QImage image = one.pixmap(QSize(16, 16), 1.0, QIcon::Normal, state).toImage();
    QColor darkest(Qt::transparent);
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x)
        if (image.pixelColor(x, y).alpha() > darkest.alpha()) darkest = image.pixelColor(x, y);
    return darkest;
  };
  // Premultiplied pixels may be off by one.
  const auto same = [](const QColor& a, const QColor& b) {
    return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) <= 3;
  };
  theme_->set_mode(Theme::Mode::light);
  QVERIFY(same(ink(QIcon::Off), Theme::colour(Token::text2, false)));
  QVERIFY(same(ink(QIcon::On), Theme::colour(Token::link, false)));
  theme_->set_mode(Theme::Mode::dark);
  QVERIFY(same(ink(QIcon::Off), Theme::colour(Token::text2, true)));
  theme_->set_mode(Theme::Mode::light);
}

// The label must be painted in onAccent: plain Fusion would take the dark button text.
void LookTest::primary_button_reads() {
  for (const Theme::Mode mode : {Theme::Mode::light, Theme::Mode::dark}) {
    theme_->set_mode(mode);
    QPushButton button(QStringLiteral("MMMMMM"));
    set_role(&button, "primary");
    button.resize(button.sizeHint());
    const QImage image = button.grab().toImage();
    QCOMPARE(image.pixelColor(4, image.height() / 2).rgb(), theme_->colour(Token::accent).rgb());
    double best = 1;
    for (int x = 0; x < image.width(); ++x)
      best = std::max(best, contrast(image.pixelColor(x, image.height() / 2), theme_->colour(Token::accent)));
    QVERIFY2(best >= 4.4, qPrintable(QString::number(best)));
  }
  theme_->set_mode(Theme::Mode::light);
}

void LookTest::controls_have_their_height() {
  QPushButton button(QStringLiteral("Start"));
  QLineEdit line;
  QComboBox combo;
  QSpinBox spin;
  for (QWidget* widget : std::initializer_list<QWidget*>{&button, &line, &combo, &spin}) {
    widget->show();  // polished
    QCOMPARE(widget->sizeHint().expandedTo(widget->minimumSize()).height(), sizes::control);
  }
}

void LookTest::digits_keep_their_places() {
  const QFont font = theme_->font(FontRole::number);
  QCOMPARE(digit_width(font, QStringLiteral("111.1")), digit_width(font, QStringLiteral("888.8")));
  QVERIFY(digit_width(font, QStringLiteral("1111")) > digit_width(font, QStringLiteral("111")));
}

void LookTest::chips_are_told_apart_without_colour() {
  // The shapes alone, in one ink, must differ from state to state where the words are not seen (narrow tables).
  std::vector<std::pair<ChipState, QImage>> drawn;
  for (const ChipState state : {ChipState::queued, ChipState::starting, ChipState::running, ChipState::paused,
                                ChipState::stalled, ChipState::diverged, ChipState::finished, ChipState::stopped,
                                ChipState::failed, ChipState::died, ChipState::unreadable}) {
    QImage image(20, 20, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    paint_state_shape(painter, QRectF(0, 0, 20, 20), state, Qt::black);
    painter.end();
    for (const auto& [other, before] : drawn) {
      int different = 0;
      for (int y = 0; y < 20; ++y)
        for (int x = 0; x < 20; ++x) different += std::abs(qGray(image.pixel(x, y)) - qGray(before.pixel(x, y))) > 96;
      QVERIFY2(different > 25, qPrintable(chip_word(state) + QLatin1Char('/') + chip_word(other)));
    }
    drawn.emplace_back(state, image);
  }
}

void LookTest::notices_count_and_stay_three() {
  QWidget window;
  window.resize(900, 600);
  window.show();
  Notices notices;
  NoticeStack stack(notices, &window, sizes::strip);
  int undone = 0;
  notices.post(
      {Severity::info, QStringLiteral("Moved a to trash"), QStringLiteral("Undo"), [&undone] { ++undone; }, {}});
  notices.post(
      {Severity::info, QStringLiteral("Moved a to trash"), QStringLiteral("Undo"), [&undone] { ++undone; }, {}});
  QCOMPARE(notices.entries().size(), std::size_t{1});
  QCOMPARE(notices.entries().front().times, 2);
  QCOMPARE(stack.shown(), 1);
  for (int i = 0; i < 5; ++i) notices.post({Severity::warn, QStringLiteral("n%1").arg(i), {}, {}, {}});
  QCOMPARE(stack.shown(), 3);
  QCOMPARE(notices.entries().size(), std::size_t{6});
  notices.act(notices.entries().front().id);
  QCOMPARE(undone, 1);
  QCOMPARE(stack.width(), sizes::notice);
  QVERIFY(stack.geometry().right() <= window.width() - sizes::gap4);
  QVERIFY(stack.geometry().bottom() <= window.height() - sizes::strip - sizes::gap4);
}

void LookTest::overlay_traps_and_returns_focus() {
  QWidget window;
  window.resize(900, 600);
  QLineEdit outside(&window);
  Overlay overlay(&window, QStringLiteral("Test"), QSize(300, 200));
  auto* first = new QLineEdit;
  auto* second = new QLineEdit;
  overlay.body()->addWidget(first);
  overlay.body()->addWidget(second);
  window.show();
  window.activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  outside.setFocus();
  overlay.open(first);
  QCOMPARE(QApplication::focusWidget(), first);
  QTest::keyClick(first, Qt::Key_Tab);
  QCOMPARE(QApplication::focusWidget(), second);
  QTest::keyClick(second, Qt::Key_Tab);
  QCOMPARE(QApplication::focusWidget(), first);
  QTest::keyClick(first, Qt::Key_Escape);
  QVERIFY(!overlay.isVisible());
  QCOMPARE(QApplication::focusWidget(), &outside);
}

namespace {

QWidget* controls() {
  auto* card = new Card(QStringLiteral("Controls"));
  auto* buttons = new QHBoxLayout;
  for (const char* role : {"", "primary", "danger", "flat", "link"}) {
    auto* button = new QPushButton(*role == '\0' ? QStringLiteral("Plain") : QString::fromLatin1(role));
    set_role(button, role);
    buttons->addWidget(button);
  }
  auto* off = new QPushButton(QStringLiteral("Disabled"));
  off->setEnabled(false);
  auto* tool = new QToolButton;
  tool->setIcon(icon("more"));
  auto* menu_button = new QPushButton(QStringLiteral("Export"));
  menu_button->setMenu(new QMenu(menu_button));
  buttons->addWidget(off);
  buttons->addWidget(menu_button);
  buttons->addWidget(tool);
  buttons->addStretch(1);
  card->body()->addLayout(buttons);
  auto* fields = new QHBoxLayout;
  auto* line = new QLineEdit(QStringLiteral("0.001"));
  auto* empty = new QLineEdit;
  empty->setPlaceholderText(QStringLiteral("Find a setting"));
  auto* wrong = new QLineEdit(QStringLiteral("-0.001"));
  set_problem(wrong, QStringLiteral("Must be more than 0"));
  auto* combo = new QComboBox;
  combo->addItems({QStringLiteral("Cartoons: caption in 8 minutes"), QStringLiteral("Other")});
  auto* spin = new QSpinBox;
  spin->setValue(64);
  for (QWidget* field : std::initializer_list<QWidget*>{line, empty, wrong, combo, spin}) fields->addWidget(field);
  card->body()->addLayout(fields);
  auto* marks = new QHBoxLayout;
  auto* on = new QCheckBox(QStringLiteral("Near misses"));
  on->setChecked(true);
  auto* radio = new QRadioButton(QStringLiteral("Radio"));
  radio->setChecked(true);
  auto* slider = new QSlider(Qt::Horizontal);
  slider->setValue(60);
  for (QWidget* mark : std::initializer_list<QWidget*>{on, new QCheckBox(QStringLiteral("Log y")), radio, slider})
    marks->addWidget(mark);
  card->body()->addLayout(marks);
  auto* tabs = new QTabBar;
  for (const char* name : {"Curves", "Checkpoints", "Log"}) tabs->addTab(QString::fromLatin1(name));
  card->body()->addWidget(tabs);
  return card;
}

QWidget* states() {
  auto* card = new Card(QStringLiteral("States"));
  auto* grid = new QGridLayout;
  for (int i = 0; i < 16; ++i) {
    auto* chip = new StateChip;
    chip->set_state(static_cast<ChipState>(i));
    grid->addWidget(chip, i / 6, i % 6);
  }
  card->body()->addLayout(grid);
  auto* tiles = new QHBoxLayout;
  auto* accuracy = new Tile(QStringLiteral("Held-out accuracy"));
  accuracy->set_value(words::percent(0.714), QStringLiteral("68.9–73.8, chance 20"));
  auto* loss = new Tile(QStringLiteral("Loss"));
  loss->set_value(QStringLiteral("0.682"), QStringLiteral("falling"));
  tiles->addWidget(accuracy);
  tiles->addWidget(loss);
  tiles->addWidget(new Tile(QStringLiteral("Speed")));
  card->body()->addLayout(tiles);
  auto* meter = new Meter;
  meter->set_share(0.42);
  card->body()->addWidget(meter);
  auto* banner = new Banner;
  banner->show_message(Severity::bad, QStringLiteral("Not enough memory: step 412 needed 3.1 GiB more than was free."),
                       QStringLiteral("Use chunks of 8 and resume"), QStringLiteral("raw text"),
                       QStringLiteral("Show log"));
  card->body()->addWidget(banner);
  auto* warn = new Banner;
  warn->show_message(Severity::warn, QStringLiteral("No step for 45 s; usually 0.3 s."));
  card->body()->addWidget(warn);
  return card;
}

QWidget* table() {
  auto* rows = new QTableWidget(4, 3);
  rows->setHorizontalHeaderLabels({QStringLiteral("State"), QStringLiteral("Run"), QStringLiteral("Best")});
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 3; ++column)
      rows->setItem(row, column, new QTableWidgetItem(QStringLiteral("cell %1 %2").arg(row).arg(column)));
  rows->selectRow(1);
  rows->setMaximumHeight(170);
  return rows;
}

}  // namespace

void LookTest::gallery() {
  const QString folder = qEnvironmentVariable("DISCO_TEST_PICTURES");
  for (const bool dark : {false, true}) {
    theme_->set_mode(dark ? Theme::Mode::dark : Theme::Mode::light);
    QWidget window;
    auto* layout = new QVBoxLayout(&window);
    layout->addWidget(controls());
    layout->addWidget(states());
    layout->addWidget(table());
    auto* empty = new EmptyState;
    empty->set_content(
        QStringLiteral("runs"), QStringLiteral("No runs yet"),
        QStringLiteral("A run is one training from start to finish. The quickest way to see one: teach a "
                       "small CLIP to caption cartoons."));
    empty->set_buttons(QStringLiteral("Train on cartoons"), QStringLiteral("Train on my pictures…"));
    layout->addWidget(empty);
    window.resize(1000, 1000);
    window.show();
    window.findChild<QLineEdit*>()->setFocus();
    QTest::qWait(50);
    const QImage image = window.grab().toImage();
    QCOMPARE(image.pixelColor(2, 2).rgb(), theme_->colour(Token::window).rgb());
    if (!folder.isEmpty())
      image.save(folder + (dark ? QStringLiteral("/look-dark.png") : QStringLiteral("/look-light.png")));
    QMenu menu;
    menu.addAction(icon("folder"), QStringLiteral("Show in folder"));
    menu.addSeparator();
    menu.addAction(QStringLiteral("Copy command"))->setShortcut(QKeySequence::Copy);
    menu.addAction(QStringLiteral("Disabled"))->setEnabled(false);
    menu.setActiveAction(menu.actions().first());
    menu.ensurePolished();
    menu.resize(menu.sizeHint());
    if (!folder.isEmpty())
      menu.grab().save(folder + (dark ? QStringLiteral("/menu-dark.png") : QStringLiteral("/menu-light.png")));
  }
}

}  // namespace disco::ui

QTEST_MAIN(disco::ui::LookTest)
#include "look_test.moc"
