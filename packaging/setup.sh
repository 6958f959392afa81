#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what DisCo Studio is built from. Safe to run at any time, also twice at once: what is there is left alone.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<EOF
Usage: packaging/setup.sh [--check | --print-python | --help]

Installs the Debian packages of packaging/apt-packages.txt, and fills a Python environment with the pinned packages of
packaging/requirements.lock (LibTorch is inside one of them). The environment lies outside the checkout, in
  $cache
and serves all checkouts. Needs root or sudo for Debian packages that are missing, a network, and about 12 GB of disk.

  --check         installs nothing; says what is missing and ends with 1 if anything is
  --print-python  prints the environment's interpreter and nothing else; ends with 1 if it is not set up
  --help          this text

DISCO_CACHE names another place for the environment.
EOF
}

cache=${DISCO_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/disco-studio}
lock_file=$project/packaging/requirements.lock
system_python=/usr/bin/python3 # not the first in PATH: that may be one of pyenv or conda

# Sets `environment` and `stamp`, named after everything that decides what is inside.
locate_environment() {
  [[ -x $system_python ]] || return 1
  local version key
  version=$("$system_python" -c 'import platform, sys; print(*sys.version_info[:2], platform.machine(), sep="-")')
  key=$({ grep -v '^#' "$lock_file"; echo "$version"; } | sha256sum | cut -c 1-12)
  environment=$cache/python-$key
  stamp=$environment/complete
}

environment_ready() { locate_environment && [[ -f $stamp && -x $environment/bin/python ]]; }

missing_packages() {
  local installed
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p' | sort -u)
  grep -v -E '^(#|$)' "$project/packaging/apt-packages.txt" | sort -u | comm -23 - <(printf '%s\n' "$installed") | xargs
}

free_mib() { # of the file system that holds $1, which need not exist yet
  local folder=$1
  while [[ ! -d $folder ]]; do folder=$(dirname "$folder"); done
  df -Pm "$folder" | awk 'NR == 2 {print $4}'
}

require_memory() {
  local have
  have=$(memory_mib)
  ((have >= 3600)) || fail "this machine has $have MiB of memory; building needs 4 GiB or more. Close programs, enlarge the container's limit, or build on a larger machine."
}

require_disk() { # folder, MiB, what for
  local have
  have=$(free_mib "$1")
  ((have >= $2)) || fail "$3 needs $2 MiB of disk in $1, and $have MiB are free. Free some space, or set DISCO_CACHE to a folder on a larger disk."
}

run_as_root() {
  if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

# Runs "$@" with all output in the log; says why in a few lines when it fails.
logged() {
  "$@" >>"$log" 2>&1 </dev/null
}

explain_and_fail() { # what failed, what to do
  tail -n 8 "$log" | sed 's/^/  | /' >&2
  fail "$1 $2 The whole log: $log"
}

install_packages() {
  local missing=$1
  command -v apt-get >/dev/null || fail "this is not a Debian system (there is no apt-get). Install what corresponds to: $missing"
  if ((EUID != 0)); then
    command -v sudo >/dev/null || fail "these Debian packages are missing, and you are neither root nor have sudo. Ask an administrator to run:
  apt-get install --no-install-recommends $missing"
    sudo -n true 2>/dev/null || [[ -t 0 ]] || fail "these Debian packages are missing, and sudo would ask for a password with nobody to type it. Run:
  sudo apt-get install --no-install-recommends $missing"
    sudo true || fail "sudo refused. Ask an administrator to run:
  apt-get install --no-install-recommends $missing"
  fi
  require_disk /usr 2500 "installing Debian packages"
  say "Installing Debian packages: $missing"
  # Lists that are current make the update needless, but a failed one need not matter: the install decides.
  logged run_as_root apt-get update || true
  # shellcheck disable=SC2086 # a list of names
  logged run_as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 $missing ||
    explain_and_fail "the Debian packages could not be installed." "Is the network up, and is this Debian 12 or newer? Then run packaging/setup.sh again."
}

fill_environment() {
  require_disk "$cache" 9500 "the Python environment with LibTorch"
  "$system_python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "$system_python is $("$system_python" -V); the pinned packages need Python 3.11 or newer (Debian 12 has it)."
  say "Installing LibTorch and the Python packages of requirements.lock into $environment"
  say "(about 3 GB to fetch, 5 GB on disk; a few minutes)"
  logged "$system_python" -m venv --clear "$environment" ||
    explain_and_fail "no Python environment could be made." "Check the lines above."
  # The wheels pass through a folder on the disk that was just measured: /tmp is often small.
  mkdir "$environment/tmp"
  # The lock file is complete: resolving again could only change it.
  TMPDIR=$environment/tmp logged "$environment/bin/python" -m pip install --no-cache-dir --no-deps --no-input \
    --disable-pip-version-check -r "$lock_file" ||
    explain_and_fail "the Python packages could not be installed." "Is the network up? Then run packaging/setup.sh again."
  rm -rf "$environment/tmp"
  logged "$environment/bin/python" -m pip check ||
    explain_and_fail "the Python packages do not fit together." "requirements.lock must list every package that requirements.in needs."
  touch "$stamp"
}

# One set-up at a time; the others wait and find the work done. One that was broken off leaves an environment without
# stamp, which the next fills anew; pip inherits the lock, so the next also waits for a pip that outlived its set-up.
ensure_environment() {
  environment_ready && return
  mkdir -p "$cache" 2>/dev/null && [[ -w $cache ]] || fail "cannot write to $cache. Set DISCO_CACHE to a folder of yours."
  exec 8>"$environment.lock"
  if ! flock -n 8; then
    say "Another set-up is filling $environment; waiting for it…"
    flock 8
  fi
  environment_ready || fill_environment
  exec 8>&-
}

check() {
  local missing problems=0
  missing=$(missing_packages)
  if [[ -n $missing ]]; then say "Missing Debian packages: $missing"; problems=1; fi
  if ! environment_ready; then say "The Python environment ${environment:-} is not set up."; problems=1; fi
  ((problems == 0)) && say "Everything is installed."
  return $problems
}

case ${1:-} in
  --help | -h) usage; exit 0 ;;
  --print-python) environment_ready || exit 1; say "$environment/bin/python"; exit 0 ;;
  --check) check; exit ;;
  "") ;;
  *) usage >&2; fail "unknown option $1" ;;
esac

log=${TMPDIR:-/tmp}/disco-studio-setup-$$.log
trap 'status=$?; ((status != 0)) || rm -f "$log"' EXIT
missing=$(missing_packages)
if [[ -n $missing ]] || ! environment_ready; then require_memory; fi
[[ -z $missing ]] || install_packages "$missing"
locate_environment || fail "there is no $system_python. Install Debian's python3 and python3-venv."
ensure_environment
say "Set-up is complete."
