// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QImage>
#include <QTemporaryDir>
#include <QtTest>

#include "ui/inspect/caption_model.h"
#include "ui/inspect/differing_words.h"
#include "ui/inspect/picture_area.h"
#include "ui/inspect/prediction_model.h"
#include "ui/inspect/thumbnails.h"
#include "ui/theme/theme.h"

namespace disco::ui {

namespace {

PredictionItem item(const char* id, std::vector<double> probabilities, int correct) {
  PredictionItem made;
  made.id = id;
  made.image = std::string("samples/") + id + ".png";
  made.candidates = {"two pigs left of a chair on the beach", "two pigs right of a chair on the beach",
                     "one pig right of a chair on the beach"};
  made.probabilities = std::move(probabilities);
  made.correct = correct;
  return made;
}

std::shared_ptr<const PredictionEvent> look(std::int64_t step, std::vector<PredictionItem> items) {
  auto made = std::make_shared<PredictionEvent>();
  made->step = step;
  made->items = std::move(items);
  return made;
}

}  // namespace

/// What the cards of Predictions and the list of Try it say.
class InspectTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Theme> theme_;
  QTemporaryDir folder_;

 private Q_SLOTS:
  void initTestCase() { theme_ = std::make_unique<Theme>(*qApp); }

  void label_saysOnlyWhatDiffers_data() {
    QTest::addColumn<QString>("truth");
    QTest::addColumn<QString>("candidate");
    QTest::addColumn<QString>("label");
    const QString truth = QStringLiteral("two pigs right of a chair on the beach");
    QTest::newRow("side") << truth << "two pigs left of a chair on the beach"
                          << "left";
    QTest::newRow("count and plural") << truth << "one pig right of a chair on the beach"
                                      << "one pig";
    QTest::newRow("two places") << truth << "two cats right of a chair in the snow"
                                << "cats … in … snow";
    QTest::newRow("case and full stop") << truth << "Two pigs right of a table on the beach."
                                        << "table";
    QTest::newRow("a word less") << truth << "two pigs right of a chair on beach"
                                 << "without the";
    QTest::newRow("another sentence") << truth << "a robot dances in the rain"
                                      << "a robot dances in the rain";
    QTest::newRow("the same") << truth << truth << truth;
    QTest::newRow("words in another order") << "a cat left of a dog"
                                            << "a dog left of a cat"
                                            << "dog … cat";
  }
  void label_saysOnlyWhatDiffers() {
    QFETCH(QString, truth);
    QFETCH(QString, candidate);
    QFETCH(QString, label);
    QCOMPARE(short_label(truth, candidate), label);
  }

  void marks_lieOnTheDifferingWords() {
    const QString truth = QStringLiteral("two pigs right of a chair");
    const QString candidate = QStringLiteral("one <pig> right of a chair");
    const CaptionDifference found = difference(truth, candidate);
    QCOMPARE(found.spans.size(), std::size_t{1});
    QCOMPARE(candidate.mid(found.spans[0].start, found.spans[0].length), QStringLiteral("one <pig>"));
    const QString html = marked_html(candidate, found.spans, QStringLiteral("#ff0000"));
    QVERIFY(html.contains(QStringLiteral(">one &lt;pig&gt;</span> right of a chair")));
  }

  void cards_tellRightWrongAndChanged() {
    PredictionModel model;
    const QAbstractItemModelTester tester(&model);
    auto events = std::make_shared<PredictionEvents>();
    events->push_back(look(100, {item("a", {0.5, 0.3, 0.2}, 1), item("b", {0.1, 0.8, 0.1}, 1)}));
    events->push_back(look(200, {item("a", {0.2, 0.7, 0.1}, 1), item("b", {0.2, 0.7, 0.1}, 1)}));
    model.set_events(QStringLiteral("/run"), events);
    QCOMPARE(model.stop(), 1);
    QCOMPARE(model.count(PredictionFilter::right), 2);
    QCOMPARE(model.count(PredictionFilter::changed), 1);
    model.set_stop(0);
    QCOMPARE(model.count(PredictionFilter::wrong), 1);
    model.set_filter(PredictionFilter::wrong);
    QCOMPARE(model.rowCount(), 1);
    const CardView& card = model.card(0);
    QCOMPARE(card.id, QStringLiteral("a"));
    QCOMPARE(card.image, QStringLiteral("/run/samples/a.png"));
    QCOMPARE(card.truth, QStringLiteral("two pigs right of a chair on the beach"));
    QVERIFY(card.candidates[0].right && !card.candidates[0].winner);
    QCOMPARE(card.candidates[1].label, QStringLiteral("left"));
    QVERIFY(card.candidates[1].winner);
    QCOMPARE(card.candidates[2].label, QStringLiteral("one pig"));
  }

