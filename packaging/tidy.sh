#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs clang-tidy on sources. g++'s precompiled headers, which clang cannot read, are left out of the command lines.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if (($# == 0)) || [[ $1 == --help || $1 == -h ]]; then
  say "Usage: packaging/tidy.sh [-p BUILD_FOLDER] FILE…    (build/release without -p; needs Debian's clang-tidy)"
  exit 0
fi
build_folder=$project/build/release
if [[ $1 == -p ]]; then
  build_folder=$2
  shift 2
fi
command -v clang-tidy >/dev/null || fail "clang-tidy is not installed: apt-get install clang-tidy"
[[ -f $build_folder/compile_commands.json ]] || fail "$build_folder is not configured; build first."
mkdir -p "$build_folder/tidy"
sed -E 's/-include [^ ]*cmake_pch\.hxx//; s/-Winvalid-pch//g; s/-fpch-preprocess//; s/-ffile-prefix-map=[^ ]*//' \
  "$build_folder/compile_commands.json" >"$build_folder/tidy/compile_commands.json"
exec clang-tidy --quiet --extra-arg=-Wno-unknown-warning-option -p "$build_folder/tidy" "$@"
