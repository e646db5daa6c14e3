# SPDX-License-Identifier: Apache-2.0
"""The command line of paper/reproduce."""

import argparse
import os
import signal
import sys
from pathlib import Path

from bench import ROOT

from . import environment

DESCRIPTION = """Runs the experiments of the paper's Section 4 and appendix and writes docs/results.md, with the
paper's numbers beside ours. Repeat a command that was interrupted and it does what is missing. Without --only it
does all but clustering-full."""


def _arguments(argv):
    parser = argparse.ArgumentParser(prog="paper/reproduce", description=DESCRIPTION)
    parser.add_argument("--only", metavar="ID[,ID]",
                        help="these experiments: toy, outlier, aml, mnist-map, mnist-layers, clustering, "
                        "clustering-full, subsets, delta, a-V, retrieval, compressive, time-V")
    parser.add_argument("--data", type=Path, default=os.environ.get("MBN_DATA", "data"),
                        help="folder of <name>/X.npy and y.npy (MBN_DATA); experiments without data are left out")
    parser.add_argument("--runs", type=int, default=10, help="runs, each with a seed of its own (10)")
    parser.add_argument("--smoke", action="store_true", help="everything in small, on data that come with scikit-learn")
    parser.add_argument("--output", type=Path, help="folder for results.md and its images (docs)")
    parser.add_argument("--mbn", type=Path, default=os.environ.get("MBN_TOOL", ROOT / "build/release/mbn"),
                        help="the tool (MBN_TOOL, else build/release/mbn)")
    parser.add_argument("--work", type=Path, help="folder of finished tasks (build/paper)")
    parser.add_argument("--report", action="store_true", help="run nothing, only write the page anew")
    return parser.parse_args(argv)


def _chosen(only):
    from .experiments import ALL, ON_REQUEST
    if only is None:
        return [name for name in ALL if name not in ON_REQUEST]
    names = only.split(",")
    for name in names:
        if name not in ALL:
            sys.exit(f"'{name}' is none of {', '.join(ALL)}")
    return names


def _setting(options):
    from .profiles import FULL, SMOKE
    from .setting import Setting
    if not options.mbn.is_file():
        sys.exit(f"no tool at {options.mbn}: build it (./test.sh), or name it with --mbn")
    out = options.work or (ROOT / "build" / ("paper-smoke" if options.smoke else "paper"))
    out.mkdir(parents=True, exist_ok=True)
    return Setting(options.mbn.resolve(), options.data.resolve(), out.resolve(), options.runs,
                   SMOKE if options.smoke else FULL)


def main(argv=None):
    options = _arguments(argv)
    options.mbn, options.data = Path(options.mbn), Path(options.data)
    if options.smoke and options.output is None:
        sys.exit("--smoke needs --output: its page is not for docs/")
    environment.enter(options.smoke)
    from . import report
    from .experiments import ALL, ON_REQUEST
    from .tasks import run_growing, say
    names = _chosen(options.only) + ([*ON_REQUEST] if options.smoke and options.only is None else [])
    setting = _setting(options)
    # An end that is asked for takes the same way as Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    interrupted = False
    try:
        if not options.report:
            run_growing(setting, lambda: [task for name in names for task in ALL[name].tasks(setting)])
    except KeyboardInterrupt:
        say("interrupted; the same command goes on from here")
        interrupted = True
    page = (options.output or ROOT / "docs") / "results.md"
    images = page.parent / "images" / "results"
    results = report.write(setting, page, images)
    say(f"wrote {page}")
    failed = [record for record in results.all_records if record["status"] == "failed"]
    for record in failed:
        say(f"failed: {record['experiment']} {record['data']} {record['method']}: {record['error']}")
    return 130 if interrupted else 1 if failed else 0