  void cards_keepTheirOrderWhileTheSliderMoves() {
    PredictionModel model;
    auto events = std::make_shared<PredictionEvents>();
    events->push_back(look(100, {item("a", {0.1, 0.8, 0.1}, 1), item("b", {0.8, 0.1, 0.1}, 1)}));
    events->push_back(look(200, {item("a", {0.8, 0.1, 0.1}, 1), item("b", {0.1, 0.8, 0.1}, 1)}));
    model.set_events(QStringLiteral("/run"), events);
    model.set_sort(PredictionSort::most_wrong);
    QCOMPARE(model.card(0).id, QStringLiteral("a"));
    model.set_stop(0);
    QCOMPARE(model.card(0).id, QStringLiteral("a"));
    model.set_sort(PredictionSort::most_wrong);
    QCOMPARE(model.card(0).id, QStringLiteral("b"));
  }

  void malformedItems_areShownWithoutCandidates() {
    PredictionItem wrong = item("a", {0.1}, 2);
    QVERIFY(make_card(QStringLiteral("/run"), wrong, nullptr).candidates.empty());
    wrong.correct = -1;
    QVERIFY(make_card(QStringLiteral("/run"), wrong, nullptr).candidates.empty());
    wrong.probabilities.clear();
    QCOMPARE(winner_of(wrong), -1);
  }

  void captions_areRankedTogetherOnly() {
    CaptionModel captions;
    const QAbstractItemModelTester tester(&captions);
    QCOMPARE(captions.add(QStringLiteral("a cat\n  a  dog \n\na cat\n")), 2);
    QCOMPARE(captions.captions(), QStringList({QStringLiteral("a cat"), QStringLiteral("a dog")}));
    RankAnswer answer;
    answer.probabilities = {0.2, 0.8};
    answer.similarities = {0.1, 0.3};
    answer.cut = {"", "dog"};
    captions.take(captions.captions(), answer);
    QCOMPARE(captions.caption(0).text, QStringLiteral("a dog"));
    QCOMPARE(*captions.caption(0).probability, 0.8);
    QCOMPARE(captions.caption(0).cut, QStringLiteral("dog"));
    captions.add(QStringLiteral("a fish"));
    captions.take({QStringLiteral("a cat"), QStringLiteral("a dog")}, answer);
    QVERIFY(!captions.caption(0).probability);  // shares among two say nothing among three
    QVERIFY(captions.caption(0).similarity.has_value());
    QVERIFY(captions.setData(captions.index(0), QStringLiteral("a horse"), Qt::EditRole));
    QVERIFY(!captions.caption(0).similarity);
    captions.remove(0);
    QCOMPARE(captions.rowCount(), 2);
  }

  void thumbnails_decodeAndMiss() {
    const QString file = folder_.filePath(QStringLiteral("wide.png"));
    QImage image(400, 200, QImage::Format_RGB32);
    image.fill(Qt::red);
    QVERIFY(image.save(file));
    Thumbnails thumbnails;
    QCOMPARE(thumbnails.get(file, 100, 2).state, Thumbnails::State::loading);
    const QString gone = folder_.filePath(QStringLiteral("gone.png"));
    QCOMPARE(thumbnails.get(gone, 100, 2).state, Thumbnails::State::loading);
    QTRY_VERIFY(!thumbnails.busy());
    const auto found = thumbnails.get(file, 100, 2);
    QCOMPARE(found.state, Thumbnails::State::ready);
    QCOMPARE(found.pixmap.size(), QSize(200, 100));
    QCOMPARE(found.pixmap.deviceIndependentSize(), QSizeF(100, 50));
    QCOMPARE(thumbnails.get(gone, 100, 2).state, Thumbnails::State::missing);
  }

  void picture_thatIsNone_isNamed() {
    const QString notes = folder_.filePath(QStringLiteral("notes.txt"));
    QFile file(notes);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("not a picture");
    file.close();
    PictureArea area;
    QSignalSpy failed(&area, &PictureArea::failed);
    area.open(notes);
    QCOMPARE(failed.size(), 1);
    QVERIFY(failed[0][0].toString().startsWith(QStringLiteral("notes.txt is not a picture. Readable: ")));
    area.open(folder_.filePath(QStringLiteral("none.png")));
    QCOMPARE(failed.size(), 2);
    QVERIFY(area.path().isEmpty());
  }

  void picture_isTakenFromWhatWasDropped() {
    const QString file = folder_.filePath(QStringLiteral("drop.png"));
    QImage image(8, 8, QImage::Format_RGB32);
    image.fill(Qt::blue);
    QVERIFY(image.save(file));
    PictureArea area;
    QSignalSpy changed(&area, &PictureArea::picture_changed);
    QSignalSpy text(&area, &PictureArea::text_dropped);
    QMimeData urls;
    urls.setUrls({QUrl::fromLocalFile(file)});
    QVERIFY(area.take(urls));
    QTRY_COMPARE(changed.size(), 1);
    QCOMPARE(area.path(), file);
    QMimeData words;
    words.setText(QStringLiteral("a cat\na dog"));
    QVERIFY(area.take(words));
    QCOMPARE(text.size(), 1);
    QVERIFY(!area.take(QMimeData()));
  }
};

}  // namespace disco::ui

QTEST_MAIN(disco::ui::InspectTest)
#include "inspect_test.moc"
