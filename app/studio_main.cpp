// SPDX-License-Identifier: GPL-3.0-or-later
//
// disco-studio: the window. All training is done by disco-engine; this program starts it, watches its run folders and
// sends it commands, and may come and go while it works.
#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <cstdio>
#include <optional>

#include "engine/base/version.h"
#include "engine/run/presets.h"
#include "engine/run/run_folder.h"
#include "ui/form/new_run_page.h"
#include "ui/inspect/predictions_page.h"
#include "ui/inspect/try_page.h"
#include "ui/live/column_source.h"
#include "ui/live/live_page.h"
#include "ui/runs/runs_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/screenshot.h"
#include "ui/shell/services.h"
#include "ui/shell/settings_page.h"
#include "ui/theme/english_plurals.h"
#include "ui/theme/theme.h"

namespace {

using namespace disco::ui;

std::vector<PageSpec> pages() {
  const auto tr = [](const char* text) { return QCoreApplication::translate("disco::ui::Rail", text); };
  return {
      {QStringLiteral("runs"), tr("Runs"), "runs", 1, false, false, make_runs_page},
      {QStringLiteral("new"), tr("New run"), "new-run", 2, false, false, make_new_run_page},
      {QStringLiteral("live"), tr("Live"), "live", 3, true, true, make_live_page},
      {QStringLiteral("predictions"), tr("Predictions"), "predictions", 4, true, false, make_predictions_page},
      {QStringLiteral("try"), tr("Try it"), "try", 5, true, false, make_try_page},
      {QStringLiteral("settings"), tr("Settings"), "settings", 0, false, false, make_settings_page},
  };
}

struct Options {
  QString workspace;
  QString run;
  QString theme;
  int text_percent = 0;
  bool train_cartoons = false;
  std::optional<ScreenshotOrder> screenshot;
};

std::optional<QSize> parse_size(const QString& text) {
  const QStringList parts = text.split(QLatin1Char('x'));
  bool wide = false;
  bool high = false;
  const QSize size(parts.value(0).toInt(&wide), parts.value(1).toInt(&high));
  return parts.size() == 2 && wide && high && !size.isEmpty() ? std::optional(size) : std::nullopt;
}

struct Option {
  const char* name;
  const char* help;
  const char* value;  ///< "" = a switch
};

constexpr Option program_options[] = {
    {"workspace", "Folder that holds the runs (default: as last time, first \"~/DisCo runs\").", "DIR"},
    {"run", "Run to show.", "DIR"},
    {"train-cartoons", "Start the cartoon run at once.", ""},
    {"theme", "system, light or dark.", "NAME"},
    {"text", "Text size in percent, 85 to 150.", "PERCENT"},
    {"screenshot", "Write a picture of a page to the file given after it, and end.", "PAGE"},
    {"tab", "With --screenshot: a tab of the page.", "NAME"},
    {"state", "With --screenshot: empty, loading or error.", "NAME"},
    {"size", "With --screenshot: size of the window, 1280x800.", "WxH"},
    {"scale", "With --screenshot: device pixels a pixel, 1 to 3.", "NUMBER"},
};

/// Ends the program on options that mean nothing.
Options parse(const QApplication& app) {
  QCommandLineParser parser;
  parser.setApplicationDescription(QStringLiteral("Trains vision-language models and shows what happens."));
  parser.addHelpOption();
  parser.addVersionOption();
  for (const Option& option : program_options)
    parser.addOption(
        {QString::fromLatin1(option.name), QString::fromLatin1(option.help), QString::fromLatin1(option.value)});
  parser.addPositionalArgument(QStringLiteral("file"), QStringLiteral("With --screenshot: the PNG file."),
                               QStringLiteral("[FILE]"));
  parser.process(app);
  const auto refuse = [](const QString& sentence) {
    std::fprintf(stderr, "disco-studio: %s\n", qPrintable(sentence));
    std::exit(2);
  };
  Options options;
  const auto absolute = [](const QString& path) { return path.isEmpty() ? path : QDir(path).absolutePath(); };
  options.workspace = absolute(parser.value(QStringLiteral("workspace")));
  options.run = absolute(parser.value(QStringLiteral("run")));
  options.train_cartoons = parser.isSet(QStringLiteral("train-cartoons"));
  options.theme = parser.value(QStringLiteral("theme"));
  const QStringList themes{QString(), QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark")};
  if (!themes.contains(options.theme))
    refuse(QStringLiteral("--theme takes system, light or dark, not %1").arg(options.theme));
  if (parser.isSet(QStringLiteral("text"))) options.text_percent = parser.value(QStringLiteral("text")).toInt();
  if (options.text_percent != 0 && (options.text_percent < 85 || options.text_percent > 150))
    refuse(QStringLiteral("--text takes 85 to 150"));
  if (!parser.isSet(QStringLiteral("screenshot"))) return options;
  const QStringList files = parser.positionalArguments();
  if (files.size() != 1) refuse(QStringLiteral("--screenshot needs a page and a file"));
  ScreenshotOrder order;
  order.page = parser.value(QStringLiteral("screenshot"));
  order.file = files.first();
  order.tab = parser.value(QStringLiteral("tab"));
  order.state = parser.value(QStringLiteral("state"));
  if (parser.isSet(QStringLiteral("size"))) {
    const auto size = parse_size(parser.value(QStringLiteral("size")));
    if (!size) refuse(QStringLiteral("--size takes WIDTHxHEIGHT"));
    order.size = *size;
  }
  options.screenshot = order;
  return options;
}

/// Qt reads the scale before the application exists.
void set_scale(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; ++i)
    if (qstrcmp(argv[i], "--scale") == 0) qputenv("QT_SCALE_FACTOR", argv[i + 1]);
}

void start_cartoons(Services& services) {
  const auto preset = disco::find_preset("cartoons");
  const std::string name = disco::free_run_name(services.state.workspace().toStdString(), "cartoons");
  const auto run = preset ? services.engine.start(QString::fromStdString(name), preset->config)
                          : disco::Result<QString>(tl::unexpected(preset.error()));
  if (run)
    services.state.open_run(*run, QStringLiteral("live"));
  else
    services.notices.post({Severity::bad, QString::fromStdString(run.error().message()), {}, {}, {}});
}

}  // namespace

