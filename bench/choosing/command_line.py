# SPDX-License-Identifier: Apache-2.0
"""bench/choose: what the tool chooses without labels, on sets that have them."""

import argparse
import json
from dataclasses import asdict

from .. import ROOT
from . import runs, sets, table


def parser():
    made = argparse.ArgumentParser(prog="bench/choose", description=__doc__, epilog="Options after -- go to mbn cluster.")
    made.add_argument("sets", nargs="*", help="names; none: all development sets")
    made.add_argument("--mbn", default=str(ROOT / "build/release/mbn"), help="the tool")
    made.add_argument("--most", type=int, default=1200, help="rows of a set, at most; 0: all (default: 1200)")
    made.add_argument("--seeds", type=int, default=3, help="how many (default: 3)")
    made.add_argument("--given", action="store_true", help="tell the number of classes, as --clusters")
    made.add_argument("--open-held-back", action="store_true",
                      help="also the sets that are opened once, when nothing is changed any more")
    made.add_argument("--output", help="write every run to this file, a line of JSON each")
    return made


def main(arguments=None):
    arguments, options = split(arguments)
    chosen = parser().parse_args(arguments)
    names = chosen.sets or [*sets.DEVELOPMENT, *(sets.HELD_BACK if chosen.open_held_back else ())]
    refused = [name for name in names if name in sets.HELD_BACK and not chosen.open_held_back]
    if refused:
        parser().error(f"{', '.join(refused)} is held back; --open-held-back opens it, once")
    everything = []
    print(table.HEADER)
    for name in names:
        found = list(runs.run_set(chosen.mbn, name, range(chosen.seeds), chosen.most, options, chosen.given))
        print(table.line(found), flush=True)
        everything += found
    print(f"\n{table.summary(everything)}")
    if chosen.output:
        with open(chosen.output, "w") as file:
            file.writelines(json.dumps(asdict(run)) + "\n" for run in everything)
    return 0


def split(arguments):
    """Ours, and those after -- for the tool."""
    import sys
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    if "--" not in arguments:
        return arguments, []
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1:]
