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
paper's numbers beside ours; maps, which the paper has not, are on docs/maps.md. Repeat a command that was interrupted and it does what is missing. Without --only it
does all but clustering-full and maps."""


def _arguments(argv):
    parser = argparse.ArgumentParser(prog="paper/reproduce", description=DESCRIPTION)
    parser.add_argument("--only", metavar="ID[,ID]",
                        help="these experiments: toy, outlier, aml, mnist-map, mnist-layers, maps, "
                        "clustering, clustering-full, subsets, delta, a-V, retrieval, compressive, time-V")
    parser.add_argument("--data", type=Path, default=os.environ.get("MBN_DATA", "data"),
                        help="folder of <name>/X.npy and y.npy (MBN_DATA); experiments without data are left out")
    parser.add_argument("--runs", type=int, default=10, help="runs, each with a seed of its own (10)")
    parser.add_argument("--smoke", action="store_true", help="all experiments on small data that come with scikit-learn")
    parser.add_argument("--output", type=Path, help="folder for results.md, maps.md and their images (docs)")
    parser.add_argument("--mbn", type=Path, default=os.environ.get("MBN_TOOL", ROOT / "build/release/mbn"),
                        help="the tool (MBN_TOOL, else build/release/mbn)")
    parser.add_argument("--work", type=Path, help="folder of finished tasks (build/paper)")
    parser.add_argument("--report", action="store_true", help="run nothing, only write the page anew")
    parser.add_argument("--force", action="store_true", help="replace a page that has more results")
    return parser.parse_args(argv)


def _check_folder(options):
    """Ends when the folder of data is missing. Data from `mbn generate` need none."""
    generated = options.only is not None and set(options.only.split(",")) <= {"toy", "outlier"}
    if not options.smoke and not generated and not options.data.is_dir():
        sys.exit(f"no folder of data at {options.data}: name one with --data or MBN_DATA")


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


def _check_data(setting, names):
    """Says which experiments have no data, and ends where none has any."""
    from .experiments import ALL
    from .tasks import say
    missing = [name for name in names if not ALL[name].tasks(setting)]
    told = f"{setting.data} has no data for {', '.join(missing)}"
    if missing == names:
        sys.exit(f"nothing to run: {told}")
    if missing:
        say(f"left out: {told}")


def _run(setting, names):
    """Whether it came to its end."""
    from .experiments import ALL
    from .tasks import run_growing, say
    _check_data(setting, names)
    try:
        run_growing(setting, lambda: [task for name in names for task in ALL[name].tasks(setting)])
    except KeyboardInterrupt:
        say("interrupted; the same command goes on from here")
        return False
    return True


def _report(setting, folder, force, names):
    """Whether the pages of these experiments were written and have no failed task."""
    from .experiments import PAGES
    return all([_write(setting, folder / page, force) for page, shown in PAGES.items() if {*shown} & {*names}])


def _write(setting, page, force):
    """Whether the page was written and has no failed task."""
    from . import report
    from .tasks import say
    results = report.gather(setting, page.name)
    failed = [record for record in results.all_records if record["status"] == "failed"]
    for record in failed:
        say(f"failed: {record['experiment']} {record['data']} {record['method']}: {record['error']}")
    try:
        report.write(results, page, page.parent / "images" / page.stem, force)
    except report.NotWritten as reason:
        say(str(reason))
        return False
    say(f"wrote {page}")
    return not failed


def main(argv=None):
    options = _arguments(argv)
    options.mbn, options.data = Path(options.mbn), Path(options.data)
    if options.smoke and options.output is None:
        sys.exit("--smoke needs --output: its page is not for docs/")
    _check_folder(options)
    environment.enter(options.smoke)
    from .experiments import ON_REQUEST
    names = _chosen(options.only) + ([*ON_REQUEST] if options.smoke and options.only is None else [])
    setting = _setting(options)
    # An end that is asked for takes the same way as Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    finished = options.report or _run(setting, names)
    complete = _report(setting, options.output or ROOT / "docs", options.force, names)
    return 130 if not finished else 0 if complete else 1
