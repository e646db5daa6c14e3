# SPDX-License-Identifier: Apache-2.0
"""bench/before-after OLD NEW"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from .. import machine, process
from . import cases
from .rounds import Rounds, Tool
from .table import table

DESCRIPTION = """Runs the same small fits with two builds of the tool in turns, and prints the seconds of both, the
ratio of their medians, peak memory, and whether the embeddings are the same bytes. Rows are made by NumPy from a
fixed seed; where MBN_DATA is set, some of its data sets are fitted too. Takes about two minutes. Run nothing else meanwhile:
the ratio counts only on an idle machine."""

OLD_WORDS = {"--engine": "--search", "--recall": "--agreement"}


def _words(text):
    """"engine=search,recall=agreement" as {"--engine": "--search", ...}."""
    pairs = [pair.partition("=") for pair in text.split(",")]
    if not all(new and old for new, _, old in pairs):
        raise argparse.ArgumentTypeError(f"'{text}' is not NEW=OLD[,NEW=OLD]")
    return {f"--{new}": f"--{old}" for new, _, old in pairs}


def _arguments(argv):
    parser = argparse.ArgumentParser(prog="bench/before-after", description=DESCRIPTION)
    parser.add_argument("old", type=Path, metavar="OLD", help="a build of mbn")
    parser.add_argument("new", type=Path, metavar="NEW", help="another one")
    parser.add_argument("--only", metavar="NAME[,NAME]", help="these fits, by the first column of the table")
    parser.add_argument("--rounds", type=int, default=100, help="the most rounds (as many as fit into --seconds)")
    parser.add_argument("--seconds", type=float, default=120, help="how long to go on, after three rounds (120)")
    parser.add_argument("--threads", type=int, default=len(process.cores()), help="threads of a fit (all cores)")
    parser.add_argument("--old-words", type=_words, default=OLD_WORDS, metavar="NEW=OLD[,NEW=OLD]",
                        help="options of fit that have an older name, used for a tool whose help lacks the new one "
                        "(engine=search,recall=agreement)")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the made rows; less is quicker (1)")
    return parser.parse_args(argv)


def _chosen(listed, only):
    if only is None:
        return listed
    by_name = {case.name: case for case in listed}
    for name in only.split(","):
        if name not in by_name:
            sys.exit(f"'{name}' is none of {', '.join(by_name)}")
    return [by_name[name] for name in only.split(",")]


def _tool(title, path, old_words):
    if not path.is_file():
        sys.exit(f"no tool at {path}")
    return Tool(title, path, old_words)


def _write_rows(folder, scale):
    """By a child: the memory of this process would be counted to every process that it starts."""
    try:
        process.in_child(cases.write_rows, folder, scale)
    except ModuleNotFoundError as missing:
        sys.exit(f"{sys.executable} lacks {missing.name}: put a python3 that has it first on the PATH")


def say(text):
    print(text, file=sys.stderr, flush=True)


def main(argv=None):
    options = _arguments(argv)
    tools = [_tool(title, path, options.old_words) for title, path in (("old", options.old), ("new", options.new))]
    with tempfile.TemporaryDirectory(prefix="mbn-before-after-") as name:
        folder = Path(name)
        listed = cases.made_cases(folder)
        if os.environ.get("MBN_DATA"):
            listed += cases.real_cases(Path(os.environ["MBN_DATA"]))
        chosen = _chosen(listed, options.only)
        _write_rows(folder, options.scale)
        rounds = Rounds(tools, chosen, folder, options.threads)
        rounds.run(options.rounds, options.seconds, say)
    print(table(rounds))
    told = machine.describe()
    print(f"\n{rounds.count} rounds, {options.threads} threads, medians (fastest – slowest); {told['cpu']}, "
          f"{told['cores']} cores, load {machine.load()}.")
    for tool in tools:
        print(f"{tool.title}: {tool.describe()}")
    faults = [found.fault for found in rounds.timings.values() if found.fault]
    for fault in faults:
        say(fault)
    return 1 if faults else 0
