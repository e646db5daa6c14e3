#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The same bytes on 64-bit ARM: cross-compiles the library and its tests with Debian's toolchain and runs the
# golden fits, and whatever else a filter names, in qemu-user:
#   tools/golden-aarch64.sh [GTEST_FILTER]        by default *GoldenFits*
# Needs Debian and the right to install packages. Takes some twenty minutes on two cores, most of it compiling.
set -euo pipefail
cd "$(dirname "$0")/.."
filter="${1:-*GoldenFits*}"

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
libraries=(libfmt-dev libxxhash-dev libhwy-dev libminizip-dev zlib1g-dev libstemmer-dev libutf8proc-dev libgtest-dev
           librapidcheck-dev)
tools/install-packages.sh build test
if ! dpkg --print-foreign-architectures | grep -qx arm64; then
  "${as_root[@]}" dpkg --add-architecture arm64
  "${as_root[@]}" apt-get update -qq
fi
"${as_root[@]}" apt-get install -y -qq --no-install-recommends qemu-user g++-aarch64-linux-gnu "${libraries[@]/%/:arm64}" >&2

cmake -S . -B build/aarch64 -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64-linux.cmake -DCMAKE_BUILD_TYPE=Release \
  -DMBN_BUILD_TOOL=OFF -DMBN_BUILD_BENCH=OFF -DMBN_CAIRO=OFF -DMBN_HDF5=OFF -DMBN_PICTURES=OFF -DMBN_PAGE=OFF >/dev/null
cmake --build build/aarch64 --target mbn-tests
qemu-aarch64 build/aarch64/tests/mbn-tests --gtest_filter="$filter"