int main(int argc, char** argv) {
  set_scale(argc, argv);
  QApplication::setHighDpiScaleFactorRoundingPolicy(Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
  QApplication app(argc, argv);
  QApplication::setApplicationName(QStringLiteral("disco-studio"));
  QApplication::setApplicationDisplayName(QStringLiteral("DisCo Studio"));
  QApplication::setApplicationVersion(
      QString::fromUtf8(disco::version().data(), static_cast<int>(disco::version().size())));
  QApplication::setDesktopFileName(QStringLiteral("disco-studio"));
  EnglishPlurals plurals;
  QCoreApplication::installTranslator(&plurals);
  const Options options = parse(app);

  // A screenshot shows what everyone has, not what this person has set.
  const QTemporaryDir scratch;
  Services services(options.screenshot ? scratch.filePath(QStringLiteral("settings.ini")) : QString(),
                    make_column_source);
  Theme the_theme(app);
  apply_appearance(services.settings);
  if (options.theme == QLatin1String("light")) the_theme.set_mode(Theme::Mode::light);
  if (options.theme == QLatin1String("dark")) the_theme.set_mode(Theme::Mode::dark);
  if (options.text_percent > 0) {
    if (options.screenshot) services.settings.set(keys::text_percent, options.text_percent);  // the scratch file's
    the_theme.set_text_percent(options.text_percent);
  }
  if (!options.workspace.isEmpty())
    services.state.set_workspace(options.workspace);
  else if (!options.run.isEmpty())
    services.state.set_workspace(QFileInfo(options.run).absolutePath());
  if (!options.run.isEmpty()) services.state.set_current_run(options.run);

  MainWindow window(services, pages());
  if (options.screenshot) new Screenshot(window, services, *options.screenshot);
  window.show();
  if (options.train_cartoons) start_cartoons(services);
  return QApplication::exec();
}
