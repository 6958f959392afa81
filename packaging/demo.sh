#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# From a fresh machine to a model that learns to caption cartoons: sets up, builds, and opens the studio on the run.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<EOF
Usage: packaging/demo.sh [--terminal] [--help]

Sets the machine up (packaging/setup.sh), builds, and opens the studio with the cartoon run training. Without a display,
or with --terminal, the same run trains here, and its progress is printed. Ctrl-C saves a checkpoint and ends it.

DISCO_WORKSPACE names the folder of the runs. Otherwise the studio takes the one it had last, at first
  $workspace
EOF
}

workspace=${DISCO_WORKSPACE:-$HOME/DisCo runs}

# True when a window can be opened: a display is named and its socket answers.
display_usable() {
  local wayland=${WAYLAND_DISPLAY:-}
  if [[ -n $wayland ]]; then
    [[ $wayland == /* ]] || wayland=${XDG_RUNTIME_DIR:-/run/user/$EUID}/$wayland
    [[ -S $wayland ]] && return 0
  fi
  local display=${DISPLAY:-}
  [[ $display =~ ^(.*):([0-9]+)(\.[0-9]+)?$ ]] || return 1
  local host=${BASH_REMATCH[1]#unix} number=${BASH_REMATCH[2]}
  if [[ -z $host ]]; then
    [[ -S /tmp/.X11-unix/X$number ]] || grep -q "@/tmp/.X11-unix/X$number\$" /proc/net/unix
  else
    timeout 3 bash -c ": </dev/tcp/$host/$((6000 + number))" 2>/dev/null
  fi
}

in_terminal=no
for argument in "$@"; do
  case $argument in
    --help | -h) usage; exit 0 ;;
    --terminal) in_terminal=yes ;;
    *) usage >&2; fail "unknown option $argument" ;;
  esac
done

"$project/packaging/setup.sh"
build release disco-studio disco-engine
bin=$project/build/release/bin

if [[ $in_terminal == no ]] && display_usable; then
  say "Opening the studio; the cartoons begin to train at once. Closing the window does not end the run."
  exec "$bin/disco-studio" ${DISCO_WORKSPACE:+--workspace "$DISCO_WORKSPACE"} --train-cartoons
fi

number=1
while [[ -e $workspace/cartoons-$number ]]; do number=$((number + 1)); done
mkdir -p "$workspace"
say "Training in $workspace/cartoons-$number"
exec "$bin/disco-engine" train "$workspace/cartoons-$number" --preset cartoons
