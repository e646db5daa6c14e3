#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs what is missing, builds, and runs all tests.
#   ./test.sh                everything but the wheel
#   ./test.sh --fast         only the tests labelled "fast" (about a minute)
#   ./test.sh --release      the wheel too, which compiles the library once more: before a release
#   ./test.sh --preset asan  with another preset of CMakePresets.json (asan, tsan, debug)
# Further arguments go to ctest.
set -euo pipefail
cd "$(dirname "$0")"

preset=dev
folder=release
labels=(-LE release)
while [ $# -gt 0 ]; do
  case "$1" in
    --fast) labels=(-L fast); shift ;;
    --release) labels=(); shift ;;
    --preset) preset="$2"; folder="$2"; shift 2 ;;
    -h | --help) sed -n '4,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) break ;;
  esac
done

tools/install-packages.sh build test web browser
python=(-DMBN_BUILD_PYTHON=OFF)
if [ "$preset" = dev ]; then
  # The package is tested with the oldest and the newest scikit-learn. A Python that was not built
  # with a sanitizer cannot load an extension that was, so other presets leave it out.
  tools/install-packages.sh python
  tools/python-env.sh newest oldest
  python=(-DMBN_BUILD_PYTHON=ON "-DPython_EXECUTABLE=$PWD/build/python-newest/bin/python"
          "-DMBN_OLDEST_PYTHON=$PWD/build/python-oldest/bin/python")
fi
cmake --preset "$preset" "${python[@]}" >/dev/null
cmake --build "build/$folder"
ctest --test-dir "build/$folder" --output-on-failure --no-tests=error --parallel "$(nproc)" "${labels[@]}" "$@"
