#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs the Debian packages that are missing, for one purpose after another:
#   tools/install-packages.sh build test demo
# Does nothing, and needs no rights, when all are there. Uses sudo when not root.
set -euo pipefail

build=(cmake ninja-build g++ pkg-config libeigen3-dev libspectra-dev libnanoflann-dev libcli11-dev
       libfmt-dev nlohmann-json3-dev libxxhash-dev libhwy-dev libminizip-dev zlib1g-dev libstemmer-dev libutf8proc-dev
       libcairo2-dev libhdf5-dev libpng-dev libjpeg-dev libwebp-dev)
test=(libgtest-dev librapidcheck-dev python3-numpy python3-pytest clang-format)
tidy=(clang-tidy)
fuzz=(clang libclang-rt-14-dev)
python=(python3-dev python3-venv)
demo=(dataset-fashion-mnist)
compare=(dataset-fashion-mnist python3-venv)
browser=(chromium)
web=()
command -v node >/dev/null || web=(nodejs npm)  # any Node.js that is there will do

wanted=()
for purpose in "$@"; do
  case "$purpose" in
    build | test | python | tidy | fuzz | demo | compare | web | browser)
      declare -n list="$purpose" && wanted+=("${list[@]}") ;;
    *)
      echo "install-packages: unknown purpose '$purpose' (build, test, python, tidy, fuzz, demo, compare, web, browser)" >&2
      exit 2 ;;
  esac
done

missing=()
for package in "${wanted[@]}"; do
  dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
    missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
  echo "install-packages: no apt-get here; please install by hand: ${missing[*]}" >&2
  exit 1
fi
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
echo "installing: ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq >&2
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
