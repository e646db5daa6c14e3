#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# From a fresh clone to a page to explore: installs what is missing, builds, clusters 10,000 real
# images without their labels, compares with k-means on the pixels, and opens the page when there is
# a browser. Files go to demo-output/.
set -euo pipefail
cd "$(dirname "$0")"

tools/install-packages.sh build web
out=demo-output
mkdir -p "$out"
cmake --preset release -DMBN_BUILD_TESTS=OFF -DMBN_BUILD_BENCH=OFF -B build/demo >"$out/configure.log"
cmake --build build/demo --target mbn-tool
mbn=build/demo/mbn

images=/usr/share/datasets/fashion-mnist/t10k-images-idx3-ubyte.gz
labels=/usr/share/datasets/fashion-mnist/t10k-labels-idx1-ubyte.gz
if [ ! -f "$images" ]; then
  tools/install-packages.sh demo || true
fi
if [ -f "$images" ]; then
  what="Fashion-MNIST: 10,000 images of clothing, 28 x 28 pixels"
  clusters=10
  names="T-shirt,trouser,pullover,dress,coat,sandal,shirt,sneaker,bag,ankle boot"
else
  echo "The package dataset-fashion-mnist cannot be installed here: making toy data instead."
  what="toy data: 3,000 points of six shapes"
  clusters=6
  names="blob 1,blob 2,core,crescent,ring,haze"
  images="$out/toy.npy"
  labels="$out/toy-labels.npy"
  "$mbn" generate compound -n 3000 -o "$images" --labels "$labels" --force --quiet
fi

echo
echo "== $what"
echo
echo "== k-means on the raw numbers"
"$mbn" cluster "$images" --raw --clusters "$clusters" --truth "$labels" \
  -o "$out/kmeans-labels.csv" --force
echo
echo "== The network, all defaults"
page=(--report "$out/report.html")
if grep -q "No page for" "$out/configure.log"; then
  grep "No page for" "$out/configure.log"
  page=()
fi
"$mbn" cluster "$images" --clusters "$clusters" --truth "$labels" \
  --label-names "$names" -o "$out/labels.csv" --embedding "$out/embedding.npy" \
  --model "$out/model.mbn" --plot "$out/map.svg" --title "$what" "${page[@]}" --force
echo
echo "Files written:"
if [ ${#page[@]} -gt 0 ]; then
  echo "  $out/report.html     the page: open it in a browser, move the slider, click an image"
fi
echo "  $out/map.svg         the map as a picture"
echo "  $out/labels.csv      the cluster of every row"
echo "  $out/embedding.npy   the coordinates of every row"
echo "  $out/model.mbn       the network, ready for new rows"
echo
echo "Next, place other rows on the same map:"
echo "  $mbn transform $out/model.mbn $images --map -o $out/again.csv"
if [ ${#page[@]} -gt 0 ] && [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && command -v xdg-open >/dev/null; then
  xdg-open "$out/report.html" >/dev/null 2>&1 &
fi
