#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds every fuzz target with the address and undefined-behaviour sanitizers and runs each in turn:
#   tools/fuzz-all.sh MINUTES [TARGET ...]     MINUTES in all, shared equally; all targets by default
# What is found is kept in build/fuzz-found/<target>, new inputs that reach new code in
# build/fuzz-corpus/<target>. Prints a line for each target: executions, edges covered, findings.
# Fails when anything was found.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# -lt 1 ] || ! [[ "$1" =~ ^[0-9]+$ ]]; then
  sed -n '4,9s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
minutes="$1"
shift
tools/install-packages.sh build fuzz
cmake --preset fuzz >/dev/null
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  mapfile -t targets < <(cd fuzz && ls fuzz_*.cpp | sed 's/\.cpp$//')
fi
cmake --build build/fuzz --target "${targets[@]}"

seconds=$((minutes * 60 / ${#targets[@]}))
[ "$seconds" -ge 1 ] || seconds=1
found=0
printf '%-22s %12s %8s %9s\n' target executions edges findings
for target in "${targets[@]}"; do
  corpus="build/fuzz-corpus/$target"
  findings="build/fuzz-found/$target"
  mkdir -p "$corpus" "$findings"
  log="$findings/log.txt"
  # A file that takes 25 s or 2 GB to refuse is a finding too.
  "build/fuzz/fuzz/$target" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$findings/" "$corpus" "fuzz/corpus/$target" >"$log" 2>&1 || true
  count=$(find "$findings" -type f ! -name log.txt | wc -l)
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
  edges=$(grep -o 'cov: [0-9]*' "$log" | tail -n 1 | cut -d ' ' -f 2 || true)
  # A target that ended without its closing lines has crashed, whatever it left.
  [ -n "$runs" ] || count=$((count + 1))
  printf '%-22s %12s %8s %9s\n' "$target" "${runs:-crashed}" "${edges:-?}" "$count"
  found=$((found + count))
done
if [ "$found" -gt 0 ]; then
  echo "fuzz-all: $found findings; see build/fuzz-found/*/log.txt" >&2
  exit 1
fi
