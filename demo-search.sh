#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Search by words and by meaning in the descriptions of all Debian packages that this machine knows:
#   ./demo-search.sh                       asks a question of ours
#   ./demo-search.sh "play chess against the computer"  asks yours
# Installs what is missing, builds, and makes the index once; files go to demo-output/.
# MBN=path/to/mbn uses a tool that is built already.
set -euo pipefail
cd "$(dirname "$0")"

out=demo-output
mkdir -p "$out"
mbn="${MBN:-}"
if [ -z "$mbn" ]; then
  tools/install-packages.sh build
  cmake --preset release -DMBN_BUILD_TESTS=OFF -DMBN_BUILD_BENCH=OFF -B build/demo >/dev/null
  cmake --build build/demo --target mbn-tool
  mbn=build/demo/mbn
fi

# One line per package: its name, its short description, and the long one with the tags that name its
# subject.
describe() {
  awk 'BEGIN { RS = ""; FS = "\n"; print "name\ttitle\ttext" }
    {
      name = ""; title = ""; text = ""; tags = ""; field = ""
      for (i = 1; i <= NF; i++) {
        if ($i !~ /^ /) { field = $i; sub(/:.*/, "", field) }
        line = $i
        sub(/^[^ ]*: /, "", line)
        if (field == "Package") name = line
        if (field == "Description" || field == "Description-en") {
          if ($i ~ /^ /) text = text " " line
          else title = line
        }
        if (field == "Tag") tags = tags " " line
      }
      if (name == "" || title == "" || seen[name]++) next
      # Of the tags, those that say what a package is for: "game::board:chess" is "board chess".
      topics = ""
      count = split(tags, list, /[, ]+/)
      for (i = 1; i <= count; i++) {
        if (list[i] !~ /^(use|game|works-with|field|sound|office|science|hardware)::/) continue
        sub(/^[^:]*::/, "", list[i])
        topics = topics " " list[i]
      }
      gsub(/[\t"]/, " ", title)
      gsub(/[\t"]/, " ", text)
      print name "\t" title "\t" text topics
    }'
}

if [ ! -f "$out/packages.index" ]; then
  echo "== Reading the descriptions of this machine's packages"
  apt-cache dumpavail | describe >"$out/packages.tsv"
  if [ "$(wc -l <"$out/packages.tsv")" -lt 1000 ]; then
    echo "apt knows few packages here ('apt-get update' tells it more): taking the installed ones"
    dpkg-query --status | describe >"$out/packages.tsv"
  fi
  echo "== Making the index"
  "$mbn" index "$out/packages.tsv" --id-column name --title-column title -o "$out/packages.index"
fi

echo
if [ $# -gt 0 ]; then
  "$mbn" search "$out/packages.index" "$@"
else
  for question in "text editor for programmers" "watch movies and listen to music" \
    "trees of species and their genes"; do
    echo "== $question"
    "$mbn" search "$out/packages.index" "$question" --top 5
    echo
  done
  echo "Ask your own:  ./demo-search.sh \"draw a family tree\""
fi
