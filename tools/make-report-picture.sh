#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes docs/images/report.png anew: the page of 10,000 images of clothing, as ./demo.sh makes it.
#   tools/make-report-picture.sh [the row to choose]
# Needs the tool and the packages that ./test.sh builds and installs.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/install-packages.sh browser demo
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
data=/usr/share/datasets/fashion-mnist
"${MBN_TOOL:-build/release/mbn}" cluster $data/t10k-images-idx3-ubyte.gz --clusters 10 \
  --truth $data/t10k-labels-idx1-ubyte.gz -o "$folder/labels.csv" --report "$folder/report.html" \
  --label-names "T-shirt,trouser,pullover,dress,coat,sandal,shirt,sneaker,bag,ankle boot" \
  --title "Fashion-MNIST: 10,000 images of clothing"
MBN_PAGE_FILE="$PWD/build/release/web/page.html" \
MBN_NODE_MODULES="${MBN_NODE_MODULES:-$PWD/build/release/web/npm/node_modules}" \
  node tests/page/screenshot.mjs "$folder/report.html" docs/images/report.png "colour=label&row=${1:-4394}"
if [ -n "${MBN_KEEP:-}" ]; then cp "$folder/report.html" "$MBN_KEEP"; fi
