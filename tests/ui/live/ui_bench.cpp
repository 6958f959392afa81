// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measures what the Live page costs and prints it: opening a run of a million steps for the first time and from its
// cache, frames while panning and zooming eight curves, and how long the window's thread is blocked while an engine
// writes a thousand events a second. Usage: ui-bench [STEPS]. Run it with QT_QPA_PLATFORM=offscreen.
#include <sys/wait.h>
#include <unistd.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <thread>

#include "engine/base/clock.h"
#include "engine/run/run_folder.h"
#include "ui/live/chart_plot.h"
#include "ui/live/column_source.h"
#include "ui/live/live_page.h"
#include "ui/shell/actions.h"
#include "ui/shell/services.h"
#include "ui/theme/theme.h"

using namespace disco;
using namespace disco::ui;

namespace {

/// A step as the engine writes it; eight curves that look like training.
int step_line(char* line, std::size_t size, std::int64_t step, double time) {
  const double s = static_cast<double>(step);
  const double noise = std::sin(s * 12.9898) * 0.05;
  const double loss = 0.6 + 3 * std::exp(-s / 2e5) + noise;
  return std::snprintf(
      line, size,
      R"({"kind":"step","time":%.3f,"step":%lld,"epoch":0.0,"samples":%lld,"loss":%.15g,"losses":{"image_to_text":%.15g,)"
      R"("text_to_image":%.15g},"learning_rate":{"image":%.15g,"text":%.15g},"gradient_norm":%.15g,"logit_scale":%.15g,)"
      R"("samples_per_second":%.15g,"applied":true,"seconds":{"data":0.0041523,"copy":0.0,"forward":0.11132,"loss":0.00212,)"
      R"("backward":0.20123,"communication":0.0,"optimizer":0.0101,"other":0.0011,"total":0.3301},"memory":{"host":912345678,)"
      R"("device_allocated":0,"device_reserved":0,"device_peak":0}})"
      "\n",
      time, static_cast<long long>(step), static_cast<long long>(step * 64), loss, loss * 1.02 + noise,
      loss * 0.97 - noise, 1e-3 * std::exp(-s / 5e5), 7e-4 * std::exp(-s / 5e5),
      1.2 + 3 * std::exp(-s / 1e5) + noise * 4, 14.3 + 10 * (1 - std::exp(-s / 3e5)), 84 + noise * 90);
}

std::filesystem::path make_run(const std::filesystem::path& folder, std::int64_t steps) {
  RunIdentity identity;
  identity.id = "bench-" + std::to_string(steps);
  identity.name = folder.filename().string();
  identity.created = wall_seconds();
  const auto run = RunFolder::create(folder, identity, RunConfig{});
  if (!run) std::fprintf(stderr, "%s\n", run.error().message().c_str()), std::exit(1);
  std::FILE* file = std::fopen(run->events_path().c_str(), "w");
  char line[2048];
  const double start = wall_seconds() - static_cast<double>(steps) * 0.33;
  for (std::int64_t step = 1; step <= steps; ++step)
    std::fwrite(line, 1,
                static_cast<std::size_t>(step_line(line, sizeof line, step, start + static_cast<double>(step) * 0.33)),
                file);
  std::fclose(file);
  return folder;
}

/// Runs the event loop until `done`; returns seconds.
double wait_for(const std::function<bool()>& done, double most = 120) {
  QElapsedTimer clock;
  clock.start();
  while (!done() && static_cast<double>(clock.elapsed()) < most * 1000)
    QApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 5);
  return static_cast<double>(clock.nsecsElapsed()) / 1e9;
}

void print_times(const char* what, std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  const auto at = [&](double share) {
    return seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))] * 1000;
  };
  std::printf("%-52s median %6.1f ms   95 %% %6.1f ms   most %6.1f ms\n", what, at(0.5), at(0.95), at(1));
}

double open_run(const std::filesystem::path& run) {
  RunWatch watch(make_column_source);
  watch.open(run);
  return wait_for([&] { return watch.snapshot() && watch.snapshot()->progress.caught_up; });
}

ChartSpec eight_curves() {
  ChartSpec spec{QStringLiteral("bench"), QStringLiteral("Bench"), {}, ValueFormat::number, false, {}, {}};
  int colour = 0;
  for (const char* metric : {"loss", "losses/image_to_text", "losses/text_to_image", "gradient_norm", "logit_scale",
                             "samples_per_second", "learning_rate/image", "learning_rate/text"})
    spec.curves.push_back({{metric, false, true, {}, {}}, QString::fromLatin1(metric), colour++});
  return spec;
}

