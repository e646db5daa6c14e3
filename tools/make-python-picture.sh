#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes docs/images/digits.png anew by running the page that shows it:
#   tools/make-python-picture.sh
# Needs the environment and the package that ./test.sh builds.
set -euo pipefail
cd "$(dirname "$0")/.."
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
MBN_KEEP_DOC_FILES="$folder" PYTHONPATH="${MBN_PACKAGE:-build/release/python}" \
  "${PYTHON:-build/python-newest/bin/python}" -m pytest -q -p no:cacheprovider tests/python/test_docs.py -k page
cp "$folder/digits.png" docs/images/digits.png
