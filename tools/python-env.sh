#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes the virtual environments that the package is built and tested in:
#   tools/python-env.sh newest oldest
# Each is build/python-<name> with tests/python/requirements-<name>.txt installed; one that is there
# and was made from the same list is left alone.
set -euo pipefail
cd "$(dirname "$0")/.."

for name in "$@"; do
  wanted="tests/python/requirements-$name.txt"
  folder="build/python-$name"
  cmp --silent "$wanted" "$folder/requirements.txt" && continue
  echo "python-env: making $folder" >&2
  rm -rf "$folder"
  "$(tools/find-python.sh)" -m venv "$folder"
  "$folder/bin/pip" install --quiet --disable-pip-version-check -r "$wanted" >&2
  cp "$wanted" "$folder/requirements.txt"
done