void bench_frames(const std::filesystem::path& run) {
  RunWatch watch(make_column_source);
  watch.open(run);
  wait_for([&] { return watch.snapshot() && watch.snapshot()->progress.caught_up; });
  const auto snapshot = watch.snapshot();
  PlotGroup group;
  ChartPlot plot(eight_curves(), group);
  plot.resize(1150, 600);
  plot.show();
  Reducer reducer;
  group.set_whole(whole_span(snapshot->steps.get(), nullptr, XAxis::step));
  std::vector<double> reductions;
  const auto feed = [&] {
    ReduceRequest request;
    request.steps = snapshot->steps;
    for (const CurveSpec& curve : plot.spec().curves) request.curves.push_back(curve.source);
    request.x_low = group.range().low;
    request.x_high = group.range().high;
    request.columns = plot.pixel_columns();
    request.weight = 0.9;
    auto chart = std::make_shared<const ReducedChart>(reducer.reduce(request));
    reductions.push_back(chart->seconds);
    plot.set_data(chart);
  };
  feed();
  std::printf("%-52s %.0f ms\n", "smoothing and reducing 8 curves, the first time", reductions.front() * 1000);
  const auto frames = [&](const char* what, const std::function<void(int)>& move) {
    std::vector<double> times;
    reductions.clear();
    for (int i = 0; i < 60; ++i) {
      QElapsedTimer clock;
      clock.start();
      move(i);
      plot.replot(QCustomPlot::rpImmediateRefresh);
      times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e9);
      feed();
    }
    print_times(what, times);
    print_times("  the worker's reduction for it", reductions);
  };
  const double whole = group.whole().high;
  frames("frame, zooming in", [&](int i) {
    group.hold(whole * 0.4 - whole * 0.4 * std::pow(0.93, i), whole * 0.4 + whole * 0.6 * std::pow(0.93, i));
  });
  frames("frame, panning a tenth of the run", [&](int i) { group.hold(whole * 0.01 * i, whole * (0.01 * i + 0.1)); });
  group.follow();
  feed();
  frames("frame, whole run, still", [](int) {});
}

[[noreturn]] void write_events(const std::filesystem::path& run, double seconds) {
  std::FILE* file = std::fopen(RunFolder(run).events_path().c_str(), "a");
  char line[2048];
  std::int64_t step = 100'000'000;
  const double start = steady_seconds();
  for (int tick = 0; steady_seconds() - start < seconds; ++tick) {
    for (int i = 0; i < 10; ++i)
      std::fwrite(line, 1, static_cast<std::size_t>(step_line(line, sizeof line, ++step, wall_seconds())), file);
    std::fflush(file);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::fclose(file);
  _exit(0);
}

/// The longest the event loop was kept from its next turn while the page follows a run that is being written.
void bench_blocking(const std::filesystem::path& run, const QString& settings) {
  Services services(settings, make_column_source);
  QWidget window;
  Actions actions(&window);
  PageContext context = services.context(actions);
  LivePage page(context);
  page.resize(1184, 700);
  page.show();
  services.run.open(run);
  page.activate();
  wait_for([&] { return services.run.snapshot() && services.run.snapshot()->progress.caught_up && page.settled(); });
  const pid_t writer = ::fork();
  if (writer == 0) write_events(run, 8);
  std::vector<double> gaps;
  QElapsedTimer clock;
  clock.start();
  double last = 0;
  QTimer beat;
  QObject::connect(&beat, &QTimer::timeout, [&] {
    const double now = static_cast<double>(clock.nsecsElapsed()) / 1e9;
    gaps.push_back(now - last - 0.001);
    last = now;
  });
  beat.setTimerType(Qt::PreciseTimer);
  beat.start(1);
  wait_for([&] { return clock.elapsed() > 8000; });
  print_times("GUI thread kept busy, 1,000 events a second", gaps);
  ::waitpid(writer, nullptr, 0);
}

}  // namespace

int main(int argc, char** argv) {
  const QTemporaryDir scratch;
  qputenv("XDG_CACHE_HOME", scratch.path().toUtf8());
  QApplication app(argc, argv);
  QApplication::setApplicationName(QStringLiteral("ui-bench"));
  Theme the_theme(app);
  const std::int64_t steps = argc > 1 ? std::atoll(argv[1]) : 1'000'000;
  const std::filesystem::path folder = scratch.path().toStdString();
  const auto run = make_run(folder / "long", steps);
  std::printf("%lld steps, %.0f MB of events\n", static_cast<long long>(steps),
              static_cast<double>(std::filesystem::file_size(RunFolder(run).events_path())) / 1e6);
  std::printf("%-52s %.2f s\n", "first open", open_run(run));
  std::printf("%-52s %.2f s\n", "open again, from the cache", open_run(run));
  bench_frames(run);
  bench_blocking(run, scratch.filePath(QStringLiteral("settings.ini")));
  bench_blocking(make_run(folder / "short", 2000), scratch.filePath(QStringLiteral("settings2.ini")));
  return 0;
}
