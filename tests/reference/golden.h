// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QDir>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <filesystem>
#include <string>

#include "engine/base/files.h"
#include "engine/base/hash.h"

namespace disco::testing {

/// Runs a script of tests/reference with the interpreter of the cached environment. Empty when it went well, else what
/// it said.
inline QString run_reference(const QString& script, const QStringList& arguments) {
  QProcess process;
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(QStringLiteral(DISCO_PYTHON),
                QStringList{QStringLiteral(DISCO_REFERENCE_DIR) + u'/' + script} + arguments);
  constexpr int kTenMinutes = 600'000;
  const bool ended = process.waitForFinished(kTenMinutes) && process.exitStatus() == QProcess::NormalExit;
  if (ended && process.exitCode() == 0) return {};
  return script + QStringLiteral(" failed: ") + QString::fromLocal8Bit(process.readAll());
}

/// Whether the real libraries are there to be compared with.
inline bool has_reference_libraries() { return std::filesystem::exists(DISCO_PYTHON); }

/// The folder with what `script OUT_DIR arguments…` wrote. Made once for each content of the script and each version of
/// the libraries (told by the lock file of the environment), under a name of its own until complete.
inline std::filesystem::path golden(const QString& script, const QStringList& arguments = {}) {
  const std::string text = read_file(std::filesystem::path(DISCO_REFERENCE_DIR) / script.toStdString()).value_or("") +
                           read_file(DISCO_LOCK_FILE).value_or("");
  const QString name = script.section(u'.', 0, 0) + QStringLiteral("-%1").arg(hash64(text), 16, 16, QLatin1Char('0'));
  const QString folder = QStringLiteral(DISCO_GOLDEN_DIR) + u'/' + name;
  if (QDir(folder).exists()) return folder.toStdString();
  const QString part = folder + QStringLiteral(".part%1").arg(QCoreApplication::applicationPid());
  if (!QDir().mkpath(part)) qFatal("cannot create %s", qPrintable(part));
  const QString problem = run_reference(script, QStringList{part} + arguments);
  if (!problem.isEmpty()) qFatal("%s", qPrintable(problem));
  if (!QDir().rename(part, folder)) QDir(part).removeRecursively();  // another test was faster
  return folder.toStdString();
}

}  // namespace disco::testing
