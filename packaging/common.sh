# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by the scripts beside it; sourced, not run.
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "$*"; }
fail() { printf 'disco-studio: %s\n' "$*" >&2; exit 1; }

# Memory in MiB that this machine, or the container around us, lets us use.
memory_mib() {
  local total limit
  total=$(awk '/^MemTotal:/ {print int($2 / 1024)}' /proc/meminfo)
  limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || echo max)
  if [[ $limit =~ ^[0-9]+$ ]] && ((limit / 1048576 < total)); then total=$((limit / 1048576)); fi
  echo "$total"
}

# Compilers at a time: one for each core, but a file that sees LibTorch takes up to 1.5 GiB.
build_jobs() {
  local jobs by_memory
  jobs=$(nproc)
  by_memory=$(($(memory_mib) / 1536))
  ((by_memory < 1)) && by_memory=1
  echo $((jobs < by_memory ? jobs : by_memory))
}

# build PRESET [TARGET…]: configures when there is no build folder yet, then builds.
build() {
  local preset=$1
  shift
  if [[ ! -f $project/build/$preset/build.ninja ]]; then
    say "Configuring the preset $preset…"
    (cd "$project" && cmake --preset "$preset") || return 1
  fi
  say "Building the preset $preset…"
  (cd "$project" && cmake --build --preset "$preset" -j "$(build_jobs)" ${1:+--target "$@"})
}
