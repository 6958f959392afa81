#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sets up, builds and runs every test: the preset release, then the parts without LibTorch under sanitizers.
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage() {
  cat <<EOF
Usage: packaging/test.sh [--all | --help]

Sets the machine up (packaging/setup.sh), then builds and tests
  release    everything, with every test
  sanitize   address and undefined-behaviour sanitizers on what does not need LibTorch: file readers, text, the run folder
With --all also
  tsan       thread sanitizer on the same parts
  debug      address and undefined-behaviour sanitizers on everything; the build takes long
Ends with 0 only when everything was built and every test passed. A single preset by hand: ctest --preset release -L fast
EOF
}

case ${1:-} in
  --help | -h) usage; exit 0 ;;
  --all) presets=(release sanitize tsan debug) ;;
  "") presets=(release sanitize) ;;
  *) usage >&2; fail "unknown option $1" ;;
esac

# Sanitizers of g++ 12 need addresses that newer kernels no longer give, unless asked not to shuffle them.
fixed_addresses=()
if setarch "$(uname -m)" --addr-no-randomize true 2>/dev/null; then
  fixed_addresses=(setarch "$(uname -m)" --addr-no-randomize)
fi

# Prints "PASSED FAILED" out of the closing line of the ctest output in file $1.
count_tests() {
  sed -n 's/^[0-9]*% tests passed, \([0-9]*\) tests failed out of \([0-9]*\).*/\1 \2/p' "$1" | tail -n 1 |
    awk '{print $2 - $1, $1}'
}

"$project/packaging/setup.sh" || exit 1
mkdir -p "$project/build"
summary=() passed=0 failed=0 skipped=0 status=0
for preset in "${presets[@]}"; do
  started=$SECONDS
  if ! build "$preset"; then
    summary+=("$preset: the build FAILED")
    status=1
    continue
  fi
  built=$SECONDS
  output=$project/build/$preset/test-output.txt
  say "Testing the preset $preset…"
  around=()
  [[ $preset == release ]] || around=("${fixed_addresses[@]}")
  (cd "$project" && "${around[@]}" ctest --preset "$preset" -j "$(nproc)" --no-tests=error) 2>&1 | tee "$output"
  ((PIPESTATUS[0] == 0)) || status=1
  read -r ok bad <<<"$(count_tests "$output")"
  if [[ -z ${ok:-} ]]; then
    summary+=("$preset: NO TEST ran")
    status=1
    continue
  fi
  missed=$(grep -c -E '\*\*\*Skipped' "$output" || true)
  passed=$((passed + ok - missed)) failed=$((failed + bad)) skipped=$((skipped + missed))
  summary+=("$preset: $((ok - missed)) passed, $bad failed, $missed skipped (build $((built - started)) s, tests $((SECONDS - built)) s)")
done

say ""
say "Summary"
printf '  %s\n' "${summary[@]}"
if ((status != 0)); then say "FAILED. The output of each preset's tests is in build/PRESET/test-output.txt"; fi
say "$passed passed, $failed failed, $skipped skipped"
exit $status
