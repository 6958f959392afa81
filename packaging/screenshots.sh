#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Takes a picture of every page and state of the studio, of a real run, in the looks and sizes that matter.
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<EOF
Usage: packaging/screenshots.sh OUT_FOLDER [RUN_DIR]

Writes OUT_FOLDER/PAGE[-TAB|-STATE]-THEME-SIZE[@SCALE].png for each page: in light and dark, at 1280x800, 900x600 and
2560x1440, at 1x and 2x, with large text, and its empty, loading and error states. Shows RUN_DIR, which may be live;
without it, a cartoon run of four minutes is trained in OUT_FOLDER first. Needs build/release; needs no display.
EOF
}

case ${1:-} in
  --help | -h) usage; exit 0 ;;
  "") usage >&2; exit 1 ;;
esac
out=$1 run=${2:-}
bin=$project/build/release/bin
[[ -x $bin/disco-studio ]] || fail "there is no $bin/disco-studio; run packaging/test.sh or packaging/demo.sh first."
mkdir -p "$out"
if [[ -z $run ]]; then
  run=$out/runs/cartoons-1
  [[ -e $run ]] || "$bin/disco-engine" train "$run" --preset cartoons --set budget.minutes=4 || exit 1
fi

taken=0 failed=0
# shot NAME OPTION…: one picture. A page that has no such state is passed over; anything else that fails is told.
shot() {
  local name=$1 words
  shift
  if words=$(QT_QPA_PLATFORM=offscreen timeout 90 "$bin/disco-studio" --run "$run" "$@" "$out/$name.png" 2>&1 >/dev/null); then
    taken=$((taken + 1))
  elif [[ $words != *"no state called"* ]]; then
    failed=$((failed + 1))
    say "$name: $words" >&2
  fi
}

pages=(runs new live predictions try settings)
for theme in light dark; do
  for page in "${pages[@]}"; do
    look=(--screenshot "$page" --theme "$theme")
    for size in 1280x800 900x600 2560x1440; do
      shot "$page-$theme-$size" "${look[@]}" --size "$size"
      shot "$page-$theme-$size@2" "${look[@]}" --size "$size" --scale 2
    done
    shot "$page-$theme-text150" "${look[@]}" --text 150
    for state in empty loading error; do
      shot "$page-$state-$theme-1280x800" "${look[@]}" --state "$state"
    done
  done
  for tab in checkpoints log; do
    shot "live-$tab-$theme-1280x800" --screenshot live --tab "$tab" --theme "$theme"
  done
done
say "$taken pictures in $out, $failed failed."
((failed == 0))
